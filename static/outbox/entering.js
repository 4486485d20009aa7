// What people do with rows: enter one, look at one that waits, settle two, take one back, drop one.

import {about, field, forms, here, isHere, isMine, mainForm, numberOf, refuse, region, said, section} from "./page.js";
import {NEEDS, WAITING, drop, keep, mine, rowOf} from "./store.js";
import {PATIENCE, enteredBy, pause, post, report} from "./sending.js";
import {isSure, shown, tell} from "./list.js";
import {drain} from "./queue.js";
import {ask, emptied, follow, goOn, put} from "./asking.js";

// The row in words that can be said to the table, should it never arrive.
const CHOSEN = ".choice input:checked:not([value=''], [name=sits_out]) + span, [name^=points], [name=notation], [data-verdict]";
const textOf = part => part.value || part.textContent.trim();
function inWords(form, button, chosen = CHOSEN, say = textOf) {
  // A button that answers, too, and not only sends.
  const parts = [...form.querySelectorAll(chosen), ...(button?.name ? button.childNodes : [])];
  return parts.filter(textOf).map(say).join(" · ");
}
// So that somebody else can write it: a bare number with what was asked, and whose points it is.
const inFull = (form, button) => inWords(form, button, `${CHOSEN}, .points .segments label:has(:checked)`, part => {
  const asked = /^\d+$/.test(textOf(part)) && (part.labels?.[0] || part.parentElement.closest("fieldset")?.querySelector("legend"));
  return [asked && asked.textContent.trim(), textOf(part)].filter(Boolean).join(" ");
});

function rowFrom(form, button) {
  const facts = about(), number = numberOf(form);
  return {
    key: field(form, "entry_key").value, order: Date.now(), table: facts.table, number,
    who: facts.who, action: form.getAttribute("action"),
    fields: [...new FormData(form, button)].filter(([name]) => name !== "csrfmiddlewaretoken"),
    by: facts.by, name: here.asking?.name || facts.rows[number]?.name || facts.name, at: facts.at,
    words: inWords(form, button), full: inFull(form, button),
    state: WAITING, tries: 0, next: 0,
  };
}

export async function enter(form, button) {
  const row = rowFrom(form, button), {settles} = form.dataset;
  // What the form itself has refused is put right by the next one of its number.
  const isReplaced = each => each.key === row.key || (settles ? each.key === settles : isMine(each) && each.table === row.table
    && each.number === row.number && each.state === NEEDS && each.status === 422);
  await keep(row, isReplaced, settles);
  here.visible = row.key;
  here.touched = false;
  busy(form, true);
  tell();
  await Promise.race([drain({asked: row.key, now: true}), pause(navigator.onLine ? PATIENCE : 0)]);
  busy(form, false);
  const still = await rowOf(row.key);
  if (still && !isMine(still)) return refuse("another");
  if (!form.isConnected || !still || still.state === NEEDS || still.isHeld) return;
  // Where two versions are shown, and no form, the answer to the choice is waited for.
  if (!mainForm()) return shown();
  here.visible = here.opening = null;
  await goOn();
  shown();
}

export function busy(form, on) {
  form.querySelectorAll("button:not([type=button])").forEach(button => {
    button.disabled = on;
    button.setAttribute("aria-busy", String(on));
  });
}

// --- looking at a row again

export async function look(key) {
  const row = await rowOf(key);
  if (!row) return;
  // What is closed has no form: its own page still shows what was answered.
  const isItsPage = region() ? isHere(row) : location.pathname === row.action;
  if (!isItsPage) {
    location.assign(`${row.action}#kept=${key}`);
    return;
  }
  // What another has entered becomes one's own by being sent, and is looked at before.
  if (!isMine(row)) return mainForm() && fill(row);
  here.visible = key;
  await Promise.race([drain({asked: key, now: true}), pause(PATIENCE)]);
  const still = await rowOf(key);
  if (still && still.state !== NEEDS && mainForm()) await fill(still);
  if (!still) here.visible = null;
}

