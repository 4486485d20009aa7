// What the visitor sees of the rows on this phone, on whatever page he is.

import {about, here, isHere, isMine, said, section} from "./page.js";
import {NEEDS, OTHER, SIGN_IN, WAITING, everything, isBefore, isOpen, sheetOf} from "./store.js";

// So many rows that wait are shown one by one; what was sent is shown for a while.
const FEW = 3, A_WHILE = 6000;

const other = "BroadcastChannel" in window ? new BroadcastChannel("outbox") : null;
export const tell = () => { other?.postMessage("changed"); shown(); };
export const whenTold = work => other?.addEventListener("message", work);

const lately = [];
export function showAsSent(row) {
  lately.push({...row});
  setTimeout(() => { lately.shift(); shown(); }, A_WHILE);
}

// What is dropped is gone: the button asks once more, in its own words, also when the list was
// written anew in between.
const sure = new Set();
export function isSure(button, key, words = said.sure) {
  if (sure.has(key)) return true;
  sure.add(key);
  button.textContent = words;
  return false;
}

let looks = 0;
export async function shown() {
  if (!isOpen()) return;
  const now = looks += 1, rows = await everything(), behinds = await held(rows);
  // What was read before is never written over what was read later.
  if (now !== looks) return;
  const list = section.querySelector("[data-rows]");
  list.replaceChildren(
    ...lately.map(row => line(row, "sent")),
    ...rows.map(row => line(row, stateOf(row, behinds), behinds.get(row.key))),
  );
  const waiting = rows.filter(row => isMine(row) && row.table === about()?.table);
  const last = waiting.reduce((one, row) => (one?.number > row.number ? one : row), null);
  if (last?.state === WAITING) offerUndo(list.querySelector(`[data-key="${last.key}"]`), last);
  section.hidden = !list.children.length;
  fold([...list.children].filter(item => item.querySelector(".chip--wait")));
  document.dispatchEvent(new CustomEvent("outbox:shown", {detail: {rows}}));
}

// Which rows wait for one before them that needs somebody.
async function held(rows) {
  const found = new Map(), before = new Map();
  for (const row of rows.filter(isMine)) {
    if (row.state === WAITING && before.has(row.table)) found.set(row.key, before.get(row.table));
    else if (!before.has(row.table) && isBefore(row, await sheetOf(row.table))) before.set(row.table, row);
  }
  return found;
}
function stateOf(row, behinds) {
  if (!isMine(row)) return OTHER;
  return row.key === here.stuck && !behinds.has(row.key) ? NEEDS : row.state;
}

function line(row, state, behind) {
  const item = section.querySelector("template").content.cloneNode(true).firstElementChild;
  const chip = item.querySelector("[data-state]");
  item.dataset.key = row.key;
  item.dataset.number = row.number;
  item.querySelector("[data-name]").textContent = isHere(row) ? row.name : [row.at, row.name].filter(Boolean).join(", ");
  const isClosed = state === NEEDS && row.isClosed;
  item.querySelector("[data-words]").textContent = isClosed && row.full || row.words;
  item.querySelector("[data-hint]").hidden = !isClosed;
  chip.textContent = said[{[WAITING]: "kept", [NEEDS]: "needs", [SIGN_IN]: "signIn", sent: "sent", [OTHER]: said.marks ? "other" : "nobody"}[state]];
  chip.className = `chip ${{sent: "chip--ok", [WAITING]: "chip--wait"}[state] || "chip--bad"}`;
  if (state === OTHER && said.marks && row.by) chip.textContent = said.by.replace("%(player)s", row.by);
  const looking = item.querySelector("[data-look]");
  looking.hidden = state === "sent";
  if (behind) {
    chip.textContent = said.behind.replace("%(row)s", behind.name);
    looking.dataset.look = behind.key;
  }
  if (state === OTHER && row.by) looking.textContent = said.show.replace("%(player)s", row.by);
  const dropping = item.querySelector("[data-drop]");
  dropping.hidden = state !== NEEDS && (state !== OTHER || !said.marks);
  if (sure.has(row.key)) dropping.textContent = said.sure;
  return item;
}
// The row that came last can be taken back as long as it waits here.
function offerUndo(item, row) {
  const undo = item.querySelector("[data-undo]");
  undo.hidden = false;
  if (sure.has(row.key)) undo.textContent = said.perhaps;
}

// So many that only wait would push the form off the screen: all but the last one are folded.
function fold(waiting) {
  const earlier = section.querySelector("[data-earlier]"), folded = waiting.length > FEW ? waiting.slice(0, -1) : [];
  earlier.hidden = !folded.length;
  earlier.querySelector("[data-count]").textContent = folded.length;
  earlier.querySelector("ul").replaceChildren(...folded);
}
