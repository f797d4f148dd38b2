// How much the order owes to the weights of the dimensions: places under equal, proportional and random ones.
"use strict";

(() => {
  const { el, svg, count, counted, jointed, named } = report.parts;
  const { upright, track, axis } = report.scale;

  const diamond = (x) => svg("svg", { x, y: "50%", width: 1, height: 1, overflow: "visible" }, svg("path", { class: "diamond", d: "M-8,0 L0,-8 L8,0 L0,8 Z" }));
  const ring = (x) => svg("circle", { class: "ring", cx: x, cy: "50%", r: 3.5 });
  const line = (kind, from, to) => svg("line", { class: kind, x1: from, x2: to, y1: "50%", y2: "50%" });

  function places(models) {
    const last = models.length;
    const ticks = Array.from({ length: last }, (_, place) => place + 1).filter((place) => last <= 12 || place === 1 || place % 5 === 0 || place === last);
    return { ticks, at: (place) => (last > 1 ? `${(100 * (place - 1)) / (last - 1)}%` : "0%") };
  }

  const span = ([from, to]) => (from === to ? String(from) : `${from} to ${to}`);

  function row({ run, places: { equal, proportional }, range, most, first }, ruler) {
    const about = `equal weights: place ${equal}, proportional: place ${proportional}, random: ${span(range)}, 95 of 100: ${span(most)}`;
    return el("li", {},
      el("span", { class: "name" }, jointed(report.runs[run].name)),
      track(about, ruler.ticks.map((tick) => upright("grid", ruler.at(tick))),
        line("range", ruler.at(range[0]), ruler.at(range[1])), line("whisker", ruler.at(most[0]), ruler.at(most[1])),
        diamond(ruler.at(proportional)), ring(ruler.at(equal))),
      el("span", { class: "value" }, el("b", {}, span(range)), el("small", {}, ` mostly ${span(most)}${first ? `; first in ${Math.round(100 * first) || "<1"} %` : ""}`)));
  }

  const key = (mark, text) => el("li", {}, track("", mark), text);

  function board({ benchmark, weights, runs }) {
    const head = el("h2", {}, named(benchmark));
    if (weights.why) return el("section", {}, head, el("p", {}, weights.why));
    const models = [...weights.models].sort((one, other) => runs.indexOf(one.run) - runs.indexOf(other.run));
    const ruler = places(models);
    const [tau, low, high] = weights.tau;
    return el("section", {}, head,
      el("p", {}, `Equal weights and weights proportional to the items put ${counted(weights.swapped, "pair")} of ${count(weights.pairs)} in opposite orders. `,
        `Under ${count(weights.draws)} random weightings the order agrees with that of equal weights at Kendall's tau-b ${tau.toFixed(2)} on average (5 % to 95 %: ${low.toFixed(2)} to ${high.toFixed(2)}).`),
      el("ul", { class: "key-line", "aria-hidden": "true" },
        key(ring("50%"), "equal weights"), key(diamond("50%"), "proportional to items"),
        key(line("whisker", "0%", "100%"), "95 of 100 random weightings"), key(line("range", "0%", "100%"), "all random weightings")),
      el("ol", { class: "plots weights" }, models.map((model) => row(model, ruler))),
      el("div", { class: "axis weights", "aria-hidden": "true" }, el("span"), axis(ruler, "", String), el("span")),
      el("p", { class: "quiet" },
        `A model's score is a weighted mean of its means by ${weights.by}: ${weights.parts.map(([name, items]) => `${named(name)} (${count(items)})`).join(", ")}. `,
        "Random weights are drawn evenly from all that are positive and add up to one. The items stay as they are: this is what the choice of weights decides, beside what chance does."));
  }

  report.weights = () => [
    el("h1", { tabindex: -1 }, "If the parts were weighed otherwise"),
    el("p", { class: "lead" }, "Which place each model takes when the dimensions count more or less."),
    report.boards.map(board),
  ];
})();
