// Tapis Vert: small enhancements. Every page works without this file; it knows no rule of any game.
"use strict";

// --- a file that was lost on the way is asked for again, ever later
(() => {
  const MOST = 20, PAUSE = 500;
  // htmx begins when the page has been read, or where it is whole: between the two it would wait for
  // what is past.
  let isRead = false;
  document.addEventListener("DOMContentLoaded", () => { isRead = true; });
  const beginLate = () => {
    if (isRead && document.readyState !== "complete") document.dispatchEvent(new Event("DOMContentLoaded"));
  };
  const again = lost => {
    const tries = Number(lost.dataset.tries || 0) + 1;
    if (tries > MOST) return;
    const next = document.createElement(lost.localName);
    for (const {name, value} of lost.attributes) next.setAttribute(name, value);
    next.dataset.tries = tries;
    if (next.src?.includes("/htmx")) next.addEventListener("load", beginLate);
    setTimeout(() => lost.replaceWith(next), PAUSE * tries);
  };
  document.addEventListener("error", ({target}) => {
    if (target.matches?.("script[src], link[rel=stylesheet]")) again(target);
  }, true);
  // A page of the wifi's own in place of a script.
  addEventListener("error", ({error, filename}) => {
    const script = [...document.scripts].find(each => each.src && each.src === filename);
    if (error instanceof SyntaxError && script) again(script);
  });
  // What was lost before this file came.
  document.querySelectorAll("link[rel=stylesheet]").forEach(link => { if (!link.sheet) again(link); });
})();

// --- a page out of this phone's own store (worker.js) says how old it is, until the present state comes
(() => {
  const {lang, dataset: {kept}} = document.documentElement, said = document.querySelector("[data-as-of]");
  if (!kept || !said) return;
  const made = new Date(kept), isToday = made.toDateString() === new Date().toDateString();
  const day = isToday ? {} : {day: "numeric", month: "numeric"};
  const time = made.toLocaleString(lang, {...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23"});
  said.textContent = said.dataset.asOf.replace("%(time)s", time);
  said.hidden = false;
})();

// --- a page that stands for one that has not come (offline.html) makes room as soon as that comes
(() => {
  if (!document.querySelector("[data-again]")) return;
  const PAUSE = 3000;
  const ask = async () => {
    const answer = document.hidden ? null : await fetch(location.href, {method: "HEAD"}).catch(() => null);
    if (answer?.headers.has("Tapis-Vert") && answer.status < 502) location.reload();
    else setTimeout(ask, PAUSE);
  };
  setTimeout(ask, PAUSE);
  addEventListener("online", () => location.reload());
})();

// --- colours: the server writes data-theme from a cookie; this only spares a reload
(() => {
  const show = theme => {
    const root = document.documentElement;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.querySelectorAll("[data-preferences] [name=theme]").forEach(button =>
      button.setAttribute("aria-pressed", String(button.value === theme)));
  };
  document.addEventListener("submit", event => {
    const theme = event.submitter?.value;
    if (!theme || !event.target.matches("[data-preferences]")) return;
    event.preventDefault();
    show(theme);
    const chosen = new FormData(event.target);
    chosen.set("theme", theme);
    fetch(event.target.action, {method: "POST", body: chosen}).catch(() => {});
  });
})();

// --- the token: of the cookie as it is now, for somebody may have signed in again in another tab
(() => {
  const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1];
  document.addEventListener("submit", event => {
    const field = event.target.querySelector("[name=csrfmiddlewaretoken]");
    if (field && token()) field.value = token();
  }, true);
  document.addEventListener("htmx:configRequest", event => {
    const {headers, parameters} = event.detail;
    if (!token()) return;
    headers["X-CSRFToken"] = token();
    if (parameters.csrfmiddlewaretoken) parameters.csrfmiddlewaretoken = token();
  });
})();

// --- no answer that can be shown: say which, and keep the page with all that was typed
(() => {
  const notice = document.getElementById("notice");
  if (!notice) return;
  let failed = null;
  const hide = () => {
    if (notice.contains(document.activeElement)) failed.pressed?.focus();
    notice.hidden = true;
    failed = null;
  };
  const words = what => notice.querySelector(`[data-when="${what}"]`) || notice.querySelector("[data-when=refused]");
  // Whoever has pressed something is led to what became of it, and back when it is closed.
  const say = (what, element, pressed) => {
    failed = {what, element, pressed};
    notice.querySelectorAll("[data-when]").forEach(said => { said.hidden = said !== words(what); });
    notice.hidden = false;
    if (pressed) notice.focus();
  };
  const kind = xhr => xhr.getResponseHeader("Refused")
    || {401: "signed-out", 503: "busy"}[xhr.status] || (xhr.status < 500 ? "refused" : "broken");
  // No way out of this device, or no answer by it.
  const lost = () => (navigator.onLine ? "unheard" : "offline");
  const signIn = notice.querySelector("[target=_blank]");
  signIn.href += `?next=${encodeURIComponent(location.pathname + location.search)}`;

  // What a page asks for by itself is nothing that somebody did; it asks again.
  const asksByItself = element => element.matches("[data-live], [hx-trigger*=every]");
  const pressedOf = ({verb, elt, triggeringEvent} = {}) => (verb === "post" ? triggeringEvent?.submitter || elt : null);
  document.addEventListener("htmx:responseError", ({detail: {elt, xhr, requestConfig}}) => {
    if (!asksByItself(elt)) say(kind(xhr), elt, pressedOf(requestConfig));
    else if (xhr.status === 401) say(kind(xhr), elt);
  });
  // The deal form has words of its own for this, and sends by itself when the network is back.
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, ({detail: {elt, requestConfig}}) => {
      if (!asksByItself(elt) && !elt.matches("[data-deal]")) say(lost(), elt, pressedOf(requestConfig));
    });
  }
  // A page of the wifi's own is no answer: as if nothing had come.
  document.addEventListener("htmx:beforeOnLoad", event => {
    const {elt, xhr} = event.detail;
    if (xhr.getResponseHeader("Tapis-Vert")) return;
    event.preventDefault();
    htmx.trigger(elt, "htmx:sendError", event.detail);
  });
  document.addEventListener("outbox:refused", event => say(event.detail, document.body));
  document.addEventListener("sending:failed", ({detail: {what, form, button}}) => say(what || lost(), form, button || form));
  document.addEventListener("sending:answered", () => { if (failed) hide(); });
  document.addEventListener("outbox:answer", event => { if (failed && event.detail.means === "sent") hide(); });
  document.addEventListener("htmx:afterRequest", event => {
    const {elt, successful} = event.detail;
    if (failed && successful && (["offline", "unheard"].includes(failed.what) || failed.element === elt || !failed.element.isConnected)) hide();
  });
  notice.querySelector("button").addEventListener("click", hide);
})();

