// A form is sent by its page, which stays as it is until an answer of this site has come: what was
// typed outlasts a dead wifi, a sign-in page of the wifi's own and a server that is too late. Each
// press has a key, by which the site does once what arrives twice (config/once.py). Parts of pages
// (htmx) and rows of a sheet (outbox.js) have ways of their own. Without this file, or without htmx,
// the browser sends the form.
"use strict";
(() => {
  // How long an answer is waited for; files take their time on a bad line.
  const TIMEOUT = 30000, WITH_FILES = 300000;
  const PAGE = [200, 409, 410, 422, 429];

  // --- a form is sent once, however often its button is pressed

  const isButton = element => element.matches("button:not([type=button], [type=reset]), input[type=submit]");
  function busy(form, pressed) {
    const held = [...form.elements].filter(each => isButton(each) && !each.disabled);
    if (pressed && !held.includes(pressed)) held.push(pressed);
    held.forEach(each => { each.disabled = true; });
    pressed?.setAttribute("aria-busy", "true");
    return () => {
      held.forEach(each => { each.disabled = false; });
      pressed?.removeAttribute("aria-busy");
    };
  }

  // --- what is sent: the button that was pressed has a word in it

  const asked = (form, button, name) => button?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  const addressOf = (form, button) => asked(form, button, "action") || location.pathname + location.search;
  function fieldsOf(form, button) {
    const fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    return fields;
  }

  // The same answers sent to the same address are the same press until an answer has come.
  const keys = new Map();
  const told = ([name, value]) => [name, value instanceof File ? [value.name, value.size, value.lastModified] : value];
  const contents = (address, fields) =>
    JSON.stringify([address, ...[...fields].filter(([name]) => name !== "csrfmiddlewaretoken").map(told)]);
  function keyFor(press) {
    if (!keys.has(press)) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      keys.set(press, [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join(""));
    }
    return keys.get(press);
  }

  async function post(address, fields, key) {
    const patience = new AbortController();
    const hasFiles = [...fields.values()].some(value => value instanceof File && value.size);
    const timer = setTimeout(() => patience.abort(), hasFiles ? WITH_FILES : TIMEOUT);
    try {
      const answer = await fetch(address, {
        method: "POST", body: fields, headers: {"Sending-Key": key},
        cache: "no-store", redirect: "manual", signal: patience.signal,
      });
      if (!answer.headers.has("Tapis-Vert")) return null;
      const {status, headers} = answer;
      return {status, refused: headers.get("Refused"), leadsTo: headers.get("Leads-To"), body: await answer.text()};
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  // --- what came of it: a way on, a page, or neither, which the notice of the page says (site.js)

  function failure({status, refused}) {
    if (refused && status !== 422) return refused;
    if (PAGE.includes(status)) return "";
    return {401: "signed-out", 503: "busy"}[status] || (status < 500 ? "refused" : "broken");
  }

  // A page that leads to a place in itself is loaded anew all the same.
  function leave(address, from) {
    const to = new URL(address, location.href);
    const isHere = to.pathname + to.search === location.pathname + location.search;
    if (!isHere || !to.hash) return location.assign(to);
    history.replaceState(null, "", from);
    location.replace(to);
  }

  function show(body, address) {
    const page = new DOMParser().parseFromString(body, "text/html"), main = page.getElementById("main");
    if (!main || !document.getElementById("main")) return leave(address);
    page.querySelectorAll("head :is(link[rel=stylesheet], script[src])").forEach(bring);
    htmx.swap("#main", main.outerHTML, {swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0, show: "top", showTarget: "window"});
    document.title = page.title;
    // Whoever is not at the first error already (site.js) is where the page begins.
    if (document.activeElement === document.body) document.getElementById("main").focus({preventScroll: true});
  }
  // What a page is made of beside its words, where this one has not loaded it.
  function bring(asset) {
    const name = asset.localName === "link" ? "href" : "src", address = asset.getAttribute(name);
    if (document.querySelector(`${asset.localName}[${name}="${CSS.escape(address)}"]`)) return;
    const brought = document.createElement(asset.localName);
    for (const each of asset.attributes) if (each.name !== "nonce") brought.setAttribute(each.name, each.value);
    document.head.append(brought);
  }

  // --- when things happen

  let release = null;
  const ends = () => { release?.(); release = null; };

  async function send(form, button) {
    const address = addressOf(form, button), fields = fieldsOf(form, button), press = contents(address, fields);
    release = busy(form, button);
    const answer = await post(address, fields, keyFor(press));
    const what = answer ? failure(answer) : null;
    if (what !== "") {
      ends();
      document.dispatchEvent(new CustomEvent("sending:failed", {detail: {what, form, button}}));
      return;
    }
    keys.delete(press);
    document.dispatchEvent(new CustomEvent("sending:answered"));
    // The buttons come back with the next page, or when it has not come for long.
    if (answer.leadsTo) {
      const mine = release;
      setTimeout(() => { if (release === mine) ends(); }, TIMEOUT);
      leave(answer.leadsTo, address);
    } else {
      ends();
      show(answer.body, address);
    }
  }

  document.addEventListener("submit", event => {
    const form = event.target, button = event.submitter;
    if (event.defaultPrevented || asked(form, button, "method").toLowerCase() !== "post" || !window.htmx) return;
    event.preventDefault();
    if (!release) send(form, button);
  });
  // Whoever comes back to a page finds it ready.
  addEventListener("pageshow", ends);

  // A form that htmx sends: the same, for as long as it is under way.
  const waiting = new WeakMap();
  document.addEventListener("htmx:beforeRequest", ({detail: {elt, requestConfig}}) => {
    if (!elt.matches("form") || requestConfig.verb !== "post") return;
    waiting.set(elt, busy(elt, requestConfig.triggeringEvent?.submitter));
  });
  document.addEventListener("htmx:afterRequest", ({detail: {elt}}) => {
    waiting.get(elt)?.();
    waiting.delete(elt);
  });
})();
