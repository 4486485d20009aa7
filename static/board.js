// Tapis Vert, standings on the wall: turns the pages, and stops when asked to. Without script all
// pages are there, one below the other.
"use strict";
(() => {
  const TURN_AFTER = 12000;
  const pause = document.querySelector("[data-pause]");
  let shown = 1;
  let paused = false;

  const show = () => {
    const pages = [...document.querySelectorAll("[data-board] [data-page]")];
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
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
