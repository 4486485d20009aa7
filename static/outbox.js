// Tapis Vert, the outbox: what was entered at a table stays on this phone until the server has it.
// A row is written into the phone's own store before it is sent, and leaves it when an answer says
// that exactly this row was looked at (header Entry-Key): a cut line, a closed tab, an empty battery
// or a hotel's sign-in page lose nothing, and the row's key makes a second arrival harmless.
// Without this file, or without a store, htmx or the browser sends the form as it is.
// This file says what happens when; the files in outbox/ do it, each using those before it:
// page, store, sending, list, queue, asking, entering.

import {here, isHere, isTakenUp, mainForm, refuse, region, section} from "./outbox/page.js";
import {NEEDS, OTHER, SIGN_IN, giveUp, isOpen, opened} from "./outbox/store.js";
import {isSure, showAsSent, shown, tell, whenTold} from "./outbox/list.js";
import {drain} from "./outbox/queue.js";
import {askAnew, begin, put, renew} from "./outbox/asking.js";
import {busy, enter, keepDraft, leave, look, settle, takeUpDraft, throwAway, undo} from "./outbox/entering.js";

document.addEventListener("outbox:answer", ({detail: {row, answer, means}}) => {
  const isAbout = answer.about === row.key, isOnPage = region() && isHere(row);
  if (means === "sent") {
    showAsSent(row);
    if (row.key === here.opening) here.opening = null;
  }
  // That a table is held is said once, not at each try.
  const isSaid = means === "later" && row.isHeld;
  if (row.key === here.visible && isOnPage && isAbout && !isSaid) {
    if (means === "sent") here.visible = null;
    put(answer.body);
  } else if (means === "sent" && isOnPage && !isTakenUp() && mainForm()) put(answer.body);
  const refusal = {[SIGN_IN]: "signed-out", [OTHER]: "another", [NEEDS]: !isAbout && "refused"}[means];
  if (row.key === here.visible && refusal) refuse(refusal);
  tell();
});
whenTold(async () => {
  await askAnew();
  shown();
});

document.addEventListener("submit", event => {
  const form = event.target;
  if (!isOpen() || !form.matches("[data-keeps], [data-settles], [data-leaves]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.matches("[data-leaves]")) leave(form);
  else if (!form.matches("[data-keeps]")) settle(form);
  else if (!form.querySelector("[aria-busy=true]")) {
    enter(form, event.submitter).catch(() => {
      // The store is full or gone: as without it.
      giveUp();
      busy(form, false);
      form.requestSubmit(event.submitter?.form === form ? event.submitter : undefined);
    });
  }
}, true);
document.addEventListener("click", async event => {
  const button = event.target.closest("a[data-settles], [data-drop], [data-look], [data-undo]");
  if (!isOpen() || !button) return;
  const key = button.dataset.settles || button.closest("[data-key]").dataset.key;
  if (button.matches("[data-look]")) return look(button.dataset.look || key);
  if (button.matches("[data-undo]")) return undo(button, key);
  if (!button.href && !isSure(button, key)) return;
  if (button.href) event.preventDefault();
  await throwAway(key);
  await askAnew();
  tell();
  if (button.href) location.assign(button.href);
});
document.addEventListener("input", event => { if (event.isTrusted && event.target.closest("[data-keeps]")) here.touched = true; });
document.addEventListener("click", event => { if (event.isTrusted && event.target.closest("[data-keypad]")) here.touched = true; });
addEventListener("pagehide", keepDraft);
document.addEventListener("htmx:afterSettle", event => {
  // What is put beside the form changes nothing of what is begun in it.
  if (!isOpen() || !event.detail.elt.matches?.("#deal")) return;
  begin().then(shown);
});

opened.then(async () => {
  if (!isOpen()) return;
  await begin();
  takeUpDraft();
  section.dataset.ready = "yes";
  renew();
  await drain({now: true});
  const kept = /^#kept=([\w-]+)$/.exec(location.hash);
  if (!kept) return;
  history.replaceState(null, "", location.pathname);
  look(kept[1]);
});
