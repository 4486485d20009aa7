// What the form on this page asks for: the row that follows what the sheet has and what waits here.

import {about, field, forms, here, isMine, isTakenUp, mainForm, marks, numberOf, parsed, region, section, toldIn, versionOf} from "./page.js";
import {NEEDS, change, everything, newKey, noteSheet, sheetOf} from "./store.js";
import {FIRST_PAUSE, LONGEST_PAUSE, isOurs} from "./sending.js";

// Where the sheet stood when the server last said so: on this page, or in an answer since.
async function standOf(form, facts) {
  const known = await sheetOf(facts.table), isNewer = Boolean(known) && known.version > versionOf(form);
  return isNewer ? {number: known.next, stand: known.stand, isNewer} : {number: facts.number, stand: facts.stand, isNewer};
}
// The next row: by the page's own list, or by the script of the game, which looks up what follows
// each row. ``before``: a row that is to be looked at again where it stands.
export async function follow(form, facts, before = null) {
  const from = await standOf(form, facts);
  const rows = (await everything()).filter(row => row.table === facts.table && isMine(row)
    && row.number >= from.number && (!before || row.number < before.number));
  here.stuck = here.why = null;
  if (!facts.stand) {
    const number = before ? before.number : Math.max(from.number, ...rows.filter(row => row.state !== NEEDS).map(row => row.number + 1));
    return facts.rows[number] ? {number, ...facts.rows[number]} : null;
  }
  // What the server has refused is followed by nothing; what another has contradicted, by one's own.
  const stands = rows.filter(row => row.state !== NEEDS || row.status === 409).sort((a, b) => a.number - b.number);
  const detail = {...from, rows: stands};
  if (from.stand) document.dispatchEvent(new CustomEvent("outbox:follow", {detail}));
  here.stuck = detail.stuck?.key || null;
  here.why = detail.why || null;
  return detail.next || null;
}

// A form that has made room for another while it was found out what to ask asks nothing any more.
export function ask(form, next) {
  if (form !== mainForm()) return;
  here.asking = next;
  next.show?.(form);
  const version = field(form, "version").value;
  forms().forEach(each => {
    field(each, "number").value = next.number;
    field(each, "version").value = version;
    field(each, "entry_key").value = newKey();
  });
  if (next.send) form.querySelector(".send-bar > .btn--main").textContent = next.send;
  const heading = document.querySelector("#progress > strong"), title = document.querySelector("#deal h1");
  if (title && heading) title.textContent = title.textContent.replace(heading.textContent, next.heading);
  if (heading) heading.textContent = next.heading;
  if (next.dealer) askWhoDeals(form, next.dealer);
  const entering = document.getElementById("entering");
  entering?.setAttribute("hx-vals", JSON.stringify({...JSON.parse(entering.getAttribute("hx-vals")), number: next.number}));
  form.querySelectorAll("[data-last]").forEach(last => last.remove());
  form.dispatchEvent(new Event("input", {bubbles: true}));
}
function askWhoDeals(form, dealer) {
  form.querySelectorAll("[data-dealer]").forEach(deals =>
    deals.closest("fieldset").querySelector(`input[value="${dealer}"]`)?.parentElement.append(deals));
  const out = form.querySelector(`[name=sits_out][value="${dealer}"]`);
  if (out) out.checked = true;
}

// The next row while those before it are still on the phone: only where the page can say what is asked.
export async function goOn() {
  const form = mainForm(), facts = about();
  const next = form && facts && await follow(form, facts);
  if (!next) return false;
  if (form !== mainForm()) return true;
  ask(emptied(form), next);
  here.touched = false;
  scrollTo(0, 0);
  if (document.activeElement === document.body) document.querySelector("#deal h1")?.focus();
  return true;
}

// What was refused came back filled in, with what is wrong about it: the next row is asked for by
// the form as it was before.
let blank = null;
export function emptied(form) {
  if (!blank || !form.matches("[data-answered]")) {
    form.reset();
    form.querySelectorAll("details[open]").forEach(more => { more.open = false; });
    return form;
  }
  const clean = blank.cloneNode(true);
  clean.reset();
  field(clean, "version").value = field(form, "version").value;
  form.replaceWith(clean);
  htmx.process(clean);
  return clean;
}

// What another tab has kept or taken back changes what is asked, unless somebody answers here.
export async function askAnew() {
  const form = mainForm(), facts = about();
  if (!form || !facts || isTakenUp() || here.visible) return;
  const next = await follow(form, facts);
  if (next && next.number !== numberOf(form)) ask(form, next);
}

