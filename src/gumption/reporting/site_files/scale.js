// A scale that stretches with its box: ticks, marks and intervals at percentages of its width.
"use strict";

(() => {
  const { el, svg } = report.parts;
  const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5];

  /** From and to hold all of `values`, with at most seven ticks. */
  function scale(values, { least = 0, most = 1 } = {}) {
    const known = values.filter((value) => value !== null);
    const low = Math.max(least, Math.min(...known, most));
    const high = Math.min(most, Math.max(...known, least));
    const step = STEPS.find((size) => (high - low) / size <= 5) ?? 0.5;
    const from = Math.max(least, Math.floor(low / step - 0.1) * step);
    const to = Math.max(from + step, Math.min(most, Math.ceil(high / step + 0.1) * step));
    const ticks = [];
    for (let tick = Math.ceil(from / step - 1e-9); tick * step <= to + 1e-9; tick += 1) ticks.push(tick * step);
    return { ticks, at: (value) => `${(100 * (value - from)) / (to - from)}%` };
  }

  const upright = (kind, x) => svg("line", { class: kind, x1: x, x2: x, y1: "0", y2: "100%" });
  const grid = ({ ticks, at }) => ticks.map((tick) => upright("grid", at(tick)));

  /** An interval with its middle; `end` is a class of the dot. */
  function whisker({ at }, [mean, low, high], end = "dot") {
    return [
      low === null ? "" : svg("line", { class: "whisker", x1: at(low), x2: at(high), y1: "50%", y2: "50%" }),
      mean === null ? "" : svg("circle", { class: end, cx: at(mean), cy: "50%", r: 5 }),
    ];
  }

  const track = (label, ...marks) => el("div", { class: "track" }, svg("svg", { role: "img", "aria-label": label }, marks));

  /** The numbers under a column of tracks, in percent; `unit` follows the last. */
  function axis({ ticks, at }, unit = "%", shown = (tick) => String(Math.round(100 * tick)).replace("-", "−")) {
    const labels = ticks.map((tick) => svg("text", { x: at(tick), y: "1em", "text-anchor": "middle" }, shown(tick)));
    const last = shown(ticks.at(-1));
    const sign = svg("text", { x: at(ticks.at(-1)), y: "1em", dx: `${0.32 * last.length + 0.25}em` }, unit);
    return el("div", { class: "track" }, svg("svg", {}, labels, unit ? sign : ""));
  }

  report.scale = { scale, upright, grid, whisker, track, axis };
})();
