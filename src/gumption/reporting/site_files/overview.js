// The first view: who did how well, how sure that is, and by category.
"use strict";

(() => {
  const { el, number, ends, count, counted, words, jointed, scrolling, listLink, named } = report.parts;

  const planned = (card) => Object.values(card.statuses).reduce((sum, rows) => sum + rows, 0);
  const failedShare = (card) => (planned(card) ? (card.statuses.infra_error ?? 0) / planned(card) : null);

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

  function section(board) {
    const runs = board.runs.map((run) => report.runs[run]);
    return el("section", {},
      el("h2", {}, named(board.benchmark)),
      report.leaderboard(board, runs), report.leaderboardWords(board, runs),
      el("h3", {}, "All numbers"), numbers(runs),
      heat(runs, "categories", "category"), heat(runs, "dimensions", "dimension"),
      protocol(runs));
  }

  report.overview = () => {
    const { title, about, items, media_problems: problems } = report.manifest;
    const benchmarks = report.boards.map(({ benchmark }) => named(benchmark));
    return [
      el("h1", { tabindex: -1 }, title),
      el("p", { class: "lead" }, `${counted(report.runs.length, "run")} on ${benchmarks.join(", ")}, ${counted(items, "item")}.`, about ? ` ${about}` : ""),
      problems.map((problem) => el("p", { class: "note" }, el("b", {}, "Pictures are left out: "), words(problem))),
      ...report.boards.map(section),
    ];
  };
})();
