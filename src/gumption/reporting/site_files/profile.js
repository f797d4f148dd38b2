// Where up to four models are strong and weak: bars and a radar by category or dimension.
"use strict";

(() => {
  const { el, svg, number, ends, count, jointed, select, listLink, viewLink, named } = report.parts;
  const { scale, upright, grid, track, axis } = report.scale;
  const MOST = 4;
  const FIELDS = { dimension: "dimensions", category: "categories" };

  const bySlice = (run, field) => new Map(run.card[FIELDS[field]].map((slice) => [slice.name, slice]));

  /** Checkboxes, at most four of them set. */
  function picker(board, chosen, change) {
    const boxes = board.runs.map((run) => {
      const box = el("input", {
        type: "checkbox", name: `run-${run}`, checked: chosen.includes(run), disabled: chosen.length >= MOST && !chosen.includes(run),
        onchange: () => change(box.checked ? [...chosen, run] : chosen.filter((other) => other !== run)),
      });
      return el("label", {}, box, " ", jointed(report.runs[run].name));
    });
    return el("fieldset", { class: "picker" }, el("legend", {}, `Models, up to ${MOST} at once`), boxes);
  }

  const key = (series, { name }) => el("li", {}, el("span", { class: `swatch series-${series}` }, String(series)), " ", jointed(name));

  function bar({ series, run, slice }, ruler) {
    const { mean, low, high } = slice?.score ?? { mean: null, low: null, high: null };
    if (mean === null) return el("div", { class: "bar" }, el("span", { class: `swatch series-${series}` }, String(series)), el("span", { class: "quiet" }, "nothing scored"), el("span"));
    const label = `${run.name}: ${number(mean)} %${low === null ? "" : `, 95 % interval ${ends(slice.score)}`}, n ${count(slice.n)}`;
    return el("div", { class: "bar" },
      el("span", { class: `swatch series-${series}`, "aria-hidden": "true" }, String(series)),
      track(label, grid(ruler),
        svg("rect", { class: `fill series-${series}`, x: 0, y: "18%", width: ruler.at(mean), height: "64%" }),
        upright("guess", ruler.at(slice.chance)),
        low === null ? "" : svg("line", { class: "spread", x1: ruler.at(low), x2: ruler.at(high), y1: "50%", y2: "50%" })),
      el("a", { class: "value", href: listLink({ run: run.number, [slice.field]: slice.name }) },
        number(mean), " ", el("small", {}, low === null ? "" : ends(slice.score))));
  }

  function bars(names, field, runs) {
    const slices = runs.map((run) => bySlice(run, field));
    const ruler = scale([0, 1]);
    return el("div", { class: "bars" },
      names.map((name, place) => el("section", {},
        el("h2", {}, el("span", { class: "quiet" }, `${place + 1} `), named(name), " ", el("small", {}, `n ${count(Math.max(...slices.map((found) => found.get(name)?.n ?? 0)))}`)),
        runs.map((run, number) => {
          const slice = slices[number].get(name);
          return bar({ series: number + 1, run, slice: slice && { ...slice, field } }, ruler);
        }))),
      el("div", { class: "bar axis", "aria-hidden": "true" }, el("span"), axis(ruler), el("span")));
  }

  report.profile = (query) => {
    const board = report.boards[query.get("board")] ?? report.boards[0];
    const given = (query.get("runs") ?? "").split(",").filter(Boolean).map(Number).filter((run) => board.runs.includes(run));
    const chosen = (query.has("runs") ? [...new Set(given)] : board.runs.slice(0, 2)).slice(0, MOST);
    const fields = Object.keys(FIELDS).filter((field) => board.slices[field].length);
    const field = fields.includes(query.get("by")) ? query.get("by") : fields[0];
    const heading = el("h1", { tabindex: -1 }, "Strengths and weaknesses");
    const go = (more) => { location.hash = viewLink("profile", { board: board.number, by: field, runs: chosen.join(","), ...more }); };
    const runs = chosen.map((run) => report.runs[run]);
    const controls = el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      report.boards.length > 1 ? select("Benchmark", report.boards.map(({ benchmark }, place) => [place, named(benchmark)]), board.number,
        (number) => { location.hash = viewLink("profile", { board: number }); }) : "",
      fields.length > 1 ? select("By", fields.map((name) => [name, name]), field, (by) => go({ by })) : "");
    if (!field) return [heading, el("p", {}, "The items name no category and no dimension: there is one score only, on the overview.")];
    const names = board.slices[field];
    const level = (name) => runs.map((run) => bySlice(run, field).get(name)?.chance).find((share) => share !== undefined) ?? 0;
    return [
      heading,
      el("p", { class: "lead" }, `${named(board.benchmark)}, mean score by ${field} in percent, with 95 % intervals. Choose a number for its items.`),
      controls, picker(board, chosen, (now) => go({ runs: now.join(",") })),
      runs.length ? [
        el("ul", { class: "keys" }, runs.map((run, place) => key(place + 1, run))),
        el("div", { class: "profile" },
          report.radar(names.map(named), runs.map((run, place) => {
            const found = bySlice(run, field);
            return { name: run.name, key: place + 1, shares: names.map((name) => found.get(name)?.score.mean ?? null) };
          }), names.map(level)),
          bars(names, field, runs)),
      ] : el("p", {}, "No model is chosen."),
    ];
  };
})();
