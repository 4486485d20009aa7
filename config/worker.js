// Tapis Vert, the service worker: the pages of a table open without network once they were seen.
// ``SITE`` stands above: the version of all files, where they lie, and those the pages of a table are
// made of. Files are kept by version, those of the version before for the pages that were kept with
// them. Pages are kept for one visitor, as the answer's header Visitor names him, and are gone when
// somebody else writes, or when he signs out. The rows that wait to be sent are not touched here:
// they lie in a store of their own (outbox.js).
"use strict";
const OF_FILES = "files-", FILES = OF_FILES + SITE.version, PAGES = "pages-", OURS = "Tapis-Vert";
// Whatever is sent there, somebody else may look at the pages afterwards.
const HANDS_OVER = /^\/(sign-(in|out|up)|j\/[\w-]+|evenings\/\d+\/place\/other)\/$/;
// What opens without network: where rows are entered, the sheet, and the seat of a phone.
const KEPT = [/^\/tables\/\d+\/(deals\/)?$/, /^\/evenings\/\d+\/place\/$/];
// A line that is this slow is as good as none, when the page is at hand.
const PATIENCE = 5000, MOST_PAGES = 12;
// What is lost on the way is asked for again at once; the pauses grow.
const TRIES = 4, PAUSE = 200;

self.addEventListener("install", event => {
  // The rows and the open pages lose nothing by a change of workers: the new one starts at once.
  const wanted = [...SITE.files, SITE.offline].map(address => new Request(address, {cache: "reload"}));
  event.waitUntil(Promise.allSettled(wanted.map(fetchFile)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", event => {
  event.waitUntil(forgetFiles().then(() => self.clients.claim()));
});

// Caches are named in the order in which they were made.
async function forgetFiles() {
  const former = (await caches.keys()).filter(name => name.startsWith(OF_FILES) && name !== FILES);
  await Promise.all(former.slice(0, -1).map(name => caches.delete(name)));
}

async function forget(which) {
  const names = await caches.keys();
  await Promise.all(names.filter(which).map(name => caches.delete(name)));
}

self.addEventListener("message", event => {
  // A page says who looks at it: pages of anybody else are dropped.
  const marks = event.data?.marks;
  if (!Array.isArray(marks)) return;
  event.waitUntil(forget(name => name.startsWith(PAGES) && !marks.includes(name.slice(PAGES.length)))
    .then(() => keepOpened(new URL(event.source.url).pathname)));
});

// The first page of a visit was there before this worker was.
async function keepOpened(path) {
  if (!KEPT.some(each => each.test(path)) || await find(path)) return;
  const answer = await ask(new Request(path, {redirect: "manual"}), isPage);
  if (answer) await store(answer, path);
}

self.addEventListener("fetch", event => {
  const {request} = event, address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (request.method === "POST" && HANDS_OVER.test(address.pathname)) {
    event.waitUntil(forget(name => name.startsWith(PAGES)));
    return;
  }
  if (request.method !== "GET") return;
  if (SITE.files.includes(address.pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate" && request.destination === "document") {
    const isKept = KEPT.some(each => each.test(address.pathname));
    event.respondWith(isKept ? page(event, request, address.pathname) : visit(request));
  } else if (address.pathname.startsWith(SITE.folder)) event.respondWith(formerFile(request));
});

// What stands between a phone and the site may answer for it: with an error (502, 503, 504), or
// with a page of its own as if all were well.
const isPage = answer => answer.status < 502 && (answer.type === "opaqueredirect" || answer.headers.has(OURS));
const typeOf = answer => answer.headers.get("Content-Type") || "";
const isFile = answer => answer.ok && (answer.headers.has(OURS) || !typeOf(answer).startsWith("text/html"));

// An answer with all that belongs to it: one that breaks off is none.
async function whole(request) {
  const answer = await fetch(request);
  if (answer.type === "opaqueredirect" || !typeOf(answer).startsWith("text/")) return answer;
  const {status, statusText, headers} = answer, body = await answer.blob();
  return new Response([204, 304].includes(status) ? null : body, {status, statusText, headers});
}

// The first good answer, else the last one, which may be none.
async function ask(request, isGood) {
  let answer = null;
  for (let turn = 0; turn < TRIES; turn += 1) {
    if (turn) await new Promise(resolve => { setTimeout(resolve, PAUSE * turn); });
    answer = await whole(request).catch(() => null);
    if (answer && isGood(answer) || !navigator.onLine) break;
  }
  return answer;
}

async function file(request) {
  const known = await (await caches.open(FILES)).match(request, {ignoreVary: true});
  return known || await fetchFile(request) || Response.error();
}

async function fetchFile(request) {
  const answer = await ask(request, isFile);
  if (answer && isFile(answer)) await (await caches.open(FILES)).put(request, answer.clone());
  return answer;
}

// What a page that was kept by the worker before this one is made of.
const formerFile = async request => await caches.match(request, {ignoreVary: true}) || fetch(request);

async function page(event, request, path) {
  const asked = ask(request, isPage);
  event.waitUntil(asked.then(answer => answer && store(answer.clone(), path)).catch(() => {}));
  const known = await find(path);
  if (!known) return await shown(await asked);
  const late = new Promise(resolve => { setTimeout(resolve, PATIENCE, null); });
  const answer = await Promise.race([asked, late]);
  return answer && isPage(answer) ? answer : fromStore(known);
}

// The page says that it is a kept one, and of when, and asks for the present state (live.js, outbox.js).
async function fromStore(known) {
  const made = new Date(known.headers.get("Date") || NaN), when = isNaN(made) ? "" : made.toISOString();
  const text = (await known.text()).replace("<html", `<html data-kept="${when}"`);
  return new Response(text, {headers: known.headers});
}

const visit = async request => await shown(await ask(request, isPage));

// Where nothing has come, a page that asks again by itself; the wifi's own pages are shown as they
// are, for somebody may have to agree to something there.
async function shown(answer) {
  if (answer && answer.status < 502) return answer;
  const files = await caches.open(FILES);
  return await files.match(SITE.offline, {ignoreVary: true}) || answer || Response.error();
}

async function find(path) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PAGES)) continue;
    const known = await (await caches.open(name)).match(path, {ignoreVary: true});
    if (known) return known;
  }
  return null;
}

async function store(answer, path) {
  const visitor = answer.headers.get("Visitor");
  if (!answer.ok || !visitor) return;
  await forget(name => name.startsWith(PAGES) && name !== PAGES + visitor);
  const pages = await caches.open(PAGES + visitor);
  await pages.put(path, answer);
  const kept = await pages.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_PAGES)).map(each => pages.delete(each)));
}
