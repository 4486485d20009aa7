// The store on this phone: rows on their way, and how far each table's sheet had come.

import {isMine} from "./page.js";

// What a row is to the visitor while it is here; one of somebody else's is no state of the row.
export const WAITING = "waiting", NEEDS = "needs", SIGN_IN = "sign-in", OTHER = "other";

let store = null;
export const isOpen = () => Boolean(store);
export const giveUp = () => { store = null; };
export const opened = new Promise(resolve => {
  let asked;
  try { asked = indexedDB.open("tapis-vert", 1); } catch { return resolve(); }
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("rows", {keyPath: "key"});
    asked.result.createObjectStore("sheets", {keyPath: "table"});
  };
  asked.onsuccess = () => {
    store = asked.result;
    store.onversionchange = () => { store.close(); giveUp(); };
    resolve();
  };
  asked.onerror = asked.onblocked = () => resolve();
});

function within(name, mode, work) {
  return new Promise((resolve, reject) => {
    const change = store.transaction(name, mode, {durability: "strict"});
    const asked = work(change.objectStore(name));
    change.oncomplete = () => resolve(asked?.result);
    change.onerror = change.onabort = () => reject(change.error);
  });
}

// --- rows

const byOrder = (a, b) => a.order - b.order;
// In one step, whatever happens to the page: the row is kept in the place of those that it
// replaces. Where it settles one under another number, those behind that move as far as it does.
export const keep = (row, isReplaced, settles) => within("rows", "readwrite", rows => {
  const asked = rows.getAll();
  asked.onsuccess = () => {
    const before = asked.result.filter(isReplaced).sort(byOrder), settled = before.find(each => each.key === settles);
    const isBehind = each => settled && each.table === row.table && isMine(each) && each.number > settled.number && !before.includes(each);
    before.forEach(each => rows.delete(each.key));
    rows.put({...row, order: before[0]?.order ?? row.order});
    asked.result.filter(isBehind).forEach(each => rows.put(moved(each, each.number + row.number - settled.number)));
  };
});
// The same row, by its key, as another number; whatever stands at its former one is nothing to it.
function moved(row, number) {
  const fields = row.fields.map(([name, value]) => [name, name === "number" ? String(number) : value]);
  const asBefore = row.status !== 409;
  return {...row, number, fields, name: row.name.replace(row.number, number), state: asBefore ? row.state : WAITING, status: asBefore ? row.status : 0};
}
export const drop = key => within("rows", "readwrite", rows => rows.delete(key));
export const rowOf = key => within("rows", "readonly", rows => rows.get(key));
export const everything = async () => (await within("rows", "readonly", rows => rows.getAll())).sort(byOrder);
export const mine = async () => (await everything()).filter(isMine);
// A row may have changed while its answer was on the way: the one in the store is written on.
export const change = (key, what) => within("rows", "readwrite", rows => {
  const asked = rows.get(key);
  asked.onsuccess = () => { if (asked.result) rows.put({...asked.result, ...what}); };
});

export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 15 | 64;
  bytes[8] = bytes[8] & 63 | 128;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// --- sheets

export const sheetOf = table => within("sheets", "readonly", sheets => sheets.get(table));
export const noteSheet = sheet => within("sheets", "readwrite", sheets => sheets.put(sheet));
// A row that needs somebody comes before those after it as long as its number is open on the
// sheet, or holds what another has entered; else it holds nothing back.
export const isBefore = (row, sheet) => row.state === NEEDS
  && (row.status === 409 || row.status === 422 && !row.isClosed && (sheet?.next ?? row.number) <= row.number);