// Fill the form with a row that waits: sent again it is the same row, with the same key. It is
// asked for as it is now; of what the page sends unasked only the row's number and key stay.
async function fill(row) {
  const form = mainForm(), next = await follow(form, about(), row), main = emptied(form);
  if (next) ask(main, next);
  const filled = formFor(row) || main, ours = ["number", "entry_key"];
  const isHidden = name => filled.querySelector(`[name="${name}"]`)?.type === "hidden";
  answer(filled, row.fields.filter(([name]) => !isHidden(name) || ours.includes(name)));
  filled.closest("details")?.setAttribute("open", "");
  here.opening = row.key;
  filled.inert = false;
  main.querySelector(".send-bar > .btn--main")?.replaceChildren(about().rows[row.number]?.send || row.name);
  filled.dispatchEvent(new Event("input", {bubbles: true}));
  filled.dispatchEvent(new Event("change", {bubbles: true}));
  shown();
}
// Where a page has several forms: the one that can say all that the row says.
const formFor = row => forms().find(form => row.fields.every(([name, value]) =>
  name === "entered_by" || [...form.querySelectorAll(`[name="${name}"]`)].some(each => !each.matches("button, [type=radio]") || each.value === value)));
function answer(form, fields) {
  for (const [name, value] of fields) {
    form.querySelectorAll(`[name="${name}"]`).forEach(each => {
      if (each.type === "radio" || each.type === "checkbox") each.checked = each.value === value;
      else if (each.tagName !== "BUTTON") each.value = value;
    });
  }
}

// --- ending what a row waits for

export async function settle(form) {
  const answered = await post(form.getAttribute("action"), enteredBy(about().who, new FormData(form)));
  if (!answered.isOurs) return refuse("offline");
  if (answered.away) {
    await drop(form.dataset.settles);
    location.assign(answered.away);
  } else if ([200, 409, 422].includes(answered.status)) put(answered.body);
  else refuse(answered.refused || (answered.status === 401 ? "signed-out" : "refused"));
}

// What somebody else had entered is thrown away by name: the journal tells it, where the network
// lets it, in the site's words. Nothing else is told of: who entered a row may drop it as he likes.
export async function throwAway(key) {
  const row = await rowOf(key);
  await drop(key);
  if (here.opening === key) here.opening = null;
  if (row && !isMine(row)) report(said.dropping.replace("/0/", `/${row.table}/`), enteredBy(row.who, row.fields));
}

// A row that may have arrived is asked about once more: then it is taken back on the sheet.
export async function undo(button, key) {
  const row = await rowOf(key);
  if (!row || row.left && !isSure(button, key, said.perhaps)) return;
  await drop(key);
  here.touched = false;
  here.visible = here.opening = null;
  await goOn();
  tell();
}

// Who gives his seat up while rows of his wait is told once: they are sent as him only.
export async function leave(form) {
  const notice = section.querySelector("[data-leaving]");
  // Looked for first: a form is not sent again while it is being sent.
  if (!(await mine()).length || !notice.hidden) {
    delete form.dataset.leaves;
    return form.requestSubmit();
  }
  notice.hidden = false;
  notice.scrollIntoView({block: "center"});
}

// --- a half answered form outlasts a page that is left or loaded anew, in the tab where it is

const DRAFT = "tapis-vert-draft";
export function keepDraft() {
  const form = mainForm();
  if (!form || !here.touched) return;
  const asked = [...new FormData(form)].filter(([name]) => form.querySelector(`[name="${name}"]`).type !== "hidden");
  sessionStorage.setItem(DRAFT, JSON.stringify({table: about().table, number: field(form, "number").value, asked}));
}
export function takeUpDraft() {
  const form = mainForm(), draft = JSON.parse(sessionStorage.getItem(DRAFT));
  if (!form || !draft || draft.table !== about().table || draft.number !== field(form, "number").value) return;
  sessionStorage.removeItem(DRAFT);
  answer(form, draft.asked);
  form.dispatchEvent(new Event("input", {bubbles: true}));
  here.touched = true;
}
