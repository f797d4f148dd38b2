// The list of items: filtered by model, category, dimension, outcome and id, page by page.
"use strict";

(() => {
  const { el, number, count, counted, outcomeName, mistakeName, mark, badges, legend, jointed, scrolling, select, listLink, itemLink, named } = report.parts;
  const PAGE = 50;
  const ORDERS = { "": "suite order", low: "lowest score first", high: "highest score first" };

  const mean = (values) => {
    const known = values.filter((value) => value !== null);
    return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
  };

  const scoreOf = (item, run) => (run === "" ? mean(item.values) : item.values[run]);

  function chosen(items, { run, category, dimension, outcome, mistake, q, order }) {
    const bit = outcome ? 1 << report.manifest.outcomes.indexOf(outcome) : 0;
    const kind = mistake ? 1 << report.manifest.mistakes.indexOf(mistake) : 0;
    const needle = q.toLowerCase();
    const kept = items.filter((item) =>
      (run === "" || item.flags[run])
      && (category === null || item.category === category)
      && (dimension === null || item.dimension === dimension)
      && (!bit || (run === "" ? item.flags.some((flags) => flags & bit) : item.flags[run] & bit))
      && (!kind || (run === "" ? item.mistakes.some((kinds) => kinds & kind) : item.mistakes[run] & kind))
      && item.id.toLowerCase().includes(needle));
    if (!order) return kept;
    const sign = order === "low" ? 1 : -1;
    const last = order === "low" ? 2 : -1;
    const worth = new Map(kept.map((item) => [item, scoreOf(item, run) ?? last]));
    return kept.sort((a, b) => sign * (worth.get(a) - worth.get(b)));
  }

  function row(item, run) {
    const result = run === ""
      ? [el("td", { class: "marks" }, el("span", { class: "sr" }, tally(item)), item.flags.map((flags, other) => mark(flags, report.runs[other].name)))]
      : [el("td", {}, badges(item.flags[run]))];
    return el("tr", {},
      el("th", { scope: "row" }, el("a", { href: itemLink(item, run === "" ? {} : { run }) }, jointed(item.id))),
      el("td", { class: "category" }, jointed(item.category)), result, el("td", { class: "amount" }, run === "" ? number(scoreOf(item, run)) : (item.values[run] ?? "–")));
  }

  function tally(item) {
    const asked = item.flags.filter(Boolean).length;
    return `${item.values.filter((value) => value === 1).length} of ${asked} right`;
  }

  const distinct = (items, field) => [...new Set(items.map((item) => item[field]))].sort();

  /** Options of a field whose empty value is a choice too: what is chosen is "=" and the value. */
  const valued = (names, all) => [["", all], ...names.map((name) => [`=${name}`, named(name)])];

  report.list = async (query) => {
    const items = await report.data.index();
    const has = (name) => (query.has(name) ? query.get(name) : null);
    const filter = {
      run: report.runs[query.get("run")] ? query.get("run") : "",
      category: has("category"), dimension: has("dimension"),
      outcome: report.manifest.outcomes.includes(query.get("outcome")) ? query.get("outcome") : "",
      mistake: report.manifest.mistakes.includes(query.get("mistake")) ? query.get("mistake") : "",
      q: query.get("q") ?? "", order: query.get("order") in ORDERS ? query.get("order") : "",
      page: Math.max(1, Number.parseInt(query.get("page"), 10) || 1),
    };
    const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    const heads = el("tr");
    const body = el("tbody");
    const table = el("table", {}, el("thead", {}, heads), body);
    const back = el("button", { type: "button", onclick: () => turn(-1) }, "Previous page");
    const forth = el("button", { type: "button", onclick: () => turn(1) }, "Next page");
    const guide = el("div");

    function show() {
      const found = chosen(items, filter);
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      filter.page = Math.min(filter.page, pages);
      const first = (filter.page - 1) * PAGE;
      status.textContent = found.length
        ? `${counted(found.length, "item")}; ${count(first + 1)} to ${count(Math.min(first + PAGE, found.length))} shown`
        : "No item fits these filters";
      heads.replaceChildren(...["Item", "Category", filter.run === "" ? "By model" : "Outcome", filter.run === "" ? "Mean score, %" : "Score"]
        .map((name) => el("th", { scope: "col", class: name === "Category" ? "category" : null }, name)));
      table.className = filter.run === "" ? "items by-model" : "items";
      body.replaceChildren(...found.slice(first, first + PAGE).map((item) => row(item, filter.run)));
      guide.replaceChildren(...(filter.run === "" ? [legend()] : []));
      back.disabled = filter.page === 1;
      forth.disabled = filter.page === pages;
      report.found = found;
      const kept = Object.entries(filter).filter(([name, value]) => value !== null && value !== "" && !(name === "page" && value === 1));
      history.replaceState(null, "", listLink(Object.fromEntries(kept)));
    }

    function change(name, value) {
      const valueOf = { category: value === "" ? null : value.slice(1), dimension: value === "" ? null : value.slice(1) };
      filter[name] = name in valueOf ? valueOf[name] : value;
      filter.page = 1;
      show();
    }

    function turn(step) {
      filter.page += step;
      show();
      status.scrollIntoView({ block: "nearest" });
    }

    const choose = (label, name, options, value) => select(label, options, value, (chosen) => change(name, chosen));
    const search = el("input", { type: "search", name: "q", value: filter.q, oninput: () => change("q", search.value) });
    const dimensions = distinct(items, "dimension");
    const controls = el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      choose("Model", "run", [["", "all models"], ...report.runs.map(({ name, number: run }) => [String(run), name])], filter.run),
      choose("Category", "category", valued(distinct(items, "category"), "all categories"), filter.category === null ? "" : `=${filter.category}`),
      dimensions.length > 1
        ? choose("Dimension", "dimension", valued(dimensions, "all dimensions"), filter.dimension === null ? "" : `=${filter.dimension}`) : "",
      choose("Outcome", "outcome", [["", "any outcome"], ...report.manifest.outcomes.map((outcome) => [outcome, outcomeName(outcome)])], filter.outcome),
      report.manifest.mistakes.length ? choose("First mistake", "mistake", [["", "any or none"], ...report.manifest.mistakes.map((kind) => [kind, mistakeName(kind)])], filter.mistake) : "",
      choose("Order", "order", Object.entries(ORDERS), filter.order),
      el("label", {}, el("span", {}, "Id contains"), search));
    show();
    return [
      el("h1", { tabindex: -1 }, "Items"), controls, status, guide,
      scrolling("Items found", table),
      el("p", { class: "pager" }, back, forth),
    ];
  };
})();
