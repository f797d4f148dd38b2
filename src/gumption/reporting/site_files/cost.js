// What an answer costs and what it is worth: tokens and seconds against the score.
"use strict";

(() => {
  const { el, number, ends, count, counted, jointed, scrolling, select, viewLink, named } = report.parts;
  const MEASURES = {
    output: ["Output tokens", "the server counted no tokens, or the replies were recorded without the counts"],
    input: ["Input tokens", "the server counted no tokens, or the replies were recorded without the counts"],
    reasoning: ["Reasoning tokens", "the server does not count them apart"],
    seconds: ["Seconds", "the replies were recorded without the time they took"],
  };
  const WIDE = 20; // largest by smallest cost from which the axis is logarithmic

  const amount = (value) => (value >= 100 ? count(Math.round(value)) : value >= 1 ? value.toFixed(1) : value.toPrecision(2));

  /** An axis from 0, or by powers of ten where the costs are far apart. */
  function costs(values) {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (low > 0 && high / low > WIDE) {
      const from = Math.floor(Math.log10(low));
      const to = Math.ceil(Math.log10(high));
      return {
        ticks: Array.from({ length: to - from + 1 }, (_, place) => 10 ** (from + place)), logarithmic: true,
        at: (value) => `${(100 * (Math.log10(value) - from)) / (to - from)}%`,
      };
    }
    const end = 1.05 * (high || 1);
    const power = 10 ** Math.floor(Math.log10(end / 4));
    const step = power * [1, 2, 5, 10].find((size) => size * power >= end / 5);
    const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, place) => place * step);
    return { ticks, at: (value) => `${(100 * value) / end}%`, logarithmic: false };
  }

  /** Models that no other beats at the same cost or less. */
  const front = (known) => known.filter((one) => !known.some((other) => other !== one && other.cost <= one.cost && other.score >= one.score && (other.cost < one.cost || other.score > one.score)));

  function plot(known, name) {
    const across = costs(known.map(({ cost }) => cost));
    const best = front(known);
    const spots = known.map((one) => ({
      x: one.cost, y: one.score, spread: [one.run.card.official.low, one.run.card.official.high], place: one.place, marked: best.includes(one),
      about: `${one.run.name}: ${number(one.score)} % at ${amount(one.cost)}`,
    }));
    return [
      report.scatter(spots, across, (tick) => (tick ? amount(tick).replace(/\.0$/, "") : "0"), `Official score against ${name.toLowerCase()} per item`),
      el("p", { class: "quiet" }, `Across: ${name.toLowerCase()} per item${across.logarithmic ? ", by powers of ten" : ""}. Up: official score in percent, with its 95 % interval. `,
        "The numbers are those of the table. Of the other colour: models that no cheaper or equally cheap model beats."),
    ];
  }

  function table(rows) {
    const shown = ({ run: { cost } }, measure) => (cost[measure] && cost[measure].mean !== null
      ? [amount(cost[measure].mean), cost[measure].n < cost.items ? el("small", {}, `of ${count(cost[measure].n)} items`) : ""] : "–");
    return scrolling("Cost by model", el("table", { class: "numbers" },
      el("thead", {}, el("tr", {}, ["Model", "Official", ...Object.values(MEASURES).map(([name]) => `${name} per item`), "Items asked"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, el("span", { class: "quiet" }, `${row.place} `), jointed(row.run.name)),
        el("td", {}, number(row.score), el("small", {}, ends(row.run.card.official))), Object.keys(MEASURES).map((measure) => el("td", {}, shown(row, measure))),
        el("td", {}, count(row.run.cost.items)))))));
  }

  report.cost = (query) => {
    const board = report.boards[query.get("board")] ?? report.boards[0];
    const rows = board.runs.map((run, place) => ({ run: report.runs[run], place: place + 1, score: report.runs[run].card.official.mean }));
    const told = (measure) => rows.filter(({ run, score }) => score !== null && run.cost[measure]?.mean != null);
    const fullest = Object.keys(MEASURES).reduce((best, measure) => (told(measure).length > told(best).length ? measure : best));
    const measure = query.get("of") in MEASURES ? query.get("of") : fullest;
    const [name, reason] = MEASURES[measure];
    const known = told(measure).map((row) => ({ ...row, cost: row.run.cost[measure].mean }));
    const silent = rows.filter(({ run }) => run.cost[measure]?.mean == null);
    const go = (more) => { location.hash = viewLink("cost", { board: board.number, of: measure, ...more }); };
    return [
      el("h1", { tabindex: -1 }, "Cost and score"),
      el("p", { class: "lead" }, `${named(board.benchmark)}: what one item costs a model, all its calls together, and how well it does.`),
      el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
        report.boards.length > 1 ? select("Benchmark", report.boards.map(({ benchmark }, place) => [place, named(benchmark)]), board.number, (place) => go({ board: place })) : "",
        select("Cost", Object.entries(MEASURES).map(([value, [text]]) => [value, text]), measure, (of) => go({ of }))),
      known.length ? plot(known, name) : "",
      silent.length ? el("p", { class: "note" }, el("b", {}, `${name} are not known ${known.length ? `of ${counted(silent.length, "model")}` : "of any model"}: `), `${reason}.`,
        known.length ? ` (${silent.map(({ run }) => run.name).join(", ")})` : "") : "",
      table(rows),
      el("p", { class: "quiet" }, "Means over the items of which every reply tells its cost; failed requests tell none. A server that works on several requests at once takes longer for each."),
    ];
  };
})();
