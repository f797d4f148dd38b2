// A radar of up to four models: one axis per category or dimension, from nothing right to all right.
"use strict";

(() => {
  const { el, svg, number } = report.parts;
  const RADIUS = 100;
  const LEAST = 3; // axes that make an area

  const spoke = (place, of, share) => {
    const angle = (2 * Math.PI * place) / of - Math.PI / 2;
    return [RADIUS * share * Math.cos(angle), RADIUS * share * Math.sin(angle)];
  };
  const outline = (shares) => shares.map((share, place) => spoke(place, shares.length, share ?? 0).map((end) => end.toFixed(1)).join(",")).join(" ");

  /** `series`: {name, key, shares by axis, null where nothing was scored}; `guesses`: guess level by axis. */
  report.radar = (axes, series, guesses) => {
    if (axes.length < LEAST) return el("p", { class: "quiet" }, `A radar needs ${LEAST} axes; here are ${axes.length}.`);
    const rings = [0.25, 0.5, 0.75, 1].map((share) => svg("polygon", { class: "grid", points: outline(axes.map(() => share)) }));
    const spokes = axes.map((name, place) => {
      const [x, y] = spoke(place, axes.length, 1);
      const [tx, ty] = spoke(place, axes.length, 1.13);
      return [svg("line", { class: "grid", x1: 0, y1: 0, x2: x.toFixed(1), y2: y.toFixed(1) }),
        svg("text", { x: tx.toFixed(1), y: ty.toFixed(1), "text-anchor": "middle", "dominant-baseline": "central" }, String(place + 1))];
    });
    const areas = series.map(({ key, shares }) => [
      svg("polygon", { class: `area series-${key}`, points: outline(shares) }),
      shares.map((share, place) => {
        if (share === null) return "";
        const [x, y] = spoke(place, axes.length, share);
        return svg("circle", { class: `spot series-${key}`, cx: x.toFixed(1), cy: y.toFixed(1), r: 2.4 });
      }),
    ]);
    const said = series.map(({ name, shares }) => `${name}: ${shares.map((share, place) => `${axes[place]} ${number(share)}`).join(", ")}`);
    return el("figure", { class: "radar" },
      svg("svg", { viewBox: "-122 -122 244 244", role: "img", "aria-label": `Radar, percent. ${said.join(". ")}` },
        rings, spokes, svg("polygon", { class: "guess", points: outline(guesses) }), areas),
      el("figcaption", {}, "Centre: nothing right. Rim: all right. Rings at 25, 50 and 75 %. Dashed: guessing. The numbers name the rows beside it; a model that was not asked part of it falls to the centre there. The area of a shape means nothing, as the order of the axes is free."));
  };
})();
