// The truco form: what each button gives, and what is asked after each hand. No rule of the game is
// known here: the rules engine's table comes with the page (#deal-preview), with all that may be
// asked (template[data-ask]); this file looks up and adds. Without it the server tells.
"use strict";
(() => {
  const OTHER = {a: "b", b: "a"}, PAIRS = ["a", "b"];
  const one = (selector, root) => root.querySelector(selector);
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const fill = (sentence, gaps) => sentence.replace(/%\((\w+)\)s/g, (_, name) => gaps[name]);
  const read = (id, root = document) => JSON.parse(root.querySelector(`#${id}`)?.textContent || "null");
  const preview = () => read("deal-preview");

  // --- what follows an answer: look up and add

  const askedAt = (table, score) => table.asks[score.map(points => table.classes[points]).join("")];
  const most = (table, points) => (table.most === null ? points : Math.min(points, table.most));
  const added = (table, score, pair, points) =>
    score.map((before, at) => (PAIRS[at] === pair ? most(table, before + points) : before));
  const ahead = (table, won, score) => table.by_time[[won, score].map(([a, b]) => Math.sign(a - b))];

  // Every score on which the game in play can end.
  function finals(table, start) {
    const waiting = [start], seen = new Set([String(start)]), found = new Set();
    while (waiting.length) {
      const score = waiting.pop(), asked = askedAt(table, score), gives = table.gives[asked];
      if (!gives) found.add(String(score));
      else PAIRS.forEach((pair, at) => {
        const missing = gives.to_target ? [table.target - score[at]] : [];
        for (const points of [...gives.possible[pair], ...missing]) {
          const next = added(table, score, pair, points);
          if (!seen.has(String(next))) seen.add(String(next)), waiting.push(next);
        }
      });
    }
    return found;
  }

  // What an answer says: points for a pair, a final score, the end of the time. Nothing where the
  // table does not tell (a hand in notation without its end) or that cannot be.
  function meant(table, stand, said) {
    const asked = askedAt(table, stand.score), gives = table.gives[asked];
    if (!gives) return null;
    const usual = Object.keys(gives.won)[0], worth = gives.won[said.value || usual] ?? gives.won[usual];
    const give = (pair, points) => (points === undefined || points === null ? null : {pair, points});
    if (said.depth === "game") return final(table, stand, [said.points_a, said.points_b]);
    if (said.depth) return noted(table, stand, gives, endOf(said));
    if (said.tento) return give(said.tento, table.tento);
    if (said.hand_for) return give(said.hand_for, worth);
    if (said.game_for) return give(said.game_for, table.target - stand.score[PAIRS.indexOf(said.game_for)]);
    if (said.cap) return {cap: said.cap};
    if (said.declined && gives.to) return give(gives.to, gives.declined);
    if (said.ran) return give(OTHER[said.ran], gives.ran[said.value || usual]);
    if (said.winner === "nobody") return give("", 0);
    return said.winner ? give(said.winner, worth) : null;
  }
  function final(table, stand, typed) {
    if (typed.some(points => !/^\s*\d{1,2}\s*$/.test(points))) return null;
    const score = typed.map(Number);
    return finals(table, stand.score).has(String(score)) ? {score} : null;
  }

  // How a hand in notation says that it ended (=> A+3 4-6), remarks apart: whether its cards give
  // that, the site looks.
  const END = /=>\s*(?:([AB])\+(\d{1,6})|0)(?:\s+(\d{1,6})[-–](\d{1,6}))?\s*$/i;
  const endOf = said => END.exec(said.notation.replace(/\{[^}]*\}|;.*/g, " "));
  function noted(table, {score}, gives, end) {
    if (!end) return null;
    const pair = (end[1] || "").toLowerCase(), points = Number(end[2] || 0);
    const missing = gives.to_target ? [table.target - score[PAIRS.indexOf(pair)]] : [];
    const canBe = !pair || [...gives.possible[pair], ...missing].includes(points);
    const adds = !end[3] || String(added(table, score, pair, points)) === String([Number(end[3]), Number(end[4])]);
    return canBe && adds ? {pair, points} : null;
  }

  // Where the meeting stands after an answer; nothing where that cannot be told.
  function after(table, stand, said) {
    if (stand.winner) return null;
    const what = meant(table, stand, said);
    if (!what) return null;
    const next = what.cap ? timeIsOver(table, stand, what.cap) : handIsOver(table, stand, what);
    return next && {...next, asked: `${next.game} ${askedAt(table, next.score)}`};
  }
  function handIsOver(table, stand, {score, pair, points}) {
    const next = {
      ...stand, begun: true, dealer: table.next_seat[stand.dealer],
      score: score || added(table, stand.score, pair, points),
    };
    const asked = askedAt(table, next.score);
    if (!table.gives[asked]) gameIsOver(table, next, asked);
    if (table.caps[next.cap]?.after_a_hand && !next.winner) next.winner = ahead(table, next.won, next.score);
    return next;
  }
  function gameIsOver(table, next, asked) {
    next.won = next.won.map((games, at) => games + (asked === `over-${PAIRS[at]}`));
    next.game += 1;
    next.begun = false;
    next.score = table.caps[next.cap]?.start || table.start;
    next.winner = PAIRS.find((_, at) => next.won[at] >= table.needed) || "";
  }
  function timeIsOver(table, stand, cap) {
    const changed = !table.caps[stand.cap] && table.caps[cap];
    if (!changed) return null;
    const next = {...stand, cap};
    if (changed.anew && !stand.begun) next.score = changed.start;
    if (changed.now) next.winner = ahead(table, stand.won, stand.score);
    return changed.now && !next.winner ? null : next;
  }

  // --- what each button gives

  const stands = new WeakMap();
  const standOf = form => stands.get(form) || read("truco-stand", form);
  const write = (root, selector, text) => all(selector, root).forEach(each => { each.textContent = text; });

  function show(form) {
    const {table} = preview() || {}, stand = standOf(form), gives = table && stand && table.gives[askedAt(table, stand.score)];
    if (!gives) return;
    const value = one("[name=value]:checked", form)?.value || Object.keys(gives.won)[0];
    all("[data-won]", form).forEach(button => {
      const pair = button.dataset.won, at = PAIRS.indexOf(pair), points = gives.won[value];
      write(button, "[data-gain]", `+${points}`);
      write(button, "[data-after]", `${stand.score[at]} → ${added(table, stand.score, pair, points)[at]}`);
    });
    all("[data-ran]", form).forEach(button => {
      const points = gives.ran[value];
      button.disabled = !points;
      write(button, "[data-gain]", points ? `+${points}` : "");
    });
  }

  // --- what is asked next, while the hands before it are still on this phone (outbox.js)

  // The form as the server made it: it is asked again when what went beyond it is taken back.
  const made = new WeakMap();
  const moreOf = form => form.parentElement.querySelector("[data-more]");
  const kept = form => all(":scope > input[type=hidden]", form);

  function ask(form, stand) {
    if (!made.has(form)) made.set(form, {parts: [...form.childNodes], more: moreOf(form)});
    const asked = stand.winner ? "over" : askedAt(preview().table, stand.score);
    const copy = one(`template[data-ask="${asked}"]`, document).content.cloneNode(true);
    const more = one("[data-more]", copy);
    one("#truco-stand", copy)?.remove();
    form.replaceChildren(...kept(form), ...one("[data-form]", copy).childNodes);
    putMore(form, more);
    stands.set(form, stand);
    say(form.parentElement, stand);
    show(form);
  }
  function askAsMade(form) {
    const before = made.get(form);
    if (!before) return;
    form.replaceChildren(...before.parts);
    putMore(form, before.more);
    made.delete(form);
    stands.delete(form);
    form.reset();
    sayAsked(form.parentElement, standOf(form));
    sayProgress(standOf(form));
    show(form);
  }
  function isMadeFor(form, stand) {
    const {parts} = made.get(form) || {parts: [...form.childNodes]};
    const told = parts.find(part => part.id === "truco-stand");
    return told && JSON.stringify(JSON.parse(told.textContent)) === JSON.stringify(stand);
  }
  function putMore(form, more) {
    const old = moreOf(form);
    if (old === more) return;
    old?.remove();
    if (more) form.parentElement.append(more), htmx.process(more);
  }

  function say(root, stand) {
    const {names, pairs, table, words} = preview();
    all("#tally b:not([data-games])", root).forEach((cell, at) => { cell.textContent = stand.score[at]; });
    all(".ticks", root).forEach((row, at) => all("i", row).forEach((tick, n) => tick.classList.toggle("on", n < stand.score[at])));
    write(root, "[data-deals]", names[stand.dealer]);
    write(root, "[data-mao]", names[table.next_seat[stand.dealer]]);
    PAIRS.forEach((pair, at) => {
      write(root, `[data-games=${pair}]`, stand.won[at]);
      write(root, `[data-name=${pair}]`, pairs[pair]);
    });
    if (stand.winner) write(root, "[data-winner]", fill(words.won, {pair: pairs[stand.winner]}));
    if (table.caps[stand.cap]) all("[data-caps]", root).forEach(each => each.remove());
    sayAsked(root, stand);
    sayProgress(stand);
  }
  const sayAsked = (root, {asked}) => all("[name=asked]", root).forEach(each => { each.value = asked; });
  function sayProgress(stand) {
    const shown = document.querySelector("#progress span");
    if (shown) shown.textContent = fill(preview().words.games, {a: stand.won[0], b: stand.won[1]});
  }
  function heading(stand) {
    const {table, words} = preview();
    if (table.games === 1) return words.only_game;
    return fill(words.game, {a: Math.min(stand.won[0] + stand.won[1] + 1, table.games), b: table.games});
  }

  // Which rows cannot come after those before them is told, too: somebody has to look at them. What
  // only the site can count is waited for, and said why.
  document.addEventListener("outbox:follow", ({detail}) => {
    const {table, words} = preview() || {};
    if (!table) return;
    let stand = detail.stand, number = detail.number;
    for (const row of detail.rows) {
      const said = Object.fromEntries(row.fields), isAsked = row.number === number && (!said.asked || said.asked === stand.asked);
      if (isAsked && said.depth === "notation" && !endOf(said)) { detail.why = words.uncounted; return; }
      const next = isAsked ? after(table, stand, said) : null;
      if (!next) { detail.stuck = row; return; }
      stand = next;
      number += 1;
    }
    const show = form => (isMadeFor(form, stand) ? askAsMade(form) : ask(form, stand));
    detail.next = {number, stand, show, name: fill(words.name, {n: number}), heading: heading(stand)};
  });

  const forms = root => (root.matches?.("[data-deal]") ? [root] : all("[data-deal]", root));
  for (const answered of ["input", "change"]) {
    document.addEventListener(answered, event => {
      const form = event.target.closest?.("[data-deal]");
      if (form) show(form);
    });
  }
  document.addEventListener("htmx:load", event => forms(event.detail.elt).forEach(show));
  forms(document).forEach(show);
})();
