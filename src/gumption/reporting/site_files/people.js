// Whether the ranking is that of people: correlations with their intervals, places side by side, pairs that disagree.
"use strict";

(() => {
  const { el, number, points, pValue, count, counted, jointed, scrolling, viewLink, named } = report.parts;
  const { scale } = report.scale;
  const NAMES = { spearman: "Spearman's rho", tau_b: "Kendall's tau-b", weighted_tau: "Weighted tau (top places count more)" };

  const nameOf = (run) => report.runs[run].name;
  const two = (value) => (value === null ? "–" : value.toFixed(2).replace("-", "−"));
  const range = ([low, high]) => (low === null ? "–" : `${two(low)} to ${two(high)}`);

  const correlations = (found) => scrolling("Rank correlations", el("table", { class: "numbers" },
    el("thead", {}, el("tr", {}, ["Agreement", "Value", "95 %, other items and scenarios", "95 %, other models", "By chance"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, found.map(({ name, value, p, items, models }) => el("tr", {}, el("th", { scope: "row" }, NAMES[name]),
      [el("b", {}, two(value)), range(items), range(models), p === null ? "–" : pValue(p)].map((shown) => el("td", {}, shown)))))));

  function plot(models) {
    const across = scale(models.map(({ scores }) => scores[1]));
    const spots = models.map(({ run, scores, places }) => ({
      x: scores[1], y: scores[0], spread: [null, null], place: places[0], about: `${nameOf(run)}: benchmark ${number(scores[0])} %, people ${number(scores[1])} %`,
    }));
    return [
      report.scatter(spots, across, (tick) => String(Math.round(100 * tick)), "Benchmark against people"),
      el("p", { class: "quiet" }, "Across: people's mean rating, 0 to 100. Up: mean over the benchmark's items, in percent. Numbers: place by the benchmark, as in the table."),
    ];
  }

  const places = (models) => scrolling("Places by benchmark and by people", el("table", { class: "numbers" },
    el("thead", {}, el("tr", {}, ["Model", "Benchmark", "Place", "People", "Place", "Places apart", "Tau-b without it"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, [...models].sort((a, b) => a.places[0] - b.places[0]).map(({ run, scores, places: [one, other], tau_without: tau }) => el("tr", {}, el("th", { scope: "row" }, jointed(nameOf(run))),
      [number(scores[0]), one, number(scores[1]), other, Math.abs(one - other), two(tau)].map((shown) => el("td", {}, String(shown))))))));

  const SURE = { "true,true": "both are sure", "true,false": "the benchmark is sure, people are not", "false,true": "people are sure, the benchmark is not", "false,false": "neither is sure: may be noise" };

  function disagreements(found) {
    if (!found.length) return el("p", {}, "There is no pair that the two put in opposite orders.");
    return scrolling("Pairs in opposite orders", el("table", { class: "plain numbers opposite" },
      el("thead", {}, el("tr", {}, ["Ahead by the benchmark", "Points", "Ahead by people", "Points", "How sure", "Items"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, found.map(({ runs: [one, other], gaps, apart }) => el("tr", { class: apart.every(Boolean) ? "sure" : null },
        el("th", { scope: "row" }, jointed(nameOf(one))), el("td", {}, points(gaps[0])), el("td", {}, jointed(nameOf(other))), el("td", {}, points(gaps[1])),
        el("td", {}, SURE[String(apart)]), el("td", {}, el("a", { href: viewLink("compare", { a: one, b: other }), "aria-label": `Compare ${nameOf(one)} with ${nameOf(other)}` }, "Compare")))))));
  }

  function board({ benchmark, people }) {
    const head = el("h2", {}, named(benchmark));
    if (!people || people.why) return el("section", {}, head, el("p", {}, people?.why ?? ""));
    const { models, pairs, agreeing, units, raters, raters_agree: alpha, rated_only: rated, runs_only: unrated } = people;
    return el("section", {}, head,
      el("p", { class: "verdict" }, `The benchmark and people put ${count(agreeing)} of ${counted(pairs, "pair")} of models in the same order, and ${count(people.disagreements.length)} in opposite orders.`),
      el("p", { class: "quiet" }, `${counted(models.length, "model")}, ${counted(units, "scenario")}, ${counted(raters, "rater")}, ${counted(people.dimensions.length, "dimension")} of rating. `,
        alpha ? `The raters agree among themselves at Krippendorff's alpha ${two(alpha[0])}${alpha[1] === null ? "" : ` (${range(alpha.slice(1))})`}. ` : "",
        rated.length ? `Rated but not run: ${rated.join(", ")}. ` : "", unrated.length ? `Run but not rated: ${unrated.map(nameOf).join(", ")}.` : ""),
      correlations(people.correlations),
      el("p", { class: "quiet" }, "The first interval is what the agreement of these models could be on other items and scenarios, the second what it could be of other models of the same kind. By chance: how often shuffled models agree as well. The benchmark's side is the mean over items."),
      plot(models), places(models),
      el("h3", {}, "Pairs that disagree"), disagreements(people.disagreements));
  }

  report.people = () => [
    el("h1", { tabindex: -1 }, "Do people agree?"),
    report.boards.some(({ people }) => people) ? report.boards.map(board)
      : el("p", {}, "This report was made without ratings by people. Give them with ", el("code", {}, "gumption report RUN... --people FILE"), ", the file being what ", el("code", {}, "gumption rate export"), " writes."),
  ];
})();
