// Loading data: each page of data is a script that calls gumption(kind, page, rows).
"use strict";

const report = {};

(() => {
  const KEPT = 300; // pages of evidence held in memory
  const arrived = new Map();
  const loading = new Map();

  globalThis.gumption = (kind, page, rows) => arrived.set(`${kind}-${page}`, rows);

  function fetchScript(name, file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${file}.js`;
      script.onload = () => {
        script.remove();
        resolve(arrived.get(name));
        arrived.delete(name);
      };
      script.onerror = () => reject(new Error(`data/${file}.js could not be loaded: is the report folder complete?`));
      document.head.append(script);
    });
  }

  /** The rows of one page, from memory if it was asked for lately. */
  function page(kind, number, file = `${kind}-${number}`) {
    const name = `${kind}-${number}`;
    const rows = loading.get(name) ?? fetchScript(name, file);
    loading.delete(name);
    loading.set(name, rows);
    if (loading.size > KEPT) loading.delete(loading.keys().next().value);
    return rows;
  }

  async function all(kind, count) {
    const pages = await Promise.all(Array.from({ length: count }, (_, number) => page(kind, number)));
    return pages.flat();
  }

  /** Row `row` of a kind whose pages begin with the rows `starts`. */
  async function rowOf(kind, starts, row) {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return (await page(kind, low))[row - starts[low]];
  }

  let index = null;

  report.data = {
    /** Title, runs with their scorecards, boards of runs of one benchmark, outcomes, first rows of the pages. */
    async open() {
      [report.manifest] = await page("runs", 0, "runs");
      const { pages, runs, costs } = report.manifest;
      const [cards, boards] = await Promise.all([all("cards", pages.cards), all("boards", pages.boards)]);
      report.runs = runs.map((name, number) => ({ name, number, card: cards[number], cost: costs[number] }));
      report.boards = boards.map((board, number) => ({ ...board, number }));
    },

    /** Every item: {number, id, benchmark, category, dimension, flags, values, mistakes: [by run]}. */
    index() {
      index = index ?? all("index", report.manifest.pages.index).then((rows) =>
        rows.map(([id, benchmark, category, dimension, flags, values, mistakes], number) => (
          { number, id, benchmark, category, dimension, flags, values, mistakes })));
      return index;
    },

    /** The comparison of places `a` < `b` of a board's compared runs. */
    pair({ number, compared, pair_starts: starts }, a, b) {
      return rowOf(`pairs-${number}`, starts, (a * (2 * compared.length - a - 1)) / 2 + b - a - 1);
    },

    question: (number) => rowOf("items", report.manifest.starts.items, number),
    evidence: (run, number) => rowOf(String(run), report.manifest.starts.runs[run], number),
  };
})();
