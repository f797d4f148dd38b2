// The items that one of two models gets and the other misses, page by page.
"use strict";

(() => {
  const { el, number, count, counted, badges, jointed, scrolling, select, viewLink, itemLink, named } = report.parts;
  const PAGE = 25;
  const SAME = 1e-9;

  const sides = (a, b) => ({
    a: [`${a.name} does better`, (one, other) => one > other + SAME],
    b: [`${b.name} does better`, (one, other) => other > one + SAME],
    right: ["Both are all right", (one, other) => one >= 1 && other >= 1],
    missed: ["Neither is right", (one, other) => one < 1 && other < 1 && Math.abs(one - other) <= SAME],
  });

  /** `view` to show, and `narrow(side, field, name)` that lists one side of one category or dimension. */
  report.comparedItems = async (a, b, query) => {
    const items = (await report.data.index()).filter(({ values }) => values[a.number] !== null && values[b.number] !== null);
    const kinds = sides(a, b);
    const has = (name) => (query.has(name) ? query.get(name) : null);
    const filter = { side: query.get("side") in kinds ? query.get("side") : "a", category: has("category"), dimension: has("dimension"), page: 1 };
    const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    const body = el("tbody");
    const narrowed = el("p");
    const side = select("Show", Object.entries(kinds).map(([name, [text]]) => [name, text]), filter.side, (name) => change({ side: name }));
    const back = el("button", { type: "button", onclick: () => turn(-1) }, "Previous page");
    const forth = el("button", { type: "button", onclick: () => turn(1) }, "Next page");
    const heading = el("h2", { tabindex: -1, id: "deciding" }, "The items that decide it");

    const result = (item, run) => el("td", {}, badges(item.flags[run.number]), " ", el("small", {}, number(item.values[run.number])));
    const row = (item) => el("tr", {},
      el("th", { scope: "row" }, el("a", { href: itemLink(item, { a: a.number, b: b.number }) }, jointed(item.id))),
      el("td", { class: "category" }, jointed(item.category || item.dimension)), result(item, a), result(item, b));

    function show() {
      const [, holds] = kinds[filter.side];
      const found = items.filter((item) => holds(item.values[a.number], item.values[b.number])
        && (filter.category === null || item.category === filter.category)
        && (filter.dimension === null || item.dimension === filter.dimension));
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      filter.page = Math.min(filter.page, pages);
      const first = (filter.page - 1) * PAGE;
      status.textContent = found.length
        ? `${counted(found.length, "item")}; ${count(first + 1)} to ${count(Math.min(first + PAGE, found.length))} shown` : "No item is of this kind";
      body.replaceChildren(...found.slice(first, first + PAGE).map(row));
      side.querySelector("select").value = filter.side;
      const only = filter.category ?? filter.dimension;
      narrowed.replaceChildren(...(only === null ? [] : [`Only ${named(only)}. `,
        el("button", { type: "button", class: "link", onclick: () => change({ category: null, dimension: null }) }, "Show all")]));
      back.disabled = filter.page === 1;
      forth.disabled = filter.page === pages;
      report.found = found;
      const kept = Object.fromEntries(Object.entries(filter).filter(([name, value]) => value !== null && name !== "page"));
      history.replaceState(null, "", viewLink("compare", { a: a.number, b: b.number, ...kept }));
    }

    function change(more) {
      Object.assign(filter, { page: 1 }, more);
      show();
    }

    function turn(step) {
      filter.page += step;
      show();
      heading.scrollIntoView();
    }

    function narrow(wanted, field, name) {
      change({ side: wanted, category: null, dimension: null, [field]: name });
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    }

    show();
    return {
      narrow,
      view: [
        heading, el("form", { class: "filters", onsubmit: (event) => event.preventDefault() }, side), narrowed, status,
        scrolling("Items", el("table", { class: "items two" },
          el("thead", {}, el("tr", {}, ["Item", "Category", a.name, b.name].map((head) => el("th", { scope: "col", class: head === "Category" ? "category" : null }, jointed(head))))), body)),
        el("p", { class: "pager" }, back, forth),
      ],
    };
  };
})();
