// Elements and wording that every view uses. Data reaches the document as text nodes and attributes only.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WORDS = {
    right: ["●", "Right"],
    partly: ["◐", "Partly right"],
    wrong: ["○", "Wrong"],
    unread: ["–", "No answer found"],
    ambiguous: ["?", "Several answers"],
    refused: ["✕", "Refused"],
    truncated: ["…", "Truncated"],
    failed: ["!", "Failed request"],
    diverged: ["∅", "Reply missing"],
    unscored: ["·", "Not judged"],
  };
  // Of several outcomes of one item, the first of these is its mark.
  const LOUDEST = ["failed", "diverged", "unscored", "refused", "ambiguous", "unread", "wrong", "partly", "right", "truncated"];

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  const number = (share) => (share === null ? "–" : (100 * share).toFixed(1).replace("-", "−"));
  const ends = ({ low, high }) => (low === null ? "" : `${number(low)} to ${number(high)}`);
  const count = (value) => value.toLocaleString("en");

  /** A difference of shares, in points and with its sign. */
  const points = (gap) => (gap === null ? "–" : Math.abs(gap) < 0.0005 ? "0.0" : `${gap > 0 ? "+" : ""}${number(gap)}`);
  const chance = (share) => (share >= 0.995 ? ">99" : share < 0.005 ? "<1" : String(Math.round(100 * share)));
  const pValue = (p) => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);

  const counted = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

  function size(bytes) {
    return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  }

  /** A text of the data, which may have been cut when the report was written. */
  function words(text) {
    return typeof text === "string" ? text : text.shown;
  }

  /** A name that may break after its joints, so that narrow columns need not break it elsewhere. */
  const jointed = (name) => name.split(/(?<=[_/.:-])/).flatMap((piece) => [piece, el("wbr")]);

  /** A block of text as it was written, in a box that scrolls, with a note if it was cut. */
  function prose(text, label, className = "prose") {
    const block = el("pre", { class: className, tabindex: 0, role: "group", "aria-label": label }, words(text));
    if (typeof text === "string") return [block];
    const note = `Cut for display: the first ${size(new Blob([text.shown]).size)} of ${size(text.bytes)} (${count(text.bytes)} bytes) are shown.`;
    return [block, el("p", { class: "cut" }, note)];
  }

  /** The names of the outcomes that a sum of flags holds. */
  const outcomes = (flags) => report.manifest.outcomes.filter((_, place) => flags & (1 << place));
  const outcomeName = (outcome) => WORDS[outcome][1];
  const mistakeName = (kind) => kind.replaceAll("_", " ");

  function mark(flags, title = null) {
    const held = outcomes(flags);
    const loudest = LOUDEST.find((outcome) => held.includes(outcome));
    return el("span", { class: `mark ${loudest ?? "unasked"}`, title, "aria-hidden": "true" }, loudest ? WORDS[loudest][0] : " ");
  }

  function badges(flags) {
    return outcomes(flags).map((outcome) =>
      el("span", { class: `badge ${outcome}` }, el("span", { "aria-hidden": "true" }, WORDS[outcome][0]), " ", WORDS[outcome][1]));
  }

  const legend = () => el("p", { class: "legend", "aria-hidden": "true" },
    report.manifest.outcomes.map((outcome) => el("span", {}, mark(1 << report.manifest.outcomes.indexOf(outcome)), ` ${WORDS[outcome][1]}`)));

  /** A table that scrolls sideways by itself where the window is narrow. */
  const scrolling = (label, table) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);

  /** The address of a view, as report.js reads it. */
  const viewLink = (view, more = {}) => `#${new URLSearchParams({ [view]: "", ...more })}`;
  const listLink = (filter) => viewLink("items", filter);

  /** A labelled choice; `options` are pairs of value and text. */
  function select(label, options, value, change) {
    const box = el("select", { name: label, onchange: () => change(box.value) },
      options.map(([option, text]) => el("option", { value: option, selected: String(option) === String(value) }, text)));
    return el("label", {}, el("span", {}, label), box);
  }

  const itemLink = (item, more = {}) => `#${new URLSearchParams({ item: item.id, benchmark: item.benchmark, ...more })}`;

  report.parts = {
    el, svg, number, ends, points, chance, pValue, select, viewLink, count, counted, words, prose, jointed, outcomes, outcomeName, mistakeName, mark, badges, legend, scrolling, listLink, itemLink,
    named: (text) => text || "(none)",
  };
})();
