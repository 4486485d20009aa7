// Tapis Vert, the service worker: the pages of a table open without network once they were seen.
// ``SITE`` stands above: the version of all files, and those the pages of a table are made of.
// Files are kept by version; pages are kept for one visitor, as the answer's header Visitor names
// him, and are gone when somebody else writes, or when he signs out. The rows that wait to be sent
// are not touched here: they lie in a store of their own (outbox.js).
"use strict";
const FILES = `files-${SITE.version}`, PAGES = "pages-";
// What opens without network: where rows are entered, the sheet, and the seat of a phone.
const KEPT = [/^\/tables\/\d+\/(deals\/)?$/, /^\/evenings\/\d+\/place\/$/];
// A line that is this slow is as good as none, when the page is at hand.
const PATIENCE = 5000, MOST_PAGES = 12;

self.addEventListener("install", event => {
  // The rows and the open pages lose nothing by a change of workers: the new one starts at once.
  event.waitUntil(caches.open(FILES).then(files => Promise.allSettled(
    SITE.files.map(address => files.add(new Request(address, {cache: "reload"}))),
  )).then(() => self.skipWaiting()));
});

self.addEventListener("activate", event => {
  event.waitUntil(forget(name => name.startsWith("files-") && name !== FILES).then(() => self.clients.claim()));
});

async function forget(which) {
  const names = await caches.keys();
  await Promise.all(names.filter(which).map(name => caches.delete(name)));
}

self.addEventListener("message", event => {
  // A page says who looks at it: pages of anybody else are dropped.
  const marks = event.data?.marks;
  if (!Array.isArray(marks)) return;
  event.waitUntil(forget(name => name.startsWith(PAGES) && !marks.includes(name.slice(PAGES.length))));
});

self.addEventListener("fetch", event => {
  const {request} = event, address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (request.method === "POST" && /^\/sign-(in|out|up)\/$/.test(address.pathname)) {
    event.waitUntil(forget(name => name.startsWith(PAGES)));
    return;
  }
  if (request.method !== "GET") return;
  if (SITE.files.includes(address.pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate" && KEPT.some(each => each.test(address.pathname))) {
    event.respondWith(page(event, request, address.pathname));
  }
});

async function file(request) {
  const files = await caches.open(FILES);
  const known = await files.match(request, {ignoreVary: true});
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await files.put(request, answer.clone());
  return answer;
}

async function page(event, request, path) {
  const asked = fetch(request);
  const stored = asked.then(answer => store(answer.clone(), path)).catch(() => {});
  event.waitUntil(stored);
  const known = await find(path);
  if (!known) return asked;
  const late = new Promise(resolve => { setTimeout(resolve, PATIENCE, null); });
  const answer = await Promise.race([asked, late]).catch(() => null);
  // What stands between a phone and the site may answer for it (502, 503, 504).
  return answer && answer.status < 502 ? answer : known;
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
  if (!answer.ok || answer.redirected || !visitor) return;
  await forget(name => name.startsWith(PAGES) && name !== PAGES + visitor);
  const pages = await caches.open(PAGES + visitor);
  await pages.put(path, answer);
  const kept = await pages.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_PAGES)).map(each => pages.delete(each)));
}
