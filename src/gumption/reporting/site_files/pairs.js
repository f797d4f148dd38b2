// Who beats whom: for every two models the chance that one is better than the other.
"use strict";

(() => {
  const { el, chance, count, jointed, scrolling, select, viewLink, named } = report.parts;
  const SURE = 0.975; // as the tiers have it

  function cell(one, other, share, caption, compared) {
    if (one === other) return el("td", { class: "self" }, "–");
    const about = `${one.name} is better than ${other.name} in ${chance(share)} % of redrawn tests`;
    const tell = () => { caption.textContent = `${about}.`; };
    const kind = share >= SURE ? "sure" : null;
    const link = [one, other].every(({ number }) => compared.includes(number))
      ? el("a", {
        href: viewLink("compare", { a: one.number, b: other.number }), "aria-label": `${about}; compare them`,
        class: kind, onfocus: tell, onpointerenter: tell,
      }, chance(share))
      : el("span", { class: kind, title: about }, chance(share));
    const box = el("td", {}, link);
    box.style.setProperty("--share", share);
    return box;
  }

  report.pairs = (query) => {
    const board = report.boards[query.get("board")] ?? report.boards[0];
    const runs = board.places.map(({ run }) => report.runs[run]);
    const heading = el("h1", { tabindex: -1 }, "Who beats whom");
    const picker = report.boards.length > 1
      ? el("form", { class: "filters" }, select("Benchmark", report.boards.map(({ benchmark }, place) => [place, named(benchmark)]), board.number,
        (number) => { location.hash = viewLink("pairs", { board: number }); })) : "";
    if (runs.length < 2) return [heading, picker, el("p", {}, "There is no second model here: nothing to compare.")];
    const caption = el("p", { class: "caption", "aria-hidden": "true" }, "Point at a number for its two models; choose it to see where the difference comes from.");
    const ranks = board.places.map(({ rank }) => rank);
    return [
      heading,
      el("p", { class: "lead" }, `${named(board.benchmark)}: of 100 redrawn tests, in how many is the model of the row ahead of the model of the column?`),
      picker, caption,
      scrolling("Chance in percent that the model of the row is better than that of the column", el("table", { class: "heat upright square" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Model"),
          runs.map((run, place) => el("th", { scope: "col" }, el("span", {}, `${ranks[place]} `, jointed(run.name)))))),
        el("tbody", {}, runs.map((one, row) => el("tr", {},
          el("th", { scope: "row" }, el("span", { class: "quiet" }, `${ranks[row]} `), jointed(one.name)),
          runs.map((other, column) => cell(one, other, board.beats[row][column], caption, board.compared))))))),
      el("p", { class: "quiet" },
        `By ${board.aggregate}. A redrawn test takes as many scenes, videos or images as there are (${count(board.clusters)}) with replacement, the same for all models; `,
        "ties count half. Bold: 97.5 % or more, the rule by which tiers are cut. A bold number speaks of its own pair: among many pairs some are bold by luck; ",
        "the comparison of two says what is left when all pairs are allowed for."),
    ];
  };
})();
