// The deal form: a keypad, and every player's score before it is sent. No rule of the game is
// known here: the amounts come from the page (#deal-preview, made by the rules engine), this file
// looks them up and adds. Without it the form is typed, and "Show the scores" asks the server.
"use strict";
(() => {
  const MINUS = "\u2212", DASH = "\u2013";
  // As the server reads points: 46, 46.5, 46,5, 46½, 46 1/2.
  const WRITTEN = /^(?:(\d{1,4})(?:[.,]([05])0*)?|(\d{1,4})?\s*(½)|(?:(\d{1,4})\s+)?(1\/2))$/;

  const one = (selector, root) => root.querySelector(selector);
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const fill = (sentence, gaps) => sentence.replace(/%\((\w+)\)s/g, (_, name) => gaps[name]);
  const preview = () => JSON.parse(document.getElementById("deal-preview").textContent);
  const signed = n => (n > 0 ? "+" : n < 0 ? MINUS : "")
    + Math.abs(n).toLocaleString(document.documentElement.lang, {useGrouping: Math.abs(n) > 9999});
  const written = halves => `${Math.floor(halves / 2)}${halves % 2 ? "½" : ""}`;

  function readPoints(text) {
    const found = WRITTEN.exec(text.trim());
    if (!found) return null;
    const [, whole, tenth, before, half, words, fraction] = found;
    return 2 * Number(whole || before || words || 0) + (tenth === "5" || half || fraction ? 1 : 0);
  }

  // What is still to be answered, or what cannot be: the key of a sentence, and its gaps.
  function missing(answers, table, pack, form) {
    for (const name of ["taker", "contract", "partner", "bouts"]) {
      if (one(`[name=${name}]`, form) && !answers[name]) return [name];
    }
    if (!answers.points.trim()) return ["points"];
    const typed = readPoints(answers.points);
    const halves = answers.side === "defence" && typed !== null
      ? pack - typed : typed;
    const fewest = table.fewest[answers.bouts], most = table.most[answers.bouts];
    if (halves === null || halves < fewest || halves > most) {
      const turned = answers.side === "defence";
      return ["range", {
        fewest: written(turned ? pack - most : fewest),
        most: written(turned ? pack - fewest : most),
      }];
    }
    if (halves % table.step) return ["whole"];
    answers.halves = halves;
    return null;
  }

  const chelem = (amounts, answer) => {
    if (!amounts || !answer) return 0;
    const [announced, achieved] = {
      announced_made: ["announced", "attack"], made: ["unannounced", "attack"],
      announced_failed: ["announced", "none"], defence: ["unannounced", "defence"],
      announced_defence: ["announced", "defence"],
    }[answer];
    return amounts[announced][achieved];
  };

  // Look up and add: {made, margin, scores by seat}.
  function scores(answers, table, seats) {
    const at = answers.halves - table.needed[answers.bouts] + table.offset;
    const made = at >= table.offset ? "made" : "lost";
    const contract = table.contracts[answers.contract];
    let unit = contract.units[at];
    if (contract.petit_au_bout) unit += contract.petit_au_bout[answers.petit_au_bout || "none"];
    for (const name of ["poignee", "poignee_2"]) {
      if (answers[name]) unit += table.poignees[made][answers[name]];
    }
    unit += chelem(table.chelem, answers.chelem) + chelem(table.petit_chelem, answers.petit_chelem);

    const alone = answers.partner === "alone" || answers.partner === answers.taker;
    const shares = table.shares[!answers.partner ? "none" : alone ? "self" : "partner"];
    const playing = seats.filter(seat => seat !== answers.sits_out);
    const points = new Map(playing.map(seat => [seat, unit * shares[
      seat === answers.taker ? "taker" : !alone && seat === answers.partner ? "partner" : "defender"
    ]]));
    for (const declarer of [answers.misere_trumps, answers.misere_court_cards]) {
      if (!declarer || !table.misere) continue;
      playing.forEach(seat => points.set(
        seat, points.get(seat) + table.misere[seat === declarer ? "declarer" : "others"]));
    }
    return {made, margin: table.margins[at], points};
  }

  function write(cell, points) {
    const shown = document.createElement("span");
    shown.className = points === undefined ? "soft"
      : `score${points > 0 ? " score--plus" : points < 0 ? " score--minus" : ""}`;
    shown.textContent = points === undefined ? DASH : signed(points);
    one("dd", cell).replaceChildren(shown);
  }

  // Whoever sits out is not asked about.
  function hideWhoSitsOut(form) {
    const out = one("[name=sits_out]:checked", form)?.value;
    const takers = all("[name=taker]", form);
    if (!out) return;
    takers.forEach(taker => {
      taker.parentElement.hidden = taker.value === out;
      if (taker.value === out) taker.checked = false;
    });
    takers[0].closest(".choices").classList.toggle("choices--3", takers.length !== 5);
  }

  function show(form) {
    hideWhoSitsOut(form);
    const {table, words, pack} = preview();
    const answers = Object.fromEntries(new FormData(form));
    const live = one("[data-live]", form), last = one("[data-last]", form);
    const blank = !answers.taker && !answers.contract && !answers.bouts && !answers.points.trim();
    if (last) last.hidden = !blank;
    live.hidden = Boolean(last) && blank;

    const verdict = one("[data-verdict]", live), sum = one("[data-sum]", live);
    const cells = all("[data-seat]", live), seats = cells.map(cell => cell.dataset.seat);
    cells.forEach(cell => cell.classList.toggle("is-taker", cell.dataset.seat === answers.taker));
    const asked = missing(answers, table, pack, form);
    if (asked) {
      verdict.textContent = fill(words[asked[0]], asked[1] || {});
      verdict.className = "";
      sum.hidden = true;
      cells.forEach(cell => write(cell));
      return;
    }
    const result = scores(answers, table, seats);
    const contract = one("[name=contract]:checked + span", form).textContent;
    const said = result.made === "made" && !result.margin ? "just" : result.made;
    verdict.textContent = fill(words[said], {contract, n: result.margin});
    verdict.className = result.made === "made" ? "good" : "bad";
    cells.forEach(cell => write(cell, result.points.get(cell.dataset.seat)));
    sum.hidden = [...result.points.values()].reduce((a, b) => a + b, 0) !== 0;
  }

  function press(key, points) {
    const now = points.value;
    if (key === "back") points.value = now.replace(/([.,]5|.)$/, "");
    else if (key === "clear") points.value = "";
    else if (key === "half") points.value = /[.,½/]/.test(now) ? now : (now || "0") + preview().words.half;
    // A third digit starts a new number.
    else points.value = now.length >= 2 ? key : now.replace(/^0$/, "") + key;
    points.removeAttribute("aria-invalid");
    points.dispatchEvent(new Event("input", {bubbles: true}));
  }

  const formOf = element => element.closest?.("[data-deal]");
  document.addEventListener("input", event => { if (formOf(event.target)) show(formOf(event.target)); });
  document.addEventListener("click", event => {
    const key = event.target.closest("[data-keypad] button");
    if (key) press(key.value, one("[name=points]", formOf(key)));
  });

  function begin(root) {
    const forms = root.matches?.("[data-deal]") ? [root] : all("[data-deal]", root);
    forms.forEach(form => {
      one("[data-keypad]", form).hidden = false;
      show(form);
    });
  }
  document.addEventListener("htmx:load", event => begin(event.detail.elt));
  begin(document);
})();
