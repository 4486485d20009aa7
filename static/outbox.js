// Tapis Vert, the outbox: what was entered at a table stays on this phone until the server has it.
// A row is written into the phone's own store before it is sent, and leaves it when an answer says
// that exactly this row was looked at (header Entry-Key): a cut line, a closed tab, an empty battery
// or a hotel's sign-in page lose nothing, and the row's key makes a second arrival harmless.
// Without this file, or without a store, htmx or the browser sends the form as it is.
"use strict";
(() => {
  const section = document.querySelector("[data-outbox]");
  if (!section || !window.indexedDB) return;
  const said = section.dataset;
  const marks = new Set(said.marks.split(" ").filter(Boolean));
  // How long somebody waits for the answer before the next row is offered; for an answer at all;
  // the pauses between two tries; and the longest one that a site can ask for (Retry-After).
  const PATIENCE = 3000, TIMEOUT = 15000, FIRST_PAUSE = 1000, LONGEST_PAUSE = 30000, LONGEST_ASKED = 120000;
  // So many rows that wait are shown one by one.
  const FEW = 3;
  const WAITING = "waiting", NEEDS = "needs", SIGN_IN = "sign-in", OTHER = "other";

  // --- the store on this phone: rows on their way, and how far each table's sheet had come

  let store = null;
  const opened = new Promise(resolve => {
    let asked;
    try { asked = indexedDB.open("tapis-vert", 1); } catch { return resolve(null); }
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("rows", {keyPath: "key"});
      asked.result.createObjectStore("sheets", {keyPath: "table"});
    };
    asked.onsuccess = () => {
      store = asked.result;
      store.onversionchange = () => { store.close(); store = null; };
      resolve(store);
    };
    asked.onerror = asked.onblocked = () => resolve(null);
  });
  function within(name, mode, work) {
    return new Promise((resolve, reject) => {
      const change = store.transaction(name, mode, {durability: "strict"});
      const asked = work(change.objectStore(name));
      change.oncomplete = () => resolve(asked?.result);
      change.onerror = change.onabort = () => reject(change.error);
    });
  }
  const byOrder = (a, b) => a.order - b.order;
  // In one step, whatever happens to the page: the row is kept in the place of those that it
  // replaces. Where it settles one under another number, those behind that move as far as it does.
  const keep = (row, isReplaced, settles) => within("rows", "readwrite", rows => {
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
  const drop = key => within("rows", "readwrite", rows => rows.delete(key));
  const everything = async () => (await within("rows", "readonly", rows => rows.getAll())).sort(byOrder);
  const isMine = row => marks.has(row.who);
  const mine = async () => (await everything()).filter(isMine);
  const sheetOf = table => within("sheets", "readonly", sheets => sheets.get(table));
  const noteSheet = sheet => within("sheets", "readwrite", sheets => sheets.put(sheet));
  // A row may have changed while its answer was on the way: the one in the store is written on.
  const change = (key, what) => within("rows", "readwrite", rows => {
    const asked = rows.get(key);
    asked.onsuccess = () => { if (asked.result) rows.put({...asked.result, ...what}); };
  });

  function newKey() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 15 | 64;
    bytes[8] = bytes[8] & 63 | 128;
    const hex = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  // --- sending: in order for each table, by one tab at a time

  const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] || "";
  const pause = time => new Promise(resolve => { setTimeout(resolve, time); });
  // Where the browser knows no locks two tabs may send the same row: the server writes it once.
  const alone = work => (navigator.locks ? navigator.locks.request("outbox", work) : work());

  // A page of the wifi's own, in place of an answer, says nothing about a row.
  const isOurs = answer => answer.headers.has("Tapis-Vert");
  // What stands before the site asks for a pause in seconds or until a date, if it asks at all.
  function pauseWanted(answer) {
    const asked = [429, 503].includes(answer.status) && answer.headers.get("Retry-After");
    if (!asked) return 0;
    const time = /^\d+$/.test(asked) ? asked * 1000 : Date.parse(asked) - Date.now();
    return Math.min(LONGEST_ASKED, Math.max(0, time || 0));
  }

  // A row says who entered it, for the phone may have changed hands since.
  function enteredBy(who, fields) {
    const sent = new URLSearchParams(fields);
    sent.set("entered_by", who);
    return sent;
  }

  // A form that came without answers can be asked again without the site.
  const goesOn = () => (mainForm()?.matches(":not([data-answered])") ? {"Goes-On": "yes"} : {});

  async function post(row) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIMEOUT);
    try {
      const answer = await fetch(row.action, {
        method: "POST",
        body: enteredBy(row.who, row.fields),
        headers: {"HX-Request": "true", "X-CSRFToken": token(), ...goesOn()},
        cache: "no-store",
        signal: patience.signal,
      });
      return {
        status: answer.status,
        about: answer.headers.get("Entry-Key"),
        refused: answer.headers.get("Refused"),
        wanted: pauseWanted(answer),
        isOurs: isOurs(answer),
        body: await answer.text(),
      };
    } catch {
      return {status: 0};
    } finally {
      clearTimeout(timer);
    }
  }

  // What an answer means for the row; "later" for all that says nothing about it.
  function meaning(row, answer) {
    if (!answer.isOurs) return "later";
    if (answer.status === 401) return SIGN_IN;
    if (answer.refused === "page-too-old") return "again";
    if (answer.refused === "another") return OTHER;
    if (answer.status === 403 || answer.status === 404) return NEEDS;
    // A table that is held goes on after a while, and so does its row.
    if (answer.about !== row.key || answer.refused === "held") return "later";
    if (answer.status === 200) return "sent";
    return answer.status === 409 || answer.status === 422 ? NEEDS : "later";
  }

  async function send(row) {
    // Where the browser knows of no network nothing has left the phone.
    if (navigator.onLine && !row.left) await change(row.key, {left: true});
    let answer = await post(row), means = meaning(row, answer);
    if (means === "again") {
      answer = await post(row);
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

  // ``asked``: somebody wants this row tried now, whatever stood in its way before.
  const drain = ({asked = null, now = false} = {}) => alone(async () => {
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
  const stops = async ({key, table}) => {
    const row = await within("rows", "readonly", rows => rows.get(key));
    return Boolean(row) && (row.state !== NEEDS || isBefore(row, await sheetOf(table)));
  };
  // A row that needs somebody comes before those after it as long as its number is open on the
  // sheet, or holds what another has entered; else it holds nothing back.
  const isBefore = (row, sheet) => row.state === NEEDS
    && (row.status === 409 || row.status === 422 && !row.isClosed && (sheet?.next ?? row.number) <= row.number);

  let timer = null;
  function again(rows) {
    clearTimeout(timer);
    const next = rows.filter(row => row.state === WAITING).map(row => row.next);
    if (next.length) timer = setTimeout(drain, Math.max(200, Math.min(...next) - Date.now()));
  }

  // --- what the visitor sees of it

  const other = "BroadcastChannel" in window ? new BroadcastChannel("outbox") : null;
  const lately = [], sure = new Set();

  // Is this page about the row's table? One whose form is closed says so by its address only.
  const isHere = row => about()?.table === row.table || [row.action, row.action.replace(/deals\/$/, "")].includes(location.pathname);
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
    return row.key === stuck && !behinds.has(row.key) ? NEEDS : row.state;
  }

  let looks = 0;
  async function shown() {
    if (!store) return;
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
    again(rows.filter(isMine));
    lock(rows);
  }
  const refuse = why => document.dispatchEvent(new CustomEvent("outbox:refused", {detail: why}));
  const tell = () => { other?.postMessage("changed"); shown(); };
  other?.addEventListener("message", async () => {
    await askAnew();
    shown();
  });

  // --- the form on this page

  // The row whose answer is shown; one that cannot follow those before it; why nothing can be asked
  // before they have arrived; what is asked now, if it is not what the server asked; is the form begun?
  let visible = null, stuck = null, why = null, asking = null, touched = false;
  const region = () => document.getElementById("deal");
  const mainForm = () => document.querySelector("#deal-form[data-keeps]");
  const about = (page = document) => JSON.parse(page.getElementById("keeping")?.textContent || "null");
  const field = (form, name) => form.querySelector(`input[type=hidden][name=${name}]`);

  // The row in words that can be said to the table, should it never arrive.
  const CHOSEN = ".choice input:checked:not([value=''], [name=sits_out]) + span, [name^=points], [name=notation], [data-verdict]";
  const textOf = part => part.value || part.textContent.trim();
  function told(form, button, chosen = CHOSEN, say = textOf) {
    // A button that answers, too, and not only sends.
    const parts = [...form.querySelectorAll(chosen), ...(button?.name ? button.childNodes : [])];
    return parts.filter(textOf).map(say).join(" · ");
  }
  // So that somebody else can write it: a bare number with what was asked, and whose points it is.
  const inFull = (form, button) => told(form, button, `${CHOSEN}, .points .segments label:has(:checked)`, part => {
    const asked = /^\d+$/.test(textOf(part)) && (part.labels?.[0] || part.parentElement.closest("fieldset")?.querySelector("legend"));
    return [asked && asked.textContent.trim(), textOf(part)].filter(Boolean).join(" ");
  });

  async function enter(form, button) {
    const facts = about(), number = Number(field(form, "number").value);
    const fields = [...new FormData(form, button)].filter(([name]) => name !== "csrfmiddlewaretoken");
    const settles = form.dataset.settles;
    const row = {
      key: field(form, "entry_key").value, order: Date.now(), table: facts.table, number,
      who: facts.who, action: form.getAttribute("action"), fields,
      by: facts.by, name: asking?.name || facts.rows[number]?.name || facts.name, at: facts.at,
      words: told(form, button), full: inFull(form, button),
      state: WAITING, tries: 0, next: 0,
    };
    // What the form itself has refused is put right by the next one of its number.
    const isReplaced = each => each.key === row.key || (settles ? each.key === settles : isMine(each) && each.table === row.table
      && each.number === number && each.state === NEEDS && each.status === 422);
    await keep(row, isReplaced, settles);
    visible = row.key;
    touched = false;
    busy(form, true);
    tell();
    await Promise.race([drain({asked: row.key, now: true}), pause(navigator.onLine ? PATIENCE : 0)]);
    busy(form, false);
    const still = (await everything()).find(each => each.key === row.key);
    if (still && !isMine(still)) return refuse("another");
    if (!form.isConnected || !still || still.state === NEEDS || still.isHeld) return;
    // Where two versions are shown, and no form, the answer to the choice is waited for.
    if (!mainForm()) return shown();
    visible = opening = null;
    await goOn();
    shown();
  }

  function busy(form, on) {
    form.querySelectorAll("button:not([type=button])").forEach(button => {
      button.disabled = on;
      button.setAttribute("aria-busy", String(on));
    });
  }

  // The next row while those before it are still on the phone: only where the page can say what is
  // asked, by its own list, or by the script of the game, which looks up what follows each row.
  async function goOn() {
    const form = mainForm(), facts = about();
    const next = form && facts && await follow(form, facts);
    if (!next) return false;
    ask(emptied(form), next);
    touched = false;
    scrollTo(0, 0);
    if (document.activeElement === document.body) document.querySelector("#deal h1")?.focus();
    return true;
  }

  // What was refused came back filled in, with what is wrong about it: the next row is asked for by
  // the form as it was before.
  let blank = null;
  function emptied(form) {
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
  async function askAnew() {
    const form = mainForm(), facts = about();
    if (!form || !facts || touched || visible || opening) return;
    const next = await follow(form, facts);
    if (next && next.number !== Number(field(form, "number").value)) ask(form, next);
  }

  // Where the sheet stood when the server last said so: on this page, or in an answer since.
  async function standOf(form, facts) {
    const known = await sheetOf(facts.table), version = Number(field(form, "version").value);
    const isNewer = Boolean(known) && known.version > version;
    return isNewer ? {number: known.next, stand: known.stand, isNewer} : {number: facts.number, stand: facts.stand, isNewer};
  }
  // ``before``: a row that is to be looked at again where it stands.
  async function follow(form, facts, before = null) {
    const from = await standOf(form, facts);
    const rows = (await everything()).filter(row => row.table === facts.table && isMine(row)
      && row.number >= from.number && (!before || row.number < before.number));
    stuck = why = null;
    if (!facts.stand) {
      const number = before ? before.number : Math.max(from.number, ...rows.filter(row => row.state !== NEEDS).map(row => row.number + 1));
      return facts.rows[number] ? {number, ...facts.rows[number]} : null;
    }
    // What the server has refused is followed by nothing; what another has contradicted, by one's own.
    const stands = rows.filter(row => row.state !== NEEDS || row.status === 409).sort((a, b) => a.number - b.number);
    const detail = {...from, rows: stands};
    if (from.stand) document.dispatchEvent(new CustomEvent("outbox:follow", {detail}));
    stuck = detail.stuck?.key || null;
    why = detail.why || null;
    return detail.next || null;
  }

  function ask(form, next) {
    asking = next;
    next.show?.(form);
    const version = field(form, "version").value;
    document.querySelectorAll("[data-keeps]").forEach(each => {
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

  // A form that cannot go on before its rows have arrived is closed, and says so.
  function lock(rows) {
    const form = mainForm(), facts = about();
    if (!form || !facts) return;
    const ahead = rows.some(row => row.table === facts.table && isMine(row) && row.number >= Number(field(form, "number").value) && row.key !== visible && row.state !== NEEDS);
    const forms = [...document.querySelectorAll("[data-keeps]")];
    const closed = (ahead || behind) && !forms.some(each => [opening, visible].includes(field(each, "entry_key").value));
    forms.forEach(each => { each.inert = closed; });
    const notice = section.querySelector("[data-closed]");
    notice.hidden = !closed;
    notice.querySelector("[data-why]").textContent = why || "";
  }

  // A page out of this phone's store may be older than what was sent from it: its key may be used
  // up, its number be written. What came from the server just now is taken as it is.
  let opening = null, behind = false, isFresh = false;
  async function begin() {
    const form = mainForm(), facts = about();
    touched = behind = false;
    asking = null;
    if (!form || !facts) return;
    if (!form.matches("[data-answered]")) blank = form.cloneNode(true);
    // Who joins again goes on with what he entered before.
    for (const row of await everything()) if (facts.was?.includes(row.who)) await change(row.key, {who: facts.who});
    const known = await sheetOf(facts.table), version = Number(field(form, "version").value);
    const isTold = !known || version >= known.version || isFresh;
    if (isTold) await noteSheet({table: facts.table, version, next: facts.number, stand: facts.stand});
    isFresh = false;
    const next = await follow(form, facts);
    // Made before the row it asks for was written, and it cannot say what comes after that.
    behind = !isTold && !next;
    if (behind) document.documentElement.dataset.kept = "";
    // What the row that is looked at was answered with stays, whatever waits after it.
    const isItsAnswer = visible && form.matches("[data-answered]");
    if (!next && !isItsAnswer && !facts.stand) askLast(form, facts);
    else if (next && next.number !== facts.number && !isItsAnswer) ask(form, next);
    else if (!visible) document.querySelectorAll("[data-keeps]").forEach(each => { field(each, "entry_key").value = newKey(); });
  }

  // All that this page can ask for is entered: it stands at the last one, and is closed (``lock``).
  function askLast(form, facts) {
    const number = Math.max(facts.number, ...Object.keys(facts.rows).map(Number));
    if (facts.rows[number]) ask(form, {number, ...facts.rows[number]});
  }

  // The phone's own copy of this page (worker.js) may lag behind what others have written: have the
  // form as it is now, unless somebody has begun to answer it.
  async function renew(wait = FIRST_PAUSE) {
    const {dataset: root} = document.documentElement;
    if (!("kept" in root) || !region()) return;
    const answer = await fetch(location.pathname, {headers: {"HX-Request": "true"}, cache: "no-store"}).catch(() => null);
    const body = answer && isOurs(answer) && answer.ok && await answer.text().catch(() => null);
    // Kept for whoever had this phone before.
    if (body && !marks.has(answer.headers.get("Visitor"))) return location.reload();
    if (!body) return setTimeout(renew, wait, Math.min(LONGEST_PAUSE, 2 * wait));
    delete root.kept;
    if (touched || visible || about() && !mainForm()) return;
    isFresh = true;
    put(body);
  }

  // A half answered form outlasts a page that is left or loaded anew, in the tab where it is.
  const DRAFT = "tapis-vert-draft";
  function keepDraft() {
    const form = mainForm();
    if (!form || !touched) return;
    const asked = [...new FormData(form)].filter(([name]) => form.querySelector(`[name="${name}"]`).type !== "hidden");
    sessionStorage.setItem(DRAFT, JSON.stringify({table: about().table, number: field(form, "number").value, asked}));
  }
  function takeUpDraft() {
    const form = mainForm(), draft = JSON.parse(sessionStorage.getItem(DRAFT));
    if (!form || !draft || draft.table !== about().table || draft.number !== field(form, "number").value) return;
    sessionStorage.removeItem(DRAFT);
    answer(form, draft.asked);
    form.dispatchEvent(new Event("input", {bubbles: true}));
    touched = true;
  }

  const parsed = body => new DOMParser().parseFromString(body, "text/html");
  async function arrived(row, body) {
    const page = parsed(body), form = page.querySelector("#deal-form"), facts = about(page), told = toldIn(page);
    const known = await sheetOf(row.table);
    const version = told?.version || (form ? Number(field(form, "version").value) : (known?.version || 0) + 1);
    const next = told?.number || (form ? Number(field(form, "number").value) : row.number + 1);
    if (!known || version >= known.version) await noteSheet({table: row.table, version, next, stand: facts?.stand});
  }

  // The sheet has come so far without this phone, which cannot tell what stands there.
  async function contradicted(row, body) {
    const form = parsed(body).querySelector("[data-settles][data-keeps]"), known = await sheetOf(row.table);
    if (!form) return;
    const [version, next] = ["version", "number"].map(name => Number(field(form, name).value));
    if (!known || version > known.version) await noteSheet({table: row.table, version, next});
  }

  // What the site says to a phone that asks for the next row by itself: only what is around it.
  const toldIn = page => JSON.parse(page.getElementById("told")?.textContent || "null");
  async function putAround(body, told) {
    if (!await goOn()) return location.reload();
    htmx.swap("#deal", body, {swapStyle: "none", swapDelay: 0, settleDelay: 20});
    document.getElementById("keeping").textContent = JSON.stringify({...about(), number: told.number});
    document.querySelectorAll("[data-keeps]").forEach(each => { field(each, "version").value = told.version; });
    // More of what this phone keeps comes after the row that has arrived.
    if (asking && asking.number !== told.number) ask(mainForm(), asking);
    else mainForm().dispatchEvent(new Event("input", {bubbles: true}));
  }
  function put(body) {
    const told = toldIn(parsed(body));
    if (told) return putAround(body, told);
    htmx.swap("#deal", body, {swapStyle: "outerHTML", swapDelay: 0, settleDelay: 20, show: "top", showTarget: "window"});
  }
  document.addEventListener("outbox:answer", ({detail: {row, answer, means}}) => {
    const here = region() && isHere(row);
    if (means === "sent") {
      lately.push({...row});
      setTimeout(() => { lately.shift(); shown(); }, 6000);
    }
    const isSaid = means === "later" && row.isHeld;
    if (row.key === visible && here && answer.about === row.key && !isSaid) {
      if (means === "sent") visible = null;
      put(answer.body);
    } else if (means === "sent" && here && !touched && mainForm()) put(answer.body);
    const refusal = {[SIGN_IN]: "signed-out", [OTHER]: "another", [NEEDS]: answer.about !== row.key && "refused"}[means];
    if (row.key === visible && refusal) refuse(refusal);
    tell();
  });

  function answer(form, fields) {
    for (const [name, value] of fields) {
      form.querySelectorAll(`[name="${name}"]`).forEach(each => {
        if (each.type === "radio" || each.type === "checkbox") each.checked = each.value === value;
        else if (each.tagName !== "BUTTON") each.value = value;
      });
    }
  }
  // Fill the form with a row that waits: sent again it is the same row, with the same key. It is
  // asked for as it is now; of what the page sends unasked only the row's number and key stay.
  async function fill(row) {
    const shownNow = mainForm(), next = await follow(shownNow, about(), row), main = emptied(shownNow);
    if (next) ask(main, next);
    const form = formFor(row) || main, ours = ["number", "entry_key"];
    const isHidden = name => form.querySelector(`[name="${name}"]`)?.type === "hidden";
    answer(form, row.fields.filter(([name]) => !isHidden(name) || ours.includes(name)));
    form.closest("details")?.setAttribute("open", "");
    opening = row.key;
    form.inert = false;
    main.querySelector(".send-bar > .btn--main")?.replaceChildren(about().rows[row.number]?.send || row.name);
    form.dispatchEvent(new Event("input", {bubbles: true}));
    form.dispatchEvent(new Event("change", {bubbles: true}));
    shown();
  }
  // Where a page has several forms: the one that can say all that the row says.
  const formFor = row => [...document.querySelectorAll("[data-keeps]")].find(form => row.fields.every(([name, value]) =>
    name === "entered_by" || [...form.querySelectorAll(`[name="${name}"]`)].some(each => !each.matches("button, [type=radio]") || each.value === value)));

  async function look(key) {
    const row = (await everything()).find(each => each.key === key);
    if (!row) return;
    // What is closed has no form: its own page still shows what was answered.
    const isItsPage = region() ? isHere(row) : location.pathname === row.action;
    if (!isItsPage) {
      location.assign(`${row.action}#kept=${key}`);
      return;
    }
    // What another has entered becomes one's own by being sent, and is looked at before.
    if (!isMine(row)) return mainForm() && fill(row);
    visible = key;
    await Promise.race([drain({asked: key, now: true}), pause(PATIENCE)]);
    const still = (await everything()).find(each => each.key === key);
    if (still && still.state !== NEEDS && mainForm()) await fill(still);
    if (!still) visible = null;
  }

  async function settle(form) {
    const patience = new AbortController();
    const timeout = setTimeout(() => patience.abort(), TIMEOUT);
    try {
      const answer = await fetch(form.getAttribute("action"), {
        method: "POST", body: enteredBy(about().who, new FormData(form)), signal: patience.signal,
        headers: {"HX-Request": "true", "X-CSRFToken": token()},
      });
      const away = answer.headers.get("HX-Redirect") || (answer.redirected ? answer.url : "");
      if (!isOurs(answer)) throw new Error("not an answer of this site");
      if (away && answer.ok) {
        await drop(form.dataset.settles);
        location.assign(away);
      } else if ([200, 409, 422].includes(answer.status)) put(await answer.text());
      else refuse(answer.headers.get("Refused") || (answer.status === 401 ? "signed-out" : "refused"));
    } catch {
      refuse("offline");
    } finally {
      clearTimeout(timeout);
    }
  }

  // What is dropped is gone: the button asks once more, in its own words, also when the list was
  // written anew in between.
  function isSure(button, key, words = said.sure) {
    if (sure.has(key)) return true;
    sure.add(key);
    button.textContent = words;
    return false;
  }

  // What somebody else had entered is thrown away by name: the journal tells it, where the network
  // lets it, in the site's words. Nothing else is told of: who entered a row may drop it as he likes.
  async function throwAway(key) {
    const row = (await everything()).find(each => each.key === key);
    await drop(key);
    if (!row || isMine(row)) return;
    fetch(said.dropping.replace("/0/", `/${row.table}/`), {
      method: "POST", keepalive: true, headers: {"X-CSRFToken": token()},
      body: enteredBy(row.who, row.fields),
    }).catch(() => {});
  }

  // A row that may have arrived is asked about once more: then it is taken back on the sheet.
  async function undo(button, key) {
    const row = (await everything()).find(each => each.key === key);
    if (!row || row.left && !isSure(button, key, said.perhaps)) return;
    await drop(key);
    touched = false;
    visible = opening = null;
    await goOn();
    tell();
  }

  // Who gives his seat up while rows of his wait is told once: they are sent as him only.
  async function leave(form) {
    const notice = section.querySelector("[data-leaving]");
    // Looked for first: a form is not sent again while it is being sent.
    if (!(await mine()).length || !notice.hidden) {
      delete form.dataset.leaves;
      return form.requestSubmit();
    }
    notice.hidden = false;
    notice.scrollIntoView({block: "center"});
  }

  // --- when things happen

  document.addEventListener("submit", event => {
    const form = event.target;
    if (!store || !form.matches("[data-keeps], [data-settles], [data-leaves]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.matches("[data-leaves]")) leave(form);
    else if (!form.matches("[data-keeps]")) settle(form);
    else if (!form.querySelector("[aria-busy=true]")) {
      enter(form, event.submitter).catch(() => {
        // The store is full or gone: as without it.
        store = null;
        busy(form, false);
        form.requestSubmit(event.submitter?.form === form ? event.submitter : undefined);
      });
    }
  }, true);
  document.addEventListener("click", async event => {
    const button = event.target.closest("a[data-settles], [data-drop], [data-look], [data-undo]");
    if (!store || !button) return;
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
  document.addEventListener("input", event => { if (event.isTrusted && event.target.closest("[data-keeps]")) touched = true; });
  document.addEventListener("click", event => { if (event.isTrusted && event.target.closest("[data-keypad]")) touched = true; });
  addEventListener("pagehide", keepDraft);
  addEventListener("online", () => drain({now: true}));
  addEventListener("pageshow", () => opened.then(() => store && drain({now: true})));
  document.addEventListener("visibilitychange", () => { if (!document.hidden && store) drain({now: true}); });
  document.addEventListener("htmx:afterSettle", event => {
    // What is put beside the form changes nothing of what is begun in it.
    if (!store || !event.detail.elt.matches?.("#deal")) return;
    begin().then(shown);
  });

  opened.then(async () => {
    if (!store) return;
    await begin();
    takeUpDraft();
    section.dataset.ready = "yes";
    renew();
    await drain({now: true});
    const kept = /^#kept=([\w-]+)$/.exec(location.hash);
    if (kept) {
      history.replaceState(null, "", location.pathname);
      look(kept[1]);
    }
  });
})();
