// Two models: how far apart, how sure that is, which slices make the difference, and how it was missed.
"use strict";

(() => {
  const { el, svg, number, points, chance, pValue, count, counted, words, outcomeName, mistakeName, jointed, scrolling, select, viewLink, named } = report.parts;
  const { scale, upright, grid, whisker, track, axis } = report.scale;
  const SURE = 0.05; // of a p-value that allows for all that was looked at

  // ── the pair, as seen from a ─────────────────────────────────────────────────────────────────────

  const turned = ({ gap: [mean, low, high], means, counts, ...rest }) => ({
    ...rest,
    gap: [mean, high, low].map((end) => (end === null ? null : -end)),
    means: means && [...means].reverse(),
    counts: counts && [counts[1], counts[0], counts[2]],
  });

  /** The comparison of run `a` with run `b` of a board, gaps being a - b. */
  async function pair(board, a, b) {
    const [one, other] = [board.compared.indexOf(a), board.compared.indexOf(b)];
    const found = await report.data.pair(board, Math.min(one, other), Math.max(one, other));
    const seen = (gap) => (one < other ? gap : gap && turned(gap));
    const each = (both) => (one < other ? both : [...both].reverse());
    const rowsOf = ([field, rows]) => [field, rows.map((row, place) => ({ name: board.slices[field][place], ...seen(row) }))];
    return {
      total: seen(found.total), official: seen(found.official), missed: each(found.missed), mistakes: each(found.mistakes),
      slices: Object.fromEntries(Object.entries(found.slices).map(rowsOf)),
    };
  }

  // ── in words and numbers ─────────────────────────────────────────────────────────────────────────

  function verdict(a, b, { total }, pairs) {
    const { gap: [gap, low, high], n, p, counts: [wins, losses, ties] } = total;
    if (!n) return el("p", { class: "verdict" }, "No item was scored for both: nothing can be said of the two.");
    const [ahead, behind] = gap >= 0 ? [a, b] : [b, a];
    const size = number(Math.abs(gap));
    const interval = gap >= 0 ? `${points(low)} to ${points(high)}` : `${points(-high)} to ${points(-low)}`;
    const sure = p !== null && p < SURE;
    return el("p", { class: "verdict" },
      gap === 0 ? "Both score the same" : [el("b", {}, ahead.name), ` scores ${size} points more than `, el("b", {}, behind.name)],
      ` on the ${counted(n, "item")} that both answered (95 % interval ${interval}). `,
      `${a.name} does better on ${count(wins)}, ${b.name} on ${count(losses)}, and on ${count(ties)} they do the same. `,
      sure ? `The two are told apart${pairs > 1 ? `, even allowing for all ${count(pairs)} pairs of this report` : ""} (${pValue(p)}).`
        : `That is not enough to tell them apart${pairs > 1 ? `, allowing for all ${count(pairs)} pairs of this report` : ""}${p === null ? "" : ` (${pValue(p)})`}.`);
  }

  function facts(board, a, b, { total, official }) {
    const places = new Map(board.places.map(({ run }, place) => [run, place]));
    const beats = board.beats[places.get(a.number)]?.[places.get(b.number)];
    const between = ({ gap: [gap, low, high] }) => [points(gap), low === null ? "" : el("small", {}, ` ${points(low)} to ${points(high)}`)];
    const line = (name, ofA, ofB, apart) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, ofA), el("td", {}, ofB), el("td", {}, apart));
    const score = ({ card }) => number(card.official.mean);
    return scrolling("The two models in numbers", el("table", { class: "numbers pair-facts" },
      el("thead", {}, el("tr", {}, ["Measure", a.name, b.name, "Difference, points"].map((head) => el("th", { scope: "col" }, jointed(head))))),
      el("tbody", {},
        line(["Official score ", el("small", {}, board.aggregate)], score(a), score(b), official ? between(official) : total.n ? between(total) : "–"),
        total.means ? line(["Mean over items ", el("small", {}, "both answered")], number(total.means[0]), number(total.means[1]), between(total)) : "",
        beats === undefined ? "" : line("Ahead in redrawn tests, %", chance(beats), chance(1 - beats), ""),
        line("Coverage, %", number(a.card.coverage), number(b.card.coverage), ""))));
  }

  /** Wins, ties and losses as one bar. */
  function shares(a, b, { counts: [wins, losses, ties], n }) {
    if (!n) return "";
    const pieces = [[`only ${a.name} better`, wins, "ahead"], ["the same", ties, "tied"], [`only ${b.name} better`, losses, "behind"]];
    let from = 0;
    const bars = pieces.map(([, times, kind]) => {
      const piece = svg("rect", { class: kind, x: `${(100 * from) / n}%`, width: `${(100 * times) / n}%`, y: 0, height: "100%" });
      from += times;
      return piece;
    });
    return el("div", { class: "shares" },
      track(pieces.map(([what, times]) => `${what}: ${times}`).join(", "), bars),
      el("p", { class: "quiet" }, pieces.map(([what, times, kind], place) =>
        [place ? " · " : "", el("span", { class: `chip ${kind}` }), ` ${what}: ${count(times)}`])));
  }

  // ── where the difference comes from ──────────────────────────────────────────────────────────────

  function slices(field, rows, total, a, b, narrow) {
    const scored = rows.filter(({ n }) => n);
    const weight = ({ gap, n }) => (gap[0] * n) / total.n;
    const order = total.gap[0] < 0 ? 1 : -1;
    scored.sort((one, other) => order * (weight(one) - weight(other)));
    const ruler = scale([...scored.flatMap(({ gap }) => gap), 0], { least: -1, most: 1 });
    const left = total.n - scored.reduce((sum, { n }) => sum + n, 0);
    const line = (row) => el("tr", { class: row.p !== null && row.p < SURE ? "sure" : null },
      el("th", { scope: "row" }, jointed(named(row.name))),
      el("td", {}, count(row.n)),
      el("td", {}, points(row.gap[0]), row.gap[1] === null ? "" : el("small", {}, `${points(row.gap[1])} to ${points(row.gap[2])}`)),
      el("td", { class: "drawn-gap" }, track(`${points(row.gap[0])} points${row.gap[1] === null ? "" : `, 95 % interval ${points(row.gap[1])} to ${points(row.gap[2])}`}`,
        grid(ruler), upright("zero", ruler.at(0)), whisker(ruler, row.gap, row.gap[0] < 0 ? "dot behind" : "dot"))),
      el("td", {}, points(weight(row))), el("td", {}, number(row.means[0])), el("td", {}, number(row.means[1])),
      [[row.counts[0], "a", a], [row.counts[1], "b", b]].map(([times, side, run]) => el("td", {}, times
        ? el("button", { type: "button", class: "link", "aria-label": `${count(times)} items of ${named(row.name)} on which only ${run.name} is better`, onclick: () => narrow(side, field, row.name) }, count(times)) : "0")));
    return [
      scrolling(`Difference by ${field}`, el("table", { class: "numbers gaps" },
        el("thead", {}, el("tr", {}, [field[0].toUpperCase() + field.slice(1), "n", "Difference"].map((head) => el("th", { scope: "col" }, head)),
          el("th", { scope: "col", class: "drawn-gap" }, el("span", { class: "sr" }, "Difference, drawn"), el("span", { "aria-hidden": "true" }, axis(ruler, ""))),
          ["Adds to the total", a.name, b.name, `${a.name} better`, `${b.name} better`].map((head) => el("th", { scope: "col" }, jointed(head))))),
        el("tbody", {}, scored.map(line),
          el("tr", { class: "sum" }, el("th", { scope: "row" }, "All"), [count(total.n), points(total.gap[0]), "", points(total.gap[0]), number(total.means[0]), number(total.means[1]), count(total.counts[0]), count(total.counts[1])]
              .map((shown) => el("td", {}, shown)))))),
      el("p", { class: "quiet" },
        "Percent and points, on the items that both answered. What a row adds is its difference times its share of the items; the rows add up to the difference of the means over items. ",
        `Bold rows are told apart, allowing for all rows (p < ${SURE}).`, left ? ` ${counted(left, "item")} of no ${field} ${left === 1 ? "is" : "are"} in no row.` : ""),
    ];
  }

  // ── how it was missed ────────────────────────────────────────────────────────────────────────────

  function tally(counts, name, times) {
    const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
    return el("ul", { class: "outcomes" }, entries.map(([what, items]) => {
      const bar = el("i");
      bar.style.setProperty("--share", items / times);
      return el("li", {}, el("span", {}, name(what)), el("span", { class: "rate" }, bar), el("b", {}, count(items)));
    }));
  }

  const missing = (better, worse, outcomes, mistakes, times) => el("section", {},
    el("h3", {}, `How ${worse.name} missed what ${better.name} got`),
    times ? tally(outcomes, outcomeName, times) : el("p", { class: "quiet" }, "There is no such item."),
    Object.keys(mistakes).length ? [el("p", { class: "quiet" }, "By its first mistake:"), tally(mistakes, mistakeName, times)] : "");

  function differences(a, b) {
    const of = (run, name) => words(run.card.protocol[name] ?? "");
    const names = [...new Set([a, b].flatMap(({ card }) => Object.keys(card.protocol)))];
    const found = names.filter((name) => name !== "model" && of(a, name) !== of(b, name));
    return found.length ? el("div", { class: "note" }, el("p", {}, el("b", {}, "They were not asked in the same way. "), "The difference may come from that:"),
      el("dl", { class: "protocol" }, found.map((name) => [el("dt", {}, name), el("dd", {}, `${a.name}: ${of(a, name) || "–"}\n${b.name}: ${of(b, name) || "–"}`)]))) : "";
  }

  // ── the view ─────────────────────────────────────────────────────────────────────────────────────

  function chooser(board, a, b) {
    const go = (one, other) => { location.hash = viewLink("compare", { a: one, b: other }); };
    const options = board.compared.map((run) => [run, report.runs[run].name]);
    const other = (run) => board.compared.find((number) => number !== run);
    const boards = report.boards.map(({ benchmark }, place) => [place, named(benchmark)]);
    return el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      boards.length > 1 ? select("Benchmark", boards, board.number, (place) => { location.hash = viewLink("compare", { board: place }); }) : "",
      select("Model", options, a, (run) => go(run, Number(run) === b ? other(b) : b)),
      select("Compared with", options, b, (run) => go(Number(run) === a ? other(a) : a, run)),
      el("button", { type: "button", onclick: () => go(b, a) }, "Swap"));
  }

  report.compare = async (query) => {
    const numberOf = (name) => (query.has(name) ? Number(query.get(name)) : -1);
    const board = report.boards.find(({ compared }) => compared.includes(numberOf("a"))) ?? report.boards[query.get("board")] ?? report.boards[0];
    const heading = el("h1", { tabindex: -1 }, "Compare two models");
    const rest = board.runs.length - board.compared.length;
    if (board.compared.length < 2) return [heading, el("p", {}, `Of ${named(board.benchmark)} there is one run: nothing to compare it with.`)];
    const a = board.compared.includes(numberOf("a")) ? numberOf("a") : board.compared[0];
    const b = board.compared.includes(numberOf("b")) && numberOf("b") !== a ? numberOf("b") : board.compared.find((run) => run !== a);
    const [one, other] = [report.runs[a], report.runs[b]];
    const found = await pair(board, a, b);
    const { total } = found;
    const list = await report.comparedItems(one, other, query);
    const fields = ["dimension", "category"].filter((field) => found.slices[field].filter(({ n }) => n).length > 1);
    const pairs = (board.compared.length * (board.compared.length - 1)) / 2;
    return [
      heading, chooser(board, a, b),
      rest ? el("p", { class: "quiet" }, `The ${board.compared.length} best of ${board.runs.length} runs are compared; report fewer runs to compare the others.`) : "",
      verdict(one, other, found, pairs), differences(one, other), shares(one, other, total), facts(board, one, other, found),
      total.n ? [
        fields.map((field) => [el("h2", {}, `Which ${field === "category" ? "categories" : "dimensions"} make the difference`), slices(field, found.slices[field], total, one, other, list.narrow)]),
        el("div", { class: "read" }, missing(one, other, found.missed[0], found.mistakes[0], total.counts[0]), missing(other, one, found.missed[1], found.mistakes[1], total.counts[1])),
        list.view,
      ] : "",
    ];
  };
})();
