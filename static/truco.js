// The truco form: what each button gives. No rule of the game is known here: the engine's answers
// come with the form (#truco-results), this file looks them up. Without it the server tells.
"use strict";
(() => {
  const write = (button, part, text) => {
    const cell = button.querySelector(`[data-${part}]`);
    if (cell) cell.textContent = text;
  };

  function show(form) {
    const data = form.querySelector("#truco-results");
    if (!data) return;
    const {won, ran} = JSON.parse(data.textContent);
    const chosen = form.querySelector("[name=value]:checked");
    const value = chosen ? chosen.value : Object.keys(won.a)[0];
    form.querySelectorAll("[data-won]").forEach(button => {
      const gives = won[button.dataset.won][value];
      write(button, "gain", gives.gain);
      write(button, "after", gives.after);
    });
    form.querySelectorAll("[data-ran]").forEach(button => {
      const gives = ran[button.dataset.ran === "a" ? "b" : "a"][value];
      button.disabled = !gives;
      write(button, "gain", gives ? gives.gain : "");
    });
  }

  const forms = root => (root.matches?.("[data-deal]") ? [root] : [...root.querySelectorAll("[data-deal]")]);
  document.addEventListener("change", event => {
    const form = event.target.closest?.("[data-deal]");
    if (form) show(form);
  });
  document.addEventListener("htmx:load", event => forms(event.detail.elt).forEach(show));
  forms(document).forEach(show);
})();
