// One item: what was asked, and for every model what it said, how that was read, and what it was worth.
"use strict";

(() => {
  const { el, number, count, words, prose, badges, itemLink, listLink, viewLink, named } = report.parts;
  const { canvas, draw, key, readPoints } = report.overlay;

  // ── the question ─────────────────────────────────────────────────────────────────────────────────

  /** A picture, with what is drawn over it. */
  function picture({ sha256, size, file, width, height, missing }, place, drawn) {
    const shape = size[0] ? `${size[0]} × ${size[1]}` : "";
    if (missing) return el("p", { class: "missing" }, `Picture ${place}: ${missing}. `, el("code", {}, sha256));
    const shown = el("img", { src: `thumbs/${file}`, width: drawn?.width ?? width, height: drawn?.height ?? height, alt: `Picture ${place} of the question` });
    return el("figure", {},
      drawn ? [el("div", { class: "drawn-over" }, shown, drawn.over), drawn.legend] : shown,
      el("figcaption", {}, `Picture ${place}${shape ? `, ${shape}` : ""} `, el("code", { title: sha256 }, sha256.slice(0, 12))));
  }

  /** The question; `runs`, each {run, evidence}, are those whose read points are drawn over its picture. */
  function question(asked, runs) {
    const { parts, choices, gold, kind, meta } = asked;
    const { image, why } = canvas(asked);
    let pictures = 0;
    const shown = parts.map((part) => {
      if (part.image) return picture(part.image, ++pictures, part.image === image ? draw(asked, image, pictures, runs) : null);
      if (part.video) {
        const seconds = part.video.seconds === null ? "" : `, ${part.video.seconds} s`;
        return el("p", { class: "missing" }, `Video${seconds}: not drawn here. `, el("code", {}, words(part.video.sha256)));
      }
      return prose(part.text, "Text of the question", "question");
    });
    const right = words(gold);
    const isRight = (letter) => kind === "choice" && words(letter) === right;
    return [
      ...shown,
      why ? el("p", { class: "quiet" }, why) : "",
      choices.length ? el("ul", { class: "choices" }, choices.map(([letter, text]) =>
        el("li", { class: isRight(letter) ? "gold" : null },
          el("b", {}, words(letter)), " ", words(text), isRight(letter) ? el("span", { class: "badge right" }, "right answer") : ""))) : "",
      choices.some(([letter]) => isRight(letter)) ? ""
        : el("div", { class: "gold-line" }, el("b", {}, "Right answer "), right === "" ? "not known" : prose(gold, "Right answer")),
      meta ? el("details", {}, el("summary", {}, "More about the item"), prose(meta, "More about the item")) : "",
    ];
  }

  // ── what one model made of it ────────────────────────────────────────────────────────────────────

  const fact = (name, value) => (value === undefined || value === "" ? [] : el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  const line = (text) => (text === undefined ? undefined : el("span", { class: "data" }, words(text)));

  /** The value read: points, or what is kept as JSON; an option's letter with the option's text. */
  function readAs({ read, points, more }, choices) {
    if (points) return points.length ? line(readPoints({ points, more })) : undefined;
    if (typeof read !== "string" || !read.startsWith('"')) return line(read);
    const value = JSON.parse(read);
    const option = choices.find(([letter]) => letter === value);
    return [line(value), option ? ` ${words(option[1])}` : ""];
  }

  function scoreFacts(score, choices, several) {
    return el("dl", { class: "facts" },
      several ? fact("Epoch", String(score.epoch)) : [],
      fact("Score", score.value === null ? "none: not in the mean" : String(+score.value.toFixed(4))),
      fact("Read as", readAs(score, choices)),
      fact("By the rule", line(score.rule)),
      fact("Repairs", line(score.repairs)),
      fact("Status", score.status),
      fact("Reading", score.outcome),
      fact("Parts", line(score.parts)),
      fact("Mistakes", line(score.errors)),
      fact("Guess level", `${number(score.chance)} %`));
  }

  function said(reply, model, several, epochs) {
    const heading = [epochs ? `epoch ${reply.epoch}` : "", reply.call ? words(reply.call) : ""].filter(Boolean).join(" · ");
    const about = [
      several && reply.status, reply.finish && `finish: ${words(reply.finish)}`,
      reply.tokens !== undefined && `${count(reply.tokens)} tokens`, reply.seconds !== undefined && `${reply.seconds} s`,
    ].filter(Boolean).join(" · ");
    const label = `Reply of ${model}${heading ? `, ${heading}` : ""}`;
    return el("div", { class: "said" },
      heading ? el("h4", {}, heading) : "",
      reply.error ? prose(reply.error, `Error of the request to ${model}`, "prose error") : "",
      reply.text ? prose(reply.text, label) : el("p", { class: "missing" }, "No text came back."),
      reply.reasoning ? el("details", {}, el("summary", {}, "Reasoning, kept apart by the server and never read"), prose(reply.reasoning, `Reasoning of ${model}`)) : "",
      el("p", { class: "about" }, about, reply.request ? [about ? " · request " : "request ", el("code", { title: words(reply.request) }, words(reply.request).slice(0, 12))] : ""));
  }

  function model({ run, evidence }, item, { choices, point }, wanted) {
    const head = el("h3", { id: `run-${run.number}` }, point ? [key(run), " "] : "", run.name);
    if (!evidence) return el("section", { class: "model", "aria-labelledby": `run-${run.number}` }, head, el("p", { class: "missing" }, "Not asked in this run."));
    const { scores, replies, more, asked } = evidence;
    return el("section", { class: wanted ? "model wanted" : "model", "aria-labelledby": `run-${run.number}` },
      el("div", { class: "model-head" }, head, el("span", {}, badges(item.flags[run.number]))),
      asked ? el("details", {}, el("summary", {}, "This run asked it differently"), question(asked, [{ run, evidence }])) : "",
      scores.map((score) => scoreFacts(score, (asked ?? { choices }).choices, scores.length > 1)),
      scores.length ? "" : el("p", { class: "missing" }, "No score."),
      replies.map((reply) => said(reply, run.name, replies.length > 1, replies.some(({ epoch }) => epoch !== replies[0].epoch))),
      replies.length ? "" : el("p", { class: "missing" }, "No reply is recorded."),
      more ? el("p", { class: "cut" }, `Cut for display: ${count(more)} more replies are in the run's folder.`) : "");
  }

  // ── the view ─────────────────────────────────────────────────────────────────────────────────────

  function neighbours(item, items, run) {
    const around = report.found?.includes(item) ? report.found : items;
    const place = around.indexOf(item);
    const link = (other, text) => (other ? el("a", { href: itemLink(other, run) }, text) : el("span", { class: "quiet" }, text));
    return el("nav", { class: "pager", "aria-label": "Items" },
      link(around[place - 1], "Previous item"), el("span", { class: "quiet" }, `${count(place + 1)} of ${count(around.length)}`), link(around[place + 1], "Next item"));
  }

  report.item = async (query) => {
    const items = await report.data.index();
    const id = query.get("item");
    const item = items.find((other) => other.id === id && (!query.has("benchmark") || other.benchmark === query.get("benchmark")));
    if (!item) return [el("h1", { tabindex: -1 }, "No such item"), el("p", {}, "This report has no item ", el("code", {}, id), ".")];
    const two = [report.runs[query.get("a")], report.runs[query.get("b")]];
    const compared = two[0] && two[1];
    const wanted = report.runs[query.get("run")];
    const order = compared ? two : wanted ? [wanted, ...report.runs.filter((run) => run !== wanted)] : report.runs;
    const kept = compared ? { a: two[0].number, b: two[1].number } : wanted ? { run: wanted.number } : {};
    const [asked, ...evidence] = await Promise.all([
      report.data.question(item.number), ...order.map((run) => report.data.evidence(run.number, item.number)),
    ]);
    const answers = order.map((run, place) => ({ run, evidence: evidence[place] }));
    return [
      neighbours(item, items, kept),
      el("h1", { class: "item-id", tabindex: -1 }, item.id),
      el("p", { class: "lead" }, named(item.benchmark), " · ",
        el("a", { href: listLink({ category: item.category }) }, named(item.category)),
        item.dimension ? [" · ", el("a", { href: listLink({ dimension: item.dimension }) }, item.dimension)] : "",
        words(asked.cluster) ? ` · scene ${words(asked.cluster)}` : "", ` · ${asked.kind}`),
      compared ? el("p", {}, el("a", { href: viewLink("compare", kept) }, `Back to ${two[0].name} and ${two[1].name}`), " · ",
        el("a", { href: itemLink(item) }, "What all models made of it")) : "",
      el("div", { class: compared ? "item two" : "item" },
        el("section", { class: "asked", "aria-label": "The question" }, el("h2", {}, "Question"), question(asked, answers)),
        el("div", { class: "answers" }, el("h2", {}, "Answers"), answers.map((answer) => model(answer, item, asked, answer.run === wanted)))),
    ];
  };
})();