// A form that cannot go on before its rows have arrived is closed, and says so.
document.addEventListener("outbox:shown", ({detail: {rows}}) => {
  const form = mainForm(), facts = about();
  if (!form || !facts) return;
  const ahead = rows.some(row => row.table === facts.table && isMine(row) && row.number >= numberOf(form) && row.key !== here.visible && row.state !== NEEDS);
  const isLookedAt = each => [here.opening, here.visible].includes(field(each, "entry_key").value);
  const closed = (ahead || here.behind) && !forms().some(isLookedAt);
  forms().forEach(each => { each.inert = closed; });
  const notice = section.querySelector("[data-closed]");
  notice.hidden = !closed;
  notice.querySelector("[data-why]").textContent = here.why || "";
});

// A page out of this phone's store may be older than what was sent from it: its key may be used
// up, its number be written. What came from the server just now is taken as it is.
let isFresh = false;
export async function begin() {
  const form = mainForm(), facts = about();
  here.touched = here.behind = false;
  here.asking = null;
  if (!form || !facts) return;
  if (!form.matches("[data-answered]")) blank = form.cloneNode(true);
  // Who joins again goes on with what he entered before.
  for (const row of await everything()) if (facts.was?.includes(row.who)) await change(row.key, {who: facts.who});
  const known = await sheetOf(facts.table), version = versionOf(form);
  const isTold = !known || version >= known.version || isFresh;
  if (isTold) await noteSheet({table: facts.table, version, next: facts.number, stand: facts.stand});
  isFresh = false;
  const next = await follow(form, facts);
  if (form !== mainForm()) return;
  // Made before the row it asks for was written, and it cannot say what comes after that.
  here.behind = !isTold && !next;
  if (here.behind) document.documentElement.dataset.kept = "";
  // What the row that is looked at was answered with stays, whatever waits after it.
  const isItsAnswer = here.visible && form.matches("[data-answered]");
  if (!next && !isItsAnswer && !facts.stand) askLast(form, facts);
  else if (next && next.number !== facts.number && !isItsAnswer) ask(form, next);
  else if (!here.visible) forms().forEach(each => { field(each, "entry_key").value = newKey(); });
}
// All that this page can ask for is entered: it stands at the last one, and is closed.
function askLast(form, facts) {
  const number = Math.max(facts.number, ...Object.keys(facts.rows).map(Number));
  if (facts.rows[number]) ask(form, {number, ...facts.rows[number]});
}

// The phone's own copy of this page (worker.js) may lag behind what others have written: have the
// form as it is now, unless somebody has begun to answer it.
export async function renew(wait = FIRST_PAUSE) {
  const {dataset: root} = document.documentElement;
  if (!("kept" in root) || !region()) return;
  const before = await versionTold();
  const answer = await fetch(location.pathname, {headers: {"HX-Request": "true"}, cache: "no-store"}).catch(() => null);
  const body = answer && isOurs(answer) && answer.ok && await answer.text().catch(() => null);
  // Kept for whoever had this phone before.
  if (body && !marks.has(answer.headers.get("Visitor"))) return location.reload();
  if (!body) return setTimeout(renew, wait, Math.min(LONGEST_PAUSE, 2 * wait));
  // A row has arrived while this was on its way.
  if (await versionTold() !== before) return renew();
  delete root.kept;
  if (isTakenUp() || here.visible || about() && !mainForm()) return;
  isFresh = true;
  put(body);
}
const versionTold = async () => (await sheetOf(about()?.table ?? 0))?.version;

export function put(body) {
  const told = toldIn(parsed(body));
  if (told) return putAround(body, told);
  htmx.swap("#deal", body, {swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0, show: "top", showTarget: "window"});
}
async function putAround(body, told) {
  const put = region();
  if (!await goOn()) return location.reload();
  if (put !== region()) return;
  const {asking} = here;
  document.getElementById("keeping").textContent = JSON.stringify({...about(), number: told.number});
  forms().forEach(each => { field(each, "version").value = told.version; });
  // With it the form is begun anew (htmx:afterSettle), by what it says now.
  htmx.swap("#deal", body, {swapStyle: "none", swapDelay: 0, settleDelay: 0});
  // More of what this phone keeps comes after the row that has arrived.
  if (asking && asking.number !== told.number) ask(mainForm(), asking);
  else mainForm().dispatchEvent(new Event("input", {bubbles: true}));
}
