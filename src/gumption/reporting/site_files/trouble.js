// What went wrong: coverage, replies that were not read, and mistakes by kind, for every model.
"use strict";

(() => {
  const { el, number, ends, count, counted, mistakeName, jointed, scrolling, listLink, named } = report.parts;

  const planned = (card) => Object.values(card.statuses).reduce((sum, rows) => sum + rows, 0);
  const status = (card, name) => (planned(card) ? (card.statuses[name] ?? 0) / planned(card) : null);

  /** A share with a bar under it, at the table's own scale where that is told. */
  function cell(share, shown, most = 1, kind = "rate") {
    const fill = el("i");
    fill.style.setProperty("--share", share === null || !most ? 0 : share / most);
    return el("td", {}, shown, el("span", { class: kind, "aria-hidden": "true" }, fill));
  }

  const RATES = [
    ["Failed requests", "failed", ({ card }) => status(card, "infra_error")],
    ["Replies missing", "diverged", ({ card }) => status(card, "diverged")],
    ["Truncated", "truncated", ({ card }) => card.truncated],
    ["Refused", "refused", ({ card }) => card.refused],
    ["No answer found", "unread", ({ card }) => card.unread],
    ["Several answers", "ambiguous", ({ card }) => card.ambiguous],
  ];

  function rates(runs) {
    const linked = (run, share, outcome) => (share ? el("a", { href: listLink({ run: run.number, outcome }) }, number(share)) : number(share));
    return [
      el("h3", {}, "Coverage and replies that gave no answer"),
      scrolling("Coverage and rates by model", el("table", { class: "numbers barred" },
        el("thead", {}, el("tr", {}, ["Model", "Coverage", ...RATES.map(([name]) => name)].map((head) => el("th", { scope: "col" }, head)))),
        el("tbody", {}, runs.map((run) => el("tr", {}, el("th", { scope: "row" }, jointed(run.name)),
          cell(run.card.coverage, [number(run.card.coverage), run.card.coverage < 1 ? el("small", {}, `mean ${number(run.card.bounds[0])} to ${number(run.card.bounds[1])}`) : ""], 1, "rate good"),
          RATES.map(([, outcome, of]) => cell(of(run), linked(run, of(run), outcome)))))))),
      el("p", { class: "quiet" },
        "Percent: coverage, failed requests and missing replies of all planned items, the others of the scored ones. The bars run from 0 to 100. ",
        "Failed requests and missing replies lower coverage and never the score; below 100, what the mean over items would be if every missing item were wrong, and if every one were right. ",
        "Refused, unread and ambiguous replies count as 0; a truncated one is read like any other. Choose a number for its items."),
    ];
  }

  const distinct = (values) => [...new Set(values)];

  /** What the first mistake was, in the items that have one; later ones may only follow from it. */
  function mistakes(runs) {
    const total = (name) => runs.reduce((sum, { card }) => sum + (card.failures[name] ?? 0), 0);
    const names = distinct(runs.flatMap(({ card }) => Object.keys(card.failures))).sort((a, b) => total(b) - total(a));
    const heading = el("h3", {}, "Kinds of mistakes");
    if (!names.length) return [heading, el("p", { class: "quiet" }, "The scoring of this benchmark names no mistakes: an answer is right or wrong, as far as it could be read.")];
    const share = ({ card }, name) => (card.n ? (card.failures[name] ?? 0) / card.n : 0);
    const linked = (run, name) => (run.card.failures[name] && report.manifest.mistakes.includes(name)
      ? el("a", { href: listLink({ run: run.number, mistake: name }) }, count(run.card.failures[name])) : count(run.card.failures[name] ?? 0));
    const most = Math.max(...runs.flatMap((run) => names.map((name) => share(run, name))));
    return [
      heading,
      scrolling("Items by first mistake and model", el("table", { class: "numbers barred" },
        el("thead", {}, el("tr", {}, ["Model", ...names.map(mistakeName), "None"].map((head) => el("th", { scope: "col" }, head)))),
        el("tbody", {}, runs.map((run) => {
          const all = Object.values(run.card.failures).reduce((sum, items) => sum + items, 0);
          const rest = Math.max(0, run.card.n - all);
          return el("tr", {}, el("th", { scope: "row" }, jointed(run.name)),
            names.map((name) => cell(share(run, name), [linked(run, name), el("small", {}, `${number(share(run, name))} %`)], most)),
            cell(run.card.n ? rest / run.card.n : 0, [count(rest), el("small", {}, `${number(run.card.n ? rest / run.card.n : 0)} %`)], 1, "rate good"));
        })))),
      el("p", { class: "quiet" }, `Scored items by their first mistake, and their share; later mistakes may only follow from it. The longest bar of a mistake is ${number(most)} %.`),
    ];
  }

  /** The named parts of the scores; one without an interval is no share but a count or a length. */
  function parts(runs) {
    const names = distinct(runs.flatMap(({ card }) => card.parts.map(({ name }) => name)));
    if (!names.length) return [];
    const shown = ({ score, n }) => (score.low === null
      ? [(+score.mean).toFixed(2), el("small", {}, `mean of ${count(n)}`)]
      : [number(score.mean), el("small", {}, ends(score))]);
    return [
      el("h3", {}, "Parts of the score"),
      scrolling("Mean by part and model", el("table", { class: "numbers" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Model"), names.map((name) => el("th", { scope: "col" }, jointed(name))))),
        el("tbody", {}, runs.map(({ name: model, card }) => el("tr", {}, el("th", { scope: "row" }, jointed(model)), names.map((name) => {
          const part = card.parts.find((other) => other.name === name);
          return el("td", {}, part ? shown(part) : "–");
        })))))),
      el("p", { class: "quiet" }, "Shares in percent with 95 % intervals; counts and lengths as they are."),
    ];
  }

  report.trouble = () => [
    el("h1", { tabindex: -1 }, "What went wrong"),
    report.boards.map((board) => {
      const runs = board.runs.map((run) => report.runs[run]);
      return el("section", {},
        el("h2", {}, named(board.benchmark)), el("p", { class: "lead" }, `${counted(runs.length, "run")}, best first.`),
        rates(runs), mistakes(runs), parts(runs));
    }),
  ];
})();
