// Tapis Vert, standings on the wall: turns the pages, and stops when asked to. Without script all
// pages are there, one below the other.
"use strict";
(() => {
  const TURN_AFTER = 12000;
  const pause = document.querySelector("[data-pause]");
  let shown = 1;
  let paused = false;

  const allPages = () => [...document.querySelectorAll("[data-board] [data-page]")];
  const turnTo = shown => allPages().forEach(page => { page.hidden = page !== shown; });

  // --- on the wall a page ends where the screen does: names of two lines take the room of two
  const WIDE = matchMedia("(min-width: 48.01rem)");
  const listOf = page => page.querySelector(":scope > ol");
  const isCut = board => board.getBoundingClientRect().bottom > innerHeight;

  function fit() {
    const board = document.querySelector("[data-board][data-fits]");
    if (!board || !WIDE.matches) return;
    const kinds = new Map();
    for (const page of allPages().filter(listOf)) {
      const kind = page.getAttribute("aria-label");
      kinds.set(kind, [...kinds.get(kind) || [], page]);
    }
    kinds.forEach(pages => fill(board, pages));
  }
  // As many rows as the server puts on a page, or as there is room for.
  function fill(board, [first, ...others]) {
    const most = first.dataset.most ||= listOf(first).children.length;
    const rows = [first, ...others].flatMap(page => [...listOf(page).children]);
    others.forEach(page => page.remove());
    for (let page = first; rows.length;) {
      turnTo(page);
      const list = listOf(page);
      list.replaceChildren(...rows.splice(0, most));
      while (isCut(board) && list.children.length > 1) {
        rows.unshift(list.lastElementChild);
        list.lastElementChild.remove();
      }
      if (!rows.length) return;
      const next = page.cloneNode(true);
      page.after(next);
      page = next;
    }
  }

  const show = () => {
    const pages = allPages();
    if (shown > pages.length) shown = 1;
    pages.forEach((page, at) => { page.hidden = at + 1 !== shown; });
    const place = document.querySelector("[data-page-of]");
    if (place) {
      place.hidden = pages.length < 2;
      place.textContent = place.dataset.pageOf.replace("%(a)s", shown).replace("%(b)s", pages.length);
    }
    if (pause) pause.hidden = pages.length < 2;
  };

  setInterval(() => {
    if (paused) return;
    shown += 1;
    show();
  }, TURN_AFTER);
  pause?.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
  });
  // The region comes anew every few seconds: the page that was shown stays.
  const begin = () => { fit(); show(); };
  document.addEventListener("htmx:afterSwap", begin);
  addEventListener("resize", begin);
  document.fonts?.ready.then(begin);
  begin();
})();
