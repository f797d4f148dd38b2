// Which view the address asks for: #items&run=..&category=.., #item=ID, or the overview.
"use strict";

(() => {
  const { el } = report.parts;
  const main = document.getElementById("main");
  let latest = 0;
  let opened = false;

  async function view(query) {
    if (query.has("item")) return report.item(query);
    if (query.has("items")) return report.list(query);
    return report.overview();
  }

  async function show() {
    const turn = ++latest;
    const query = new URLSearchParams(location.hash.slice(1));
    let content;
    try {
      content = await view(query);
    } catch (fault) {
      console.error(fault);
      content = [el("h1", { tabindex: -1 }, "This part cannot be shown"), el("p", { class: "fault" }, fault.message)];
    }
    if (turn !== latest) return; // the reader has gone on meanwhile
    main.replaceChildren(...content.flat(Infinity).filter((part) => part !== ""));
    const heading = main.querySelector("h1");
    const { title } = report.manifest ?? { title: "Report" };
    document.title = heading.textContent === title ? title : `${heading.textContent} – ${title}`;
    if (opened) {
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
  report.data.open().then(show).catch((fault) => {
    console.error(fault);
    main.replaceChildren(el("h1", {}, "This report cannot be opened"), el("p", { class: "fault" }, fault.message));
  });
})();
