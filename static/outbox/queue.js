// Rows are sent in order for each table, by one tab at a time, until the site has each of them.

import {about, isMine, marks, numberOf, parsed, toldIn, versionOf} from "./page.js";
import {NEEDS, OTHER, SIGN_IN, WAITING, change, drop, isBefore, isOpen, mine, noteSheet, opened, rowOf, sheetOf} from "./store.js";
import {FIRST_PAUSE, LONGEST_PAUSE, meaning, postRow} from "./sending.js";
import {shown} from "./list.js";

// Where the browser knows no locks two tabs may send the same row: the server writes it once.
const alone = work => (navigator.locks ? navigator.locks.request("outbox", work) : work());

// ``asked``: somebody wants this row tried now, whatever stood in its way before.
export const drain = ({asked = null, now = false} = {}) => alone(async () => {
  const seen = new Set(), stopped = new Set();
  // Read anew for each: rows are sent, settled and moved by other tabs, or by a press, meanwhile.
  const next = async () => (await mine()).find(row => !seen.has(row.key) && !stopped.has(row.table));
  for (let row = await next(); row; row = await next()) {
    seen.add(row.key);
    const waits = row.state === NEEDS || row.state === SIGN_IN && !now
      || (now ? row.held : row.next) > Date.now();
    const isSent = (!waits || row.key === asked) && await send(row) === "sent";
    if (!isSent && await stops(row)) stopped.add(row.table);
  }
}).finally(shown);
async function stops({key, table}) {
  const row = await rowOf(key);
  return Boolean(row) && (row.state !== NEEDS || isBefore(row, await sheetOf(table)));
}

async function send(row) {
  // Where the browser knows of no network nothing has left the phone.
  if (navigator.onLine && !row.left) await change(row.key, {left: true});
  let answer = await postRow(row), means = meaning(row, answer);
  if (means === "again") {
    answer = await postRow(row);
    means = meaning(row, answer);
  }
  if (means === "sent") {
    await arrived(row, answer.body);
    await drop(row.key);
  } else if (means === OTHER) {
    // This page is of somebody whom the phone does not stand for any more: what is his stays.
    marks.delete(row.who);
  } else if (means === NEEDS || means === SIGN_IN) {
    // Where this phone cannot enter it any more, the director still can.
    const isClosed = means === NEEDS && (answer.refused === "closed" || [403, 404].includes(answer.status));
    if (answer.status === 409) await contradicted(row, answer.body);
    await change(row.key, {state: means, status: answer.status, isClosed, tries: 0, next: 0});
  } else {
    const wait = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** row.tries) * (0.5 + Math.random());
    const now = Date.now(), held = now + (answer.wanted || 0);
    const isHeld = answer.refused === "held";
    await change(row.key, {state: WAITING, tries: Math.min(row.tries + 1, 10), next: Math.max(now + wait, held), held, isHeld});
  }
  document.dispatchEvent(new CustomEvent("outbox:answer", {detail: {row, answer, means}}));
  return means;
}

async function arrived(row, body) {
  const page = parsed(body), form = page.querySelector("#deal-form"), facts = about(page), told = toldIn(page);
  const known = await sheetOf(row.table);
  const version = told?.version || (form ? versionOf(form) : (known?.version || 0) + 1);
  const next = told?.number || (form ? numberOf(form) : row.number + 1);
  if (!known || version >= known.version) await noteSheet({table: row.table, version, next, stand: facts?.stand});
}
// The sheet has come so far without this phone, which cannot tell what stands there.
async function contradicted(row, body) {
  const form = parsed(body).querySelector("[data-settles][data-keeps]"), known = await sheetOf(row.table);
  if (form && (!known || versionOf(form) > known.version)) {
    await noteSheet({table: row.table, version: versionOf(form), next: numberOf(form)});
  }
}

let timer = null;
document.addEventListener("outbox:shown", ({detail: {rows}}) => {
  clearTimeout(timer);
  const next = rows.filter(row => isMine(row) && row.state === WAITING).map(row => row.next);
  if (next.length) timer = setTimeout(drain, Math.max(200, Math.min(...next) - Date.now()));
});
const hurry = () => opened.then(() => isOpen() && drain({now: true}));
addEventListener("online", hurry);
addEventListener("pageshow", hurry);
document.addEventListener("visibilitychange", () => { if (!document.hidden) hurry(); });
