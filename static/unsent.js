// A form of a sheet, of any game, while the network is away: say so, keep everything that was
// typed, and send when it is back. The entry key makes a second arrival of the same row harmless.
"use strict";
(() => {
  const pressed = new WeakMap();
  const isDeal = element => element.matches?.("[data-deal]");
  const banner = form => form.querySelector("[data-unsent]");

  document.addEventListener("submit", event => {
    if (isDeal(event.target)) pressed.set(event.target, event.submitter);
  }, true);
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, event => {
      if (isDeal(event.target)) banner(event.target).hidden = false;
    });
  }
  document.addEventListener("htmx:beforeRequest", event => {
    if (isDeal(event.target)) banner(event.target).hidden = true;
  });
  window.addEventListener("online", () => document.querySelectorAll("[data-deal]").forEach(form => {
    if (!banner(form).hidden) form.requestSubmit(pressed.get(form) || undefined);
  }));
})();
