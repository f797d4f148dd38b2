// The first view: who did how well, how sure that is, and by category.
"use strict";

(() => {
  const { el, svg, number, ends, count, counted, words, jointed, scrolling, listLink, named } = report.parts;
  const ENOUGH = 0.95; // coverage under which a model's place is marked

  const planned = (card) => Object.values(card.statuses).reduce((sum, rows) => sum + rows, 0);
  const failedShare = (card) => (planned(card) ? (card.statuses.infra_error ?? 0) / planned(card) : null);
  const best = (a, b) => (b.card.official.mean ?? -1) - (a.card.official.mean ?? -1);

  // ── intervals ────────────────────────────────────────────────────────────────────────────────────

  function axis(runs) {
    const shown = runs.flatMap(({ card }) => [card.official.mean, card.official.low, card.official.high, card.chance]);
    const known = shown.filter((share) => share !== null);
    const from = Math.max(0, Math.floor(Math.min(...known, 1) * 10 - 0.2) / 10);
    const to = Math.min(1, Math.ceil(Math.max(...known, 0) * 10 + 0.2) / 10);
    const step = to - from > 0.6 ? 0.2 : 0.1;
    const ticks = [];
    for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= to + 1e-9; tick += step) ticks.push(tick);
    return { ticks, at: (share) => `${(100 * (share - from)) / (to - from)}%` };
  }

  function whisker({ card }, { ticks, at }) {
    const { mean, low, high } = card.official;
    const label = mean === null ? "nothing scored"
      : `${number(mean)} %, 95 % interval ${ends(card.official)}, guess level ${number(card.chance)} %`;
    const marks = [
      ...ticks.map((tick) => svg("line", { class: "grid", x1: at(tick), x2: at(tick), y1: "0", y2: "100%" })),
      svg("line", { class: "guess", x1: at(card.chance), x2: at(card.chance), y1: "0", y2: "100%" }),
    ];
    if (low !== null) marks.push(svg("line", { class: "whisker", x1: at(low), x2: at(high), y1: "50%", y2: "50%" }));
    if (mean !== null) {
      marks.push(svg("circle", { class: card.coverage < ENOUGH ? "dot thin" : "dot", cx: at(mean), cy: "50%", r: 5 }));
    }
    return el("div", { class: "track" }, svg("svg", { role: "img", "aria-label": label }, marks));
  }

  function plot(runs) {
    const scale = axis(runs);
    const rows = runs.map((run) => el("li", {},
      el("a", { class: "name", href: listLink({ run: run.number }) }, jointed(run.name)),
      whisker(run, scale),
      el("span", { class: "value", "aria-hidden": "true" },
        el("b", {}, number(run.card.official.mean)), " ", el("small", {}, ends(run.card.official)))));
    const labels = scale.ticks.map((tick) =>
      svg("text", { x: scale.at(tick), y: "1em", "text-anchor": "middle" }, `${(100 * tick).toFixed(0)}`));
    const last = (100 * scale.ticks.at(-1)).toFixed(0);
    const unit = svg("text", { x: scale.at(scale.ticks.at(-1)), y: "1em", dx: `${0.32 * last.length + 0.25}em` }, "%");
    return [
      el("ol", { class: "plots" }, rows),
      el("div", { class: "axis", "aria-hidden": "true" }, el("span"), el("div", { class: "track" }, svg("svg", {}, labels, unit)), el("span")),
    ];
  }

  const explanation = (runs) => [
    el("p", {},
      el("b", {}, "How to read it. "),
      `Each dot is the official score (${[...new Set(runs.map(({ card }) => named(card.official.name)))].join("; ")}), in percent. `,
      "The bar through it is its 95 % interval: of 100 such bars, about 95 hold the score that an endless test of the same ",
      "kind would give. Models whose bars overlap widely are not told apart by this test. ",
      "The dashed line is the level of guessing."),
    el("p", {},
      "Coverage is the share of planned items that have a score. Failed requests, missing replies and judgements that could ",
      "not be made lower coverage and never the score; wrong, unread, ambiguous and refused replies count as 0, ",
      "and truncated ones are read like any other. ",
      runs.some(({ card }) => card.coverage < ENOUGH)
        ? "A hollow dot has a coverage under 95 %: what is missing could move it." : ""),
  ];

  // ── all numbers ──────────────────────────────────────────────────────────────────────────────────

  const interval = (found) => [number(found.mean), found.low === null ? "" : el("small", {}, ends(found))];
  const rate = (run, share, outcome) => (share ? el("a", { href: listLink({ run: run.number, outcome }) }, number(share)) : number(share));

  const COLUMNS = [
    ["Official", (run) => run.card.official.mean, (run) => interval(run.card.official)],
    ["Micro", (run) => run.card.micro.mean, (run) => interval(run.card.micro)],
    ["Macro", (run) => run.card.macro.mean, (run) => interval(run.card.macro)],
    ["Above guessing", (run) => run.card.adjusted.mean, (run) => interval(run.card.adjusted)],
    ["Guess level", (run) => run.card.chance, (run) => number(run.card.chance)],
    ["Scored", (run) => run.card.n, (run) => [count(run.card.n), el("small", {}, `of ${count(run.card.planned)}`)]],
    ["Coverage", (run) => run.card.coverage, (run) => [
      number(run.card.coverage),
      run.card.coverage < 1 ? el("small", {}, `mean ${number(run.card.bounds[0])} to ${number(run.card.bounds[1])}`) : ""]],
    ["Failed", (run) => failedShare(run.card), (run) => rate(run, failedShare(run.card), "failed")],
    ["Truncated", (run) => run.card.truncated, (run) => rate(run, run.card.truncated, "truncated")],
    ["Refused", (run) => run.card.refused, (run) => rate(run, run.card.refused, "refused")],
    ["Unread", (run) => run.card.unread, (run) => rate(run, run.card.unread, "unread")],
    ["Ambiguous", (run) => run.card.ambiguous, (run) => rate(run, run.card.ambiguous, "ambiguous")],
  ];

  function numbers(runs) {
    const body = el("tbody");
    const heads = COLUMNS.map(([name, by], place) => el("th", { scope: "col", "aria-sort": place === 0 ? "descending" : null },
      el("button", { type: "button", onclick: () => sort(place, by) }, name)));
    const rows = new Map(runs.map((run) => [run, el("tr", {},
      el("th", { scope: "row" }, el("a", { href: listLink({ run: run.number }) }, jointed(run.name))),
      COLUMNS.map(([, , show]) => el("td", {}, show(run))))]));

    function sort(place, by) {
      const order = heads[place].getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[place].setAttribute("aria-sort", order);
      const sign = order === "descending" ? -1 : 1;
      body.append(...[...runs].sort((a, b) => sign * ((by(a) ?? -1) - (by(b) ?? -1))).map((run) => rows.get(run)));
    }

    body.append(...rows.values());
    const macros = [...new Set(runs.map(({ card }) => card.macro.name).filter(Boolean))];
    return [
      scrolling("All numbers by model", el("table", { class: "numbers" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Model"), heads)), body)),
      el("p", { class: "quiet" },
        `Percent, with 95 % intervals. Micro is the mean over items, macro a mean of means${macros.length ? ` (${macros.join("; ")})` : ""}. `,
        "Above guessing is 0 at the level of guessing and 100 when all is right. Under a coverage below 100: what the mean over ",
        "items would be if every missing item were wrong, and if every one were right."),
    ];
  }

  // ── by category ──────────────────────────────────────────────────────────────────────────────────

  function heat(runs, slices, filter) {
    const names = [...new Set(runs.flatMap(({ card }) => card[slices].map(({ name }) => name)))];
    if (!names.length) return [];
    const caption = el("p", { class: "caption", "aria-hidden": "true" }, "Point at a number for its interval and n; choose it for its items.");
    const rows = runs.map((run) => {
      const found = new Map(run.card[slices].map((slice) => [slice.name, slice]));
      return el("tr", {}, el("th", { scope: "row" }, jointed(run.name)), names.map((name) => cell(run, found.get(name), filter, caption)));
    });
    const upright = names.join("").length > 110; // long headings of many columns stand on end
    return [
      el("h3", {}, `By ${filter}`),
      caption,
      scrolling(`Mean by model and ${filter}`, el("table", { class: upright ? "heat upright" : "heat" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Model"), names.map((name) => el("th", { scope: "col" }, el("span", {}, jointed(named(name))))))),
        el("tbody", {}, rows))),
    ];
  }

  function cell(run, slice, filter, caption) {
    if (!slice) return el("td", {});
    const { score, n } = slice;
    const about = `${run.name}, ${named(slice.name)}: ${number(score.mean)} %${score.low === null ? "" : ` (${ends(score)})`}, `
      + `n ${count(n)} of ${count(slice.planned)}, guess level ${number(slice.chance)} %`;
    const tell = () => { caption.textContent = about; };
    const link = el("a", {
      href: listLink({ run: run.number, [filter]: slice.name }), "aria-label": about, onfocus: tell, onpointerenter: tell,
    }, number(score.mean));
    const box = el("td", {}, link);
    box.style.setProperty("--share", score.mean ?? 0);
    return box;
  }

  // ── parts and mistakes ───────────────────────────────────────────────────────────────────────────

  const distinct = (values) => [...new Set(values)];

  /** The named parts of the scores; one without an interval is no share but a count or a length. */
  function parts(runs) {
    const names = distinct(runs.flatMap(({ card }) => card.parts.map(({ name }) => name)));
    if (!names.length) return [];
    const shown = ({ score, n }) => (score.low === null
      ? [(+score.mean).toFixed(2), el("small", {}, `mean of ${count(n)}`)]
      : [number(score.mean), el("small", {}, ends(score))]);
    return [
      el("h3", {}, "By part"),
      scrolling("Mean by part and model", el("table", { class: "numbers" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Part"), runs.map((run) => el("th", { scope: "col" }, jointed(run.name))))),
        el("tbody", {}, names.map((name) => el("tr", {}, el("th", { scope: "row" }, jointed(name)), runs.map(({ card }) => {
          const part = card.parts.find((other) => other.name === name);
          return el("td", {}, part ? shown(part) : "–");
        }))))))];
  }

  /** What the first mistake was, in the items that have one; later ones may only follow from it. */
  function mistakes(runs) {
    const names = distinct(runs.flatMap(({ card }) => Object.keys(card.failures)));
    if (!names.length) return [];
    return [
      el("h3", {}, "First mistakes"),
      scrolling("Items by first mistake and model", el("table", { class: "numbers" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Mistake"), runs.map((run) => el("th", { scope: "col" }, jointed(run.name))))),
        el("tbody", {}, names.map((name) => el("tr", {}, el("th", { scope: "row" }, name.replaceAll("_", " ")),
          runs.map(({ card }) => el("td", {}, card.failures[name] ? count(card.failures[name]) : "–")))))))];
  }

  // ── protocol ─────────────────────────────────────────────────────────────────────────────────────

  function protocol(runs) {
    const names = [...new Set(runs.flatMap(({ card }) => Object.keys(card.protocol)))];
    const of = (run, name) => words(run.card.protocol[name] ?? "");
    const differs = (name) => runs.some((run) => of(run, name) !== of(runs[0], name));
    const shared = names.filter((name) => !differs(name));
    const different = names.filter(differs);
    return [
      el("details", {},
        el("summary", {}, "How the models were asked",
          different.length && runs.length > 1 ? el("b", {}, ` (the runs differ in ${different.join(", ")})`) : ""),
        names.length ? "" : el("p", { class: "quiet" }, "No protocol is recorded."),
        el("dl", { class: "protocol" }, shared.map((name) => [el("dt", {}, name), el("dd", {}, of(runs[0], name))])),
        different.length ? scrolling("What differs between the runs", el("table", { class: "plain" },
          el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Model"), different.map((name) => el("th", { scope: "col" }, name)))),
          el("tbody", {}, runs.map((run) => el("tr", {}, el("th", { scope: "row" }, run.name), different.map((name) => el("td", {}, of(run, name)))))))) : ""),
      ...runs.flatMap(({ name, card }) => card.notes.map((note) => el("p", { class: "note" }, el("b", {}, `${name}: `), words(note)))),
    ];
  }

  const section = (benchmark, runs) => el("section", {},
    el("h2", {}, named(benchmark)),
    plot(runs), el("div", { class: "read" }, explanation(runs)),
    el("h3", {}, "All numbers"), numbers(runs),
    heat(runs, "categories", "category"), heat(runs, "dimensions", "dimension"),
    parts(runs), mistakes(runs),
    protocol(runs));

  report.overview = () => {
    const { title, about, items, media_problems: problems } = report.manifest;
    const ranked = [...report.runs].sort(best);
    const benchmarks = [...new Set(ranked.map(({ card }) => card.benchmark))];
    return [
      el("h1", { tabindex: -1 }, title),
      el("p", { class: "lead" }, `${counted(report.runs.length, "run")} on ${benchmarks.map(named).join(", ")}, ${counted(items, "item")}.`, about ? ` ${about}` : ""),
      problems.map((problem) => el("p", { class: "note" }, el("b", {}, "Pictures are left out: "), words(problem))),
      ...benchmarks.map((benchmark) => section(benchmark, ranked.filter(({ card }) => card.benchmark === benchmark))),
    ];
  };
})();
