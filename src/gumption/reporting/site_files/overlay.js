// Points over their picture: the gold region in outline, and every model's read points as numbered marks.
"use strict";

(() => {
  const { el, svg, count, counted } = report.parts;
  const DRAWN = 50; // points of one model
  const NAMED = 3; // points of one model that are said in words
  const HUES = 8; // colours in report.css; past them the numbers alone tell models apart
  const SHORTEST = 320; // CSS pixels of the longer side of a picture that is drawn over
  const DOT = 4.5; // radii and distances in CSS pixels
  const LABEL = 9.5;
  const REACHES = [19, 34, 50];

  // ── wording ──────────────────────────────────────────────────────────────────────────────────────

  const tidy = (value) => String(+value.toFixed(1)).replace("-", "−");
  const pair = ([x, y]) => `(${tidy(x)}, ${tidy(y)})`;
  const listed = (points, most) => points.slice(0, most).map(pair).join(", ")
    + (points.length > most ? ` and ${count(points.length - most)} more` : "");

  /** What was read, as far as the page has it. */
  const readPoints = ({ points, more }) => (points.length ? points.map(pair).join(", ") + (more ? ` and ${count(more)} more` : "") : "");

  function regionName({ box, polygon, points, tolerance, more }) {
    if (box) return `a box from ${pair(box)} to ${pair(box.slice(2))}`;
    if (polygon) return polygon.length ? `a polygon of ${count(polygon.length)} corners` : `a polygon of ${count(more)} corners, too many to draw`;
    if (!points) return "";
    const reach = tolerance > 0 ? `, within ${tidy(tolerance)} pixels` : "";
    return `${counted(points.length, "point")}${reach}${more ? `, and ${count(more)} more that are not drawn` : ""}`;
  }

  // ── which picture, which points ──────────────────────────────────────────────────────────────────

  /** The picture that a question's points refer to: {image}, or {why} there is none to draw over. */
  function canvas({ parts, point }) {
    if (!point) return {};
    if (!point.size?.every((side) => side > 0)) return { why: "The size of the picture that points refer to is not recorded, so no point is drawn." };
    const [width, height] = point.size;
    const fitting = parts.map((part) => part.image).filter((image) => image?.size[0] === width && image.size[1] === height);
    const because = fitting.length > 1 ? `, but ${count(fitting.length)} pictures here have that size`
      : fitting.length === 0 ? ", but none here is known to have that size"
        : fitting[0].missing ? ", which is missing"
          : fitting[0].turned ? ", but its file asks to be turned, so where they lie is not certain" : "";
    return because ? { why: `Regions are in pixels of a ${width} × ${height} picture${because}: nothing is drawn.` } : { image: fitting[0] };
  }

  /** The points of each run that asked about this picture, each {run, inside, outside, more} or {run, elsewhere}. */
  function pointsByRun(asked, image, runs) {
    const [width, height] = asked.point.size;
    return runs.filter(({ evidence }) => evidence).map(({ run, evidence }) => {
      const own = evidence.asked ? canvas(evidence.asked).image?.sha256 : image.sha256;
      if (own !== image.sha256) return { run, elsewhere: true, inside: [] };
      const read = evidence.scores.flatMap(({ points = [] }) => points);
      const cut = evidence.scores.reduce((sum, { more = 0 }) => sum + more, 0);
      const first = read.slice(0, DRAWN);
      const isInside = ([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height;
      return { run, inside: first.filter(isInside), outside: first.filter((point) => !isInside(point)), more: cut + read.length - first.length };
    });
  }

  // ── drawing ──────────────────────────────────────────────────────────────────────────────────────

  const outlined = (tag, attributes) => ["halo", "gold"].map((name) => svg(tag, { class: name, ...attributes }));

  function region({ box, polygon, points = [], tolerance }, unit) {
    if (box) {
      const [x, y] = [Math.min(box[0], box[2]), Math.min(box[1], box[3])];
      return outlined("rect", { x, y, width: Math.abs(box[2] - box[0]), height: Math.abs(box[3] - box[1]) });
    }
    if (polygon) return polygon.length ? outlined("polygon", { points: polygon.map((corner) => corner.join(",")).join(" ") }) : [];
    const arm = 5 * unit;
    return points.map(([cx, cy]) => [
      tolerance > 0 ? outlined("circle", { cx, cy, r: tolerance }) : [],
      outlined("path", { d: `M${cx - arm} ${cy}H${cx + arm}M${cx} ${cy - arm}V${cy + arm}` }),
    ]);
  }

  /** Discs that have been drawn, kept by squares of a label's width, so that looking for room stays quick. */
  function crowd(side) {
    const squares = new Map();
    const square = (x, y, right = 0, down = 0) => `${Math.floor(x / side) + right} ${Math.floor(y / side) + down}`;
    const around = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down]));
    return {
      add(x, y, radius) {
        const discs = squares.get(square(x, y)) ?? [];
        squares.set(square(x, y), discs);
        discs.push({ x, y, radius });
      },
      hasRoom: (x, y, radius) => !around.some(([right, down]) =>
        squares.get(square(x, y, right, down))?.some((disc) => Math.hypot(disc.x - x, disc.y - y) < disc.radius + radius)),
    };
  }

  /** Where the number of a point stands: beside it, in the picture, and clear of what is drawn if it can be. */
  function labelPlace([x, y], [width, height], unit, drawn) {
    const radius = LABEL * unit;
    const places = REACHES.flatMap((reach) => Array.from({ length: 8 }, (_, turn) => {
      const angle = ((2 * turn - 1) * Math.PI) / 8;
      return [x + reach * unit * Math.cos(angle), y + reach * unit * Math.sin(angle)];
    })).filter(([cx, cy]) => cx >= radius && cx <= width - radius && cy >= radius && cy <= height - radius);
    return places.find(([cx, cy]) => drawn.hasRoom(cx, cy, radius)) ?? places[0] ?? [x, y];
  }

  /** Numbers with their lines first, so that none of them hides a point. */
  function spots(found, size, unit) {
    const drawn = crowd(2 * LABEL * unit);
    const marks = found.flatMap(({ run, inside }) => inside.map((point) => ({ run, point })));
    marks.forEach(({ point: [x, y] }) => drawn.add(x, y, DOT * unit));
    const part = (name, { run, point }, shapes) => svg("g", { class: `${name} hue-${run.number % HUES}` }, svg("title", {}, `${run.name}: ${pair(point)}`), shapes);
    const labels = marks.map((mark) => {
      const [x, y] = mark.point;
      const [cx, cy] = labelPlace(mark.point, size, unit, drawn);
      drawn.add(cx, cy, LABEL * unit);
      const d = `M${x} ${y}L${cx} ${cy}`;
      return part("label", mark, [
        svg("path", { class: "halo", d }), svg("path", { class: "lead-line", d }),
        svg("circle", { cx, cy, r: LABEL * unit }), svg("text", { x: cx, y: cy, "font-size": 12.5 * unit }, String(mark.run.number + 1)),
      ]);
    });
    return [labels, marks.map((mark) => part("spot", mark, svg("circle", { cx: mark.point[0], cy: mark.point[1], r: DOT * unit })))];
  }

  // ── the legend ───────────────────────────────────────────────────────────────────────────────────

  /** The number and colour of a run, as on its marks. */
  const key = (run) => el("span", { class: `key hue-${run.number % HUES}` }, String(run.number + 1));

  function legendLine({ run, inside, outside, more, elsewhere }) {
    const about = elsewhere ? ["its points are not of this picture: see its own question"] : [
      inside.length ? counted(inside.length, "point") : outside.length ? "" : "no point read",
      outside.length ? el("b", {}, `outside the picture, not drawn: ${listed(outside, NAMED)}`) : "",
      more ? `${count(more)} more not drawn` : "",
    ].filter(Boolean);
    return el("li", {}, key(run), el("span", {}, run.name, ": ", about.map((part, place) => (place ? ["; ", part] : part))));
  }

  function legend(point, found) {
    const gold = regionName(point);
    const swatch = svg("svg", { class: "swatch", "aria-hidden": "true", viewBox: "0 0 20 20" }, outlined("rect", { x: 3, y: 3, width: 14, height: 14 }));
    return el("ul", { class: "drawn" },
      gold ? el("li", {}, swatch, el("span", {}, `Right answer: ${gold}`)) : "", found.map(legendLine));
  }

  /** What is laid over a picture: {over, legend}, and the size in CSS pixels at which the picture is shown. */
  function draw(asked, image, place, runs) {
    const scale = Math.max(1, SHORTEST / Math.max(image.width, image.height));
    const size = asked.point.size;
    const unit = size[0] / (image.width * scale);
    const found = pointsByRun(asked, image, runs);
    const gold = regionName(asked.point);
    const said = [
      gold && `the right answer, ${gold}`,
      ...found.filter(({ inside }) => inside.length).map(({ run, inside }) => `${run.number + 1} ${run.name} at ${listed(inside, NAMED)}`),
    ].filter(Boolean).join("; ");
    return {
      width: Math.round(image.width * scale), height: Math.round(image.height * scale),
      over: svg("svg", {
        class: "overlay", role: "img", viewBox: `0 0 ${size[0]} ${size[1]}`, preserveAspectRatio: "none",
        "aria-label": `Drawn over picture ${place}: ${said || "nothing"}.`,
      }, region(asked.point, unit), spots(found, size, unit)),
      legend: legend(asked.point, found),
    };
  }

  report.overlay = { canvas, draw, key, readPoints };
})();
