// Tapis Vert, the wall: asks for the next screen in time, and stops when asked to. Without script
// its links lead from screen to screen.
"use strict";
(() => {
  const TURN_AFTER = 12000;
  const WIDE = matchMedia("(min-width: 48.01rem)");
  const pause = document.querySelector("[data-pause]");
  const board = () => document.querySelector("[data-board]");
  const turns = () => board().querySelector("[data-turns]");
  let asked = null, timer = null;

  // --- another screen: the region asks for it as it asks for itself, and it takes the region's place
  function turnTo(link) {
    asked = link.getAttribute("href");
    window.htmx?.trigger(board(), "live");
  }
  document.addEventListener("htmx:configRequest", ({detail}) => {
    if (!asked || detail.elt !== board()) return;
    detail.path = asked;
    asked = null;
  });
  document.addEventListener("click", event => {
    const link = event.target.closest("[data-turns] a");
    if (!link || !window.htmx) return;
    event.preventDefault();
    turnTo(link);
    waitAnew();
  });
  const isPaused = () => pause?.getAttribute("aria-pressed") === "true";
  function waitAnew() {
    clearInterval(timer);
    timer = setInterval(() => {
      if (turns() && !turns().hidden && !isPaused()) turnTo(turns().querySelector("[rel=next]"));
    }, TURN_AFTER);
  }
  pause?.addEventListener("click", () => pause.setAttribute("aria-pressed", String(!isPaused())));

  // --- a screen ends where the display does: names of two lines take the room of two, and the next
  //     screen begins behind the last row that is shown
  const isCut = () => board().getBoundingClientRect().bottom > innerHeight;
  function fit() {
    const list = board().querySelector("[data-rows]");
    const rows = list ? [...list.children] : [];
    rows.forEach(row => { row.hidden = false; });
    if (!board().matches("[data-fits]") || !WIDE.matches) return;
    for (let last = rows.length - 1; last > 0 && isCut(); last -= 1) rows[last].hidden = true;
    const shown = rows.filter(row => !row.hidden).length;
    if (turns() && list) goOnBehind(Number(list.dataset.rows), shown, rows.length);
  }
  function goOnBehind(first, shown, sent) {
    const link = turns().querySelector("[rel=next]"), here = new URL(board().getAttribute("hx-get"), location);
    const isLess = shown < sent, place = turns().querySelector("[data-shown]");
    link.dataset.planned ||= link.getAttribute("href");
    here.searchParams.set("first", first + shown);
    link.setAttribute("href", isLess ? here.pathname + here.search : link.dataset.planned);
    place.querySelector("[data-last]").textContent = first + shown - 1;
    place.hidden = !isLess && "whole" in place.dataset;
    turns().hidden = !isLess && "alone" in turns().dataset;
  }

  const begin = () => {
    fit();
    if (pause) pause.hidden = !turns() || turns().hidden;
  };
  document.addEventListener("htmx:afterSwap", () => {
    begin();
    // It was asked for while the region asked for itself.
    if (asked) window.htmx.trigger(board(), "live");
  });
  addEventListener("resize", begin);
  document.fonts?.ready.then(begin);
  begin();
  waitAnew();
})();
