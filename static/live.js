// Tapis Vert, pages that follow what happens. A region with data-live="15" asks for itself about
// every fifteen seconds: sooner after something changed, ever later while nothing does, never in a
// tab that nobody sees, and at once when it is looked at again. "Unchanged" (304) costs one read.
"use strict";
(() => {
  const SOON = 1000, QUICKEST = 4000, SLOWEST = 4, FASTER = 0.4, SLOWER = 1.25;
  const paces = new Map();  // by id: a region that is swapped keeps its pace

  // A page out of this phone's store (worker.js) wants the present state at once.
  const {dataset: page} = document.documentElement;
  const usual = region => Number(region.dataset.live) * 1000;
  function plan(region) {
    const pace = paces.get(region.id) || {wait: usual(region)};
    paces.set(region.id, pace);
    clearTimeout(pace.timer);
    // Five hundred phones that were opened together do not ask together.
    pace.timer = setTimeout(ask, ("kept" in page ? SOON : pace.wait) * (0.9 + 0.1 * Math.random()), region.id);
  }
  function ask(id) {
    const region = document.getElementById(id);
    if (!region?.dataset.live) return paces.delete(id);
    if (document.hidden) return;
    plan(region);
    window.htmx?.trigger(region, "live");
  }

  const paceOf = element => (element.dataset?.live ? paces.get(element.id) : null);
  document.addEventListener("htmx:configRequest", event => {
    const pace = paceOf(event.detail.elt);
    if (pace?.tag) event.detail.headers["If-None-Match"] = pace.tag;
  });
  document.addEventListener("htmx:beforeOnLoad", event => {
    const {elt, xhr} = event.detail, pace = paceOf(elt);
    if (!pace || event.defaultPrevented || xhr.status >= 500) return;
    delete page.kept;
    // A wall has asked for another of its screens.
    const isTurned = event.detail.pathInfo.requestPath !== elt.getAttribute("hx-get");
    const base = usual(elt), isSame = xhr.status === 304 || xhr.status === 200 && xhr.responseText === pace.text;
    if (xhr.status === 200) {
      pace.tag = xhr.getResponseHeader("ETag");
      pace.text = pace.tag ? null : xhr.responseText;
    }
    if (isSame) {
      pace.wait = Math.min(base * SLOWEST, pace.wait * SLOWER);
      if (xhr.status === 200) event.preventDefault();
    } else if (xhr.status === 200 && pace.seen && !isTurned) pace.wait = Math.max(QUICKEST, base * FASTER);
    pace.seen = true;
  });
  const begin = root => [root, ...root.querySelectorAll("[data-live]")]
    .filter(region => region.dataset?.live && region.id).forEach(plan);
  document.addEventListener("htmx:load", event => begin(event.detail.elt));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    for (const [id, pace] of paces) {
      clearTimeout(pace.timer);
      ask(id);
    }
  });
  begin(document.body);
})();
