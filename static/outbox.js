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
  const keep = row => within("rows", "readwrite", rows => rows.put(row));
  const drop = key => within("rows", "readwrite", rows => rows.delete(key));
  const everything = async () => (await within("rows", "readonly", rows => rows.getAll()))
    .sort((a, b) => a.order - b.order);
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

  async function post(row) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIMEOUT);
    try {
      const answer = await fetch(row.action, {
        method: "POST",
        body: enteredBy(row.who, row.fields),
        headers: {"HX-Request": "true", "X-CSRFToken": token()},
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
      await change(row.key, {state: means, tries: 0, next: 0});
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
    const stopped = new Set();
    for (const known of await mine()) {
      if (stopped.has(known.table)) continue;
      // Another tab may have sent or changed it since the list was read.
      const row = await within("rows", "readonly", rows => rows.get(known.key));
      if (!row) continue;
      const waits = row.state === NEEDS || row.state === SIGN_IN && !now
        || (now ? row.held : row.next) > Date.now();
      if (waits && row.key !== asked || await send(row) !== "sent") stopped.add(row.table);
    }
  }).finally(shown);

  let timer = null;
  function again(rows) {
    clearTimeout(timer);
    const next = rows.filter(row => row.state === WAITING).map(row => row.next);
    if (next.length) timer = setTimeout(drain, Math.max(200, Math.min(...next) - Date.now()));
  }

  // --- what the visitor sees of it

  const other = "BroadcastChannel" in window ? new BroadcastChannel("outbox") : null;
  const lately = [], sure = new Set();

  function line(row, state) {
    const item = section.querySelector("template").content.cloneNode(true).firstElementChild;
    const chip = item.querySelector("[data-state]");
    item.dataset.key = row.key;
    item.dataset.number = row.number;
    item.querySelector("[data-name]").textContent = about()?.table === row.table ? row.name : [row.at, row.name].filter(Boolean).join(", ");
    item.querySelector("[data-words]").textContent = row.words;
    chip.textContent = said[{[WAITING]: "kept", [NEEDS]: "needs", [SIGN_IN]: "signIn", sent: "sent", [OTHER]: said.marks ? "other" : "nobody"}[state]];
    chip.className = `chip ${{sent: "chip--ok", [WAITING]: "chip--wait"}[state] || "chip--bad"}`;
    item.querySelector("[data-look]").hidden = state === "sent";
    const dropping = item.querySelector("[data-drop]");
    dropping.hidden = state !== NEEDS;
    if (sure.has(row.key)) dropping.textContent = said.sure;
    return item;
  }

  async function shown() {
    if (!store) return;
    const rows = await everything();
    const list = section.querySelector("[data-rows]");
    list.replaceChildren(
      ...lately.map(row => line(row, "sent")),
      ...rows.map(row => line(row, isMine(row) ? row.state : OTHER)),
    );
    section.hidden = !list.children.length;
    again(rows.filter(isMine));
    lock(rows);
  }
  const refuse = why => document.dispatchEvent(new CustomEvent("outbox:refused", {detail: why}));
  const tell = () => { other?.postMessage("changed"); shown(); };
  other?.addEventListener("message", shown);

  // --- the form on this page

  let visible = null, touched = false;
  const region = () => document.getElementById("deal");
  const mainForm = () => document.querySelector("#deal-form[data-keeps]");
  const about = () => JSON.parse(document.getElementById("keeping")?.textContent || "null");
  const field = (form, name) => form.querySelector(`input[type=hidden][name=${name}]`);

  // The row in words that can be said to the table, should it never arrive.
  function told(form, button) {
    const chosen = ".choice input:checked:not([value=''], [name=sits_out]) + span, [name=points], [data-verdict]";
    // A button that answers, too, and not only sends.
    const parts = [...form.querySelectorAll(chosen), ...(button?.name ? button.childNodes : [])];
    return parts.map(each => each.value || each.textContent.trim()).filter(Boolean).join(" · ");
  }

  async function enter(form, button) {
    const facts = about(), number = Number(field(form, "number").value);
    const fields = [...new FormData(form, button)].filter(([name]) => name !== "csrfmiddlewaretoken");
    const settles = form.dataset.settles;
    const row = {
      key: field(form, "entry_key").value, order: Date.now(), table: facts.table, number,
      who: facts.who, action: form.getAttribute("action"), fields,
      name: facts.rows[number]?.name || facts.name, at: facts.at,
      words: told(form, button),
      state: WAITING, tries: 0, next: 0,
    };
    const before = (await everything()).find(each => each.key === row.key || each.key === settles);
    if (before) row.order = before.order;
    await keep(row);
    if (settles && settles !== row.key) await drop(settles);
    visible = row.key;
    touched = false;
    busy(form, true);
    tell();
    await Promise.race([drain({asked: row.key, now: true}), pause(navigator.onLine ? PATIENCE : 0)]);
    busy(form, false);
    const still = (await everything()).find(each => each.key === row.key);
    if (still && !isMine(still)) return refuse("another");
    if (!form.isConnected || !still || still.state === NEEDS || still.isHeld) return;
    visible = null;
    goOn(form, facts, number + 1);
    shown();
  }

  function busy(form, on) {
    form.querySelectorAll("button:not([type=button])").forEach(button => {
      button.disabled = on;
      button.setAttribute("aria-busy", String(on));
    });
  }

  // The next row while this one is still on the phone: only where the page can say what is asked.
  function goOn(form, facts, number) {
    const next = facts.rows[number];
    if (!next || form.id !== "deal-form") return;
    form.reset();
    ask(form, facts, number);
    form.dispatchEvent(new Event("input", {bubbles: true}));
    touched = false;
    scrollTo(0, 0);
  }
  function ask(form, facts, number) {
    const next = facts.rows[number];
    field(form, "number").value = number;
    field(form, "entry_key").value = newKey();
    form.querySelector(".send-bar > .btn--main").textContent = next.send;
    const heading = document.querySelector("#progress > strong"), title = document.querySelector("#deal h1");
    if (title && heading) title.textContent = title.textContent.replace(heading.textContent, next.heading);
    if (heading) heading.textContent = next.heading;
    form.querySelectorAll("[data-dealer]").forEach(deals =>
      deals.closest("fieldset").querySelector(`input[value="${next.dealer}"]`)?.parentElement.append(deals));
    const out = form.querySelector(`[name=sits_out][value="${next.dealer}"]`);
    if (out) out.checked = true;
    form.querySelectorAll("[data-last]").forEach(last => last.remove());
  }

  // A form that cannot go on before its rows have arrived is closed, and says so.
  function lock(rows) {
    const form = mainForm(), facts = about();
    if (!form || !facts) return;
    const ahead = rows.some(row => row.table === facts.table && isMine(row) && row.number >= Number(field(form, "number").value) && row.key !== visible && row.state !== NEEDS);
    const closed = ahead && field(form, "entry_key").value !== opening;
    document.querySelectorAll("[data-keeps]").forEach(each => { each.inert = closed; });
    const notice = section.querySelector("[data-closed]");
    notice.hidden = !closed;
  }

  // A page out of this phone's store may be older than what was sent from it: its key may be used
  // up, its number be written. What came from the server just now is taken as it is.
  let opening = null;
  async function begin() {
    const form = mainForm(), facts = about();
    touched = false;
    if (!form || !facts) return;
    const known = await sheetOf(facts.table);
    // Who joins again goes on with what he entered before.
    for (const row of await everything()) if (facts.was?.includes(row.who)) await change(row.key, {who: facts.who});
    const rows = (await everything()).filter(row => row.table === facts.table);
    const version = Number(field(form, "version").value);
    let number = Number(field(form, "number").value);
    if (!known || version >= known.version) await noteSheet({table: facts.table, version, next: number});
    else number = known.next;
    // A page that was made before the row it asks for was written, and cannot say what comes after it.
    if (known && version < known.version && !facts.rows[number]) document.documentElement.dataset.kept = "";
    for (const row of rows) if (isMine(row) && row.number >= number && row.state !== NEEDS) number = row.number + 1;
    if (number !== Number(field(form, "number").value) && facts.rows[number]) ask(form, facts, number);
    else if (!visible) document.querySelectorAll("[data-keeps]").forEach(each => { field(each, "entry_key").value = newKey(); });
  }

  // The phone's own copy of this page (worker.js) may lag behind what others have written: have the
  // form as it is now, unless somebody has begun to answer it.
  async function renew(wait = FIRST_PAUSE) {
    const {dataset: root} = document.documentElement;
    if (!("kept" in root) || !about()) return;
    const answer = await fetch(location.pathname, {headers: {"HX-Request": "true"}, cache: "no-store"}).catch(() => null);
    const body = answer && isOurs(answer) && answer.ok && await answer.text().catch(() => null);
    // Kept for whoever had this phone before.
    if (body && !marks.has(answer.headers.get("Visitor"))) return location.reload();
    if (!body) return setTimeout(renew, wait, Math.min(LONGEST_PAUSE, 2 * wait));
    delete root.kept;
    if (!touched && !visible && mainForm()) put(body);
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
    const form = parsed(body).querySelector("#deal-form");
    const known = await sheetOf(row.table);
    const version = form ? Number(field(form, "version").value) : (known?.version || 0) + 1;
    const next = form ? Number(field(form, "number").value) : row.number + 1;
    if (!known || version >= known.version) await noteSheet({table: row.table, version, next});
  }

  function put(body) {
    htmx.swap("#deal", body, {swapStyle: "outerHTML", swapDelay: 0, settleDelay: 20, show: "top", showTarget: "window"});
  }
  document.addEventListener("outbox:answer", ({detail: {row, answer, means}}) => {
    const facts = about() || {}, here = region() && facts.table === row.table;
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
  // Fill the form with a row that waits: sent again it is the same row, with the same key.
  function fill(form, row) {
    form.reset();
    answer(form, row.fields);
    opening = row.key;
    form.inert = false;
    const facts = about();
    form.querySelector(".send-bar > .btn--main")?.replaceChildren(facts.rows[row.number]?.send || row.name);
    form.dispatchEvent(new Event("input", {bubbles: true}));
    shown();
  }

  async function look(key) {
    const row = (await everything()).find(each => each.key === key);
    if (!row) return;
    const facts = about();
    if (!facts || facts.table !== row.table || !region()) {
      location.assign(`${row.action}#kept=${key}`);
      return;
    }
    // What another has entered becomes one's own by being sent, and is looked at before.
    if (!isMine(row)) return mainForm() && fill(mainForm(), row);
    visible = key;
    await Promise.race([drain({asked: key, now: true}), pause(PATIENCE)]);
    const still = (await everything()).find(each => each.key === key);
    if (still && still.state !== NEEDS && mainForm()) fill(mainForm(), still);
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
  function isSure(button, key) {
    if (sure.has(key)) return true;
    sure.add(key);
    button.textContent = said.sure;
    return false;
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
    const dropped = event.target.closest("a[data-settles], [data-drop]"), wanted = event.target.closest("[data-look]");
    if (!store || !dropped && !wanted) return;
    const key = dropped?.dataset.settles || event.target.closest("[data-key]").dataset.key;
    if (wanted) return look(key);
    if (!dropped.href && !isSure(dropped, key)) return;
    if (dropped.href) event.preventDefault();
    await drop(key);
    tell();
    if (dropped.href) location.assign(dropped.href);
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
