// The runs of one benchmark best first: places, tiers, scores and how sure they are.
"use strict";

(() => {
  const { el, number, ends, jointed, listLink, viewLink, named } = report.parts;
  const { scale, upright, grid, whisker, track, axis } = report.scale;
  const ENOUGH = 0.95; // coverage under which a model's place is marked

  const isThin = (place, card) => place?.flagged || card.coverage < ENOUGH;

  function row(run, place, ruler) {
    const { card } = run;
    const { mean, low, high } = card.official;
    const label = mean === null ? "nothing scored"
      : `${number(mean)} %, 95 % interval ${ends(card.official)}, guess level ${number(card.chance)} %`;
    const left = place && place.low !== place.high ? el("small", {}, ` ${place.low}–${place.high}`) : "";
    return el("li", {},
      el("span", { class: "place" }, place && mean !== null ? [el("b", {}, String(place.rank)), left] : "–"),
      el("a", { class: "name", href: listLink({ run: run.number }) }, jointed(run.name)),
      track(label, grid(ruler), upright("guess", ruler.at(card.chance)),
        whisker(ruler, [mean, low, high], isThin(place, card) ? "dot thin" : "dot")),
      el("span", { class: "value" },
        el("span", { "aria-hidden": "true" }, el("b", {}, number(mean)), " ", el("small", {}, ends(card.official))),
        isThin(place, card) ? el("span", { class: "flag" }, `⚑ ${number(card.coverage)} % covered`) : ""));
  }

  report.leaderboard = (board, runs) => {
    const places = new Map(board.places.map((place) => [place.run, place]));
    const ruler = scale(runs.flatMap(({ card }) => [card.official.mean, card.official.low, card.official.high, card.chance]));
    const several = new Set(board.places.map(({ tier }) => tier)).size > 1;
    let tier = null;
    const rows = runs.flatMap((run) => {
      const place = places.get(run.number);
      const opens = several && place && place.tier !== tier;
      tier = place?.tier ?? tier;
      return [opens ? el("li", { class: "tier" }, el("span", {}, `Tier ${tier}`)) : "", row(run, place, ruler)];
    });
    return [
      el("ol", { class: "plots ranked" }, rows),
      el("div", { class: "axis ranked", "aria-hidden": "true" }, el("span"), el("span"), axis(ruler), el("span")),
    ];
  };

  /** How to read the leaderboard, and where the reader goes on to. */
  report.leaderboardWords = (board, runs) => {
    const [first, second] = runs;
    return el("div", { class: "read" },
      el("p", {},
        el("b", {}, "How to read it. "),
        `Each dot is the official score (${[...new Set(runs.map(({ card }) => named(card.official.name)))].join("; ")}), in percent. `,
        "The bar through it is its 95 % interval: of 100 such bars, about 95 hold the score that an endless test of the same ",
        "kind would give. The dashed line is the level of guessing. ",
        runs.length > 1 ? ["Small numbers are the places that the data leave open. A new tier begins where the best of the tier above is ahead ",
          "in 97.5 % of redrawn tests: within a tier no model is told apart from its best."] : ""),
      el("p", {},
        "Coverage is the share of planned items that have a score. Failed requests, missing replies and judgements that could ",
        "not be made lower coverage and never the score; wrong, unread, ambiguous and refused replies count as 0, ",
        "and truncated ones are read like any other. ",
        runs.some(({ card, number: run }) => isThin(board.places.find((place) => place.run === run), card))
          ? "A hollow dot with a flag has a coverage under 95 %: what is missing could move it. " : "",
        second ? ["Why is one model ahead? ", el("a", { href: viewLink("compare", { a: first.number, b: second.number }) },
          `Compare ${first.name} with ${second.name}`), ", or any two."] : ""));
  };
})();
