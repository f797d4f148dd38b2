// Models as numbered spots: a score upwards, anything across.
"use strict";

(() => {
  const { el, svg } = report.parts;
  const { scale } = report.scale;

  /** `spots`: {x, y, spread: [low, high] of y, place, about, marked}; `across`: {ticks, at}, `shown` its words. */
  report.scatter = (spots, across, shown, label) => {
    const up = scale(spots.flatMap(({ y, spread }) => [y, ...spread]));
    const y = (share) => `${100 - Number.parseFloat(up.at(share))}%`;
    return el("div", { class: "scatter" }, svg("svg", { role: "img", "aria-label": `${label}. ${spots.map(({ about }) => about).join("; ")}` },
      across.ticks.map((tick) => [
        svg("line", { class: "grid", x1: across.at(tick), x2: across.at(tick), y1: 0, y2: "100%" }),
        svg("text", { x: across.at(tick), y: "100%", dy: "1.3em", "text-anchor": "middle" }, shown(tick))]),
      up.ticks.map((tick) => [
        svg("line", { class: "grid", x1: 0, x2: "100%", y1: y(tick), y2: y(tick) }),
        svg("text", { x: 0, y: y(tick), dx: "-.6em", "text-anchor": "end", "dominant-baseline": "central" }, String(Math.round(100 * tick)))]),
      spots.map((spot) => svg("g", { class: spot.marked ? "marked" : null },
        svg("title", {}, spot.about),
        spot.spread[0] === null ? "" : svg("line", { class: "spread", x1: across.at(spot.x), x2: across.at(spot.x), y1: y(spot.spread[0]), y2: y(spot.spread[1]) }),
        svg("circle", { class: "spot", cx: across.at(spot.x), cy: y(spot.y), r: 9 }),
        svg("text", { class: "number", x: across.at(spot.x), y: y(spot.y) }, String(spot.place))))));
  };
})();
