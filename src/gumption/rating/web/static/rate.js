// Saves a form as it is filled in, and lets digits choose marks. The page works without it.
"use strict";

const form = document.querySelector("form.form");
const state = document.getElementById("state");
const WAIT = 600;
const AGAIN = 3000;
let timer = 0;
let sent = false;
let saving = Promise.resolve();

// ── time on the page, while it can be seen ──────────────────────────────────────────────────────────
let spent = Number(form.dataset.seconds) || 0;
let since = document.hidden ? 0 : performance.now();
document.addEventListener("visibilitychange", () => {
  spent = seconds();
  since = document.hidden ? 0 : performance.now();
});
function seconds() {
  return since ? spent + (performance.now() - since) / 1000 : spent;
}

// ── saving ──────────────────────────────────────────────────────────────────────────────────────────
function values() {
  const found = {};
  for (const input of form.querySelectorAll("input:checked")) {
    if (input.name === "main") found[input.value] = 1;
    else if (input.name.startsWith("also.") && found[input.dataset.id] !== 1) found[input.dataset.id] = 2;
    else if (input.name.startsWith("v.")) found[input.name.slice(2)] = Number(input.value);
  }
  return found;
}

function later(wait = WAIT) {
  clearTimeout(timer);
  if (!sent) timer = setTimeout(() => (saving = saving.then(save)), wait);
}

async function save() {
  if (sent) return;
  const body = JSON.stringify({ values: values(), comment: form.comment.value, seconds: seconds() });
  state.textContent = "Saving…";
  try {
    const answer = await fetch(`/api/tasks/${form.dataset.task}/draft`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-form-token": form.form_token.value },
      body,
      keepalive: true,
    });
    if (answer.ok) {
      state.textContent = "Draft saved";
      return;
    }
    const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : {};
    state.textContent = `Not saved: ${told.problem || answer.status}. ${told.remedy || ""}`;
    if (answer.status === 429 || answer.status >= 500) later(AGAIN);
  } catch {
    state.textContent = "Not saved: no connection. It is tried again.";
    later(AGAIN);
  }
}

form.addEventListener("input", () => later());
form.addEventListener("submit", () => {
  sent = true;
  clearTimeout(timer);
  form.elements.seconds.value = seconds().toFixed(1);
});
// Back from the next page: the form is live again.
window.addEventListener("pageshow", () => (sent = false));
// A page that is left with something unsaved saves it on its way out.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && timer && !sent) {
    clearTimeout(timer);
    saving = saving.then(save);
  }
});

// ── what the chosen mark means ──────────────────────────────────────────────────────────────────────
function explain(scale) {
  const told = scale.querySelector(".meaning");
  if (told) told.textContent = scale.querySelector("input:checked")?.dataset.anchor || "";
}
const scales = [...form.querySelectorAll("fieldset.scale")];
for (const scale of scales) {
  explain(scale);
  scale.addEventListener("change", () => explain(scale));
}

// A label is either the main one or one of the others.
for (const input of form.querySelectorAll("fieldset.labels input")) {
  input.addEventListener("change", () => {
    if (!input.checked) return;
    const other = input.type === "radio" ? "checkbox" : "radio";
    const twin = form.querySelector(`input[type=${other}][data-id="${CSS.escape(input.dataset.id)}"]`);
    twin.checked = false;
  });
}

// ── keys ────────────────────────────────────────────────────────────────────────────────────────────
function here() {
  const at = scales.indexOf(document.activeElement?.closest("fieldset.scale"));
  if (at >= 0) return at;
  const open = scales.findIndex((scale) => !scale.querySelector("input:checked"));
  return open >= 0 ? open : 0;
}

function choose(input) {
  input.checked = true;
  input.focus();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("textarea, video")) return;
  if (form.dataset.kind === "labels") {
    const chosen = form.querySelector(`input[data-key="${CSS.escape(event.key)}"]`);
    if (chosen) choose(chosen);
    return;
  }
  const at = here();
  const key = form.dataset.kind === "pairwise" ? { 1: "-1", 2: "0", 3: "1" }[event.key] : event.key;
  const chosen = key && scales[at].querySelector(`input[value="${CSS.escape(key)}"]`);
  if (!chosen) return;
  event.preventDefault();
  choose(chosen);
  const next = scales[at + 1];
  if (next) (next.querySelector("input:checked") || next.querySelector("input")).focus();
});

const wrong = form.querySelector(".wrong input");
if (wrong) wrong.focus();
