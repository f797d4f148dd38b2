// Which view the address asks for: #items&run=..&category=.., #compare&a=..&b=.., #item=ID, or the overview.
"use strict";

(() => {
  const { el } = report.parts;
  const main = document.getElementById("main");
  const links = [...document.querySelectorAll(".page-head a")];
  const views = {
    item: report.item, items: report.list, profile: report.profile, pairs: report.pairs, compare: report.compare,
    cost: report.cost, trouble: report.trouble, weights: report.weights, people: report.people,
  };
  let latest = 0;
  let opened = false;

  const asked = (query) => Object.keys(views).find((name) => query.has(name)) ?? "";

  /** Marks where the reader is, for the eye and for screen readers. */
  function mark(name) {
    for (const link of links) {
      const own = link.hash.slice(1) === name;
      if (own) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  async function show() {
    const turn = ++latest;
    const query = new URLSearchParams(location.hash.slice(1));
    const name = asked(query);
    mark(name);
    let content;
    try {
      content = await (views[name] ?? report.overview)(query);
    } catch (fault) {
      console.error(fault);
      content = [el("h1", { tabindex: -1 }, "This part cannot be shown"), el("p", { class: "fault" }, fault.message)];
    }
    if (turn !== latest) return; // the reader has gone on meanwhile
    const held = main.contains(document.activeElement) ? document.activeElement.name : "";
    main.replaceChildren(...content.flat(Infinity).filter((part) => part !== ""));
    const heading = main.querySelector("h1");
    const { title } = report.manifest ?? { title: "Report" };
    document.title = heading.textContent === title ? title : `${heading.textContent} – ${title}`;
    const again = held ? main.querySelector(`[name="${CSS.escape(held)}"]`) : null;
    if (again) again.focus({ preventScroll: true }); // a choice was made in this view: the reader stays at it
    else if (opened) {
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    opened = true;
  }

  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address belongs to the views
    main.focus();
  });
  addEventListener("hashchange", show);
  report.data.open().then(() => {
    for (const link of links) link.hidden = link.hash === "#people" && !report.boards.some(({ people }) => people);
    return show();
  }).catch((fault) => {
    console.error(fault);
    main.replaceChildren(el("h1", {}, "This report cannot be opened"), el("p", { class: "fault" }, fault.message));
  });
})();