// --- timers: data-ends holds the seconds that were left when the region was made
(() => {
  const born = new WeakMap();
  const two = number => String(number).padStart(2, "0");
  const tick = () => document.querySelectorAll("[data-ends]").forEach(timer => {
    if (!born.has(timer)) born.set(timer, Date.now());
    const left = Math.max(0, timer.dataset.ends - Math.floor((Date.now() - born.get(timer)) / 1000));
    timer.textContent = `${two(Math.floor(left / 60))}:${two(left % 60)}`;
  });
  tick();
  setInterval(tick, 1000);
})();

// --- print and copy: these buttons are dead without script, so they are shown only here
(() => {
  const reveal = root => root.querySelectorAll("[data-print], [data-copy]").forEach(button => { button.hidden = false; });
  document.addEventListener("click", event => {
    if (event.target.closest("[data-print]")) window.print();
  });
  document.addEventListener("htmx:load", event => reveal(event.detail.elt));
  reveal(document);
})();

// --- copy: puts the text of another element on the clipboard and says so
(() => {
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent.trim());
      button.querySelector("[data-done]").textContent = button.dataset.said;
    } catch {
      field.select?.();
    }
  });
})();

// --- focus: after a swap that took the focused element away, go to the first error, else to the
//     heading of the region that came
(() => {
  document.addEventListener("htmx:afterSettle", event => {
    const region = event.detail.elt;
    const error = region.querySelector?.("[aria-invalid=true], .has-error input");
    if (error) {
      error.focus();
      return;
    }
    if (document.activeElement && document.activeElement !== document.body) return;
    region.querySelector?.("h1[tabindex], h2[tabindex], h3[tabindex]")?.focus();
  });
})();

// --- without network: the pages of a table are kept for whoever looks at them now, by /sw.js
(() => {
  if (!navigator.serviceWorker) return;
  const marks = (document.querySelector("[data-marks]")?.dataset.marks || "").split(" ").filter(Boolean);
  const tell = () => navigator.serviceWorker.controller?.postMessage({marks});
  const register = (tries = 5) => navigator.serviceWorker.register("/sw.js").then(tell, () => {
    if (tries) setTimeout(register, 5000, tries - 1);
  });
  navigator.serviceWorker.addEventListener("controllerchange", tell);
  addEventListener("load", () => register());
})();
