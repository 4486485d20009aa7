// One try to send a row, and what an answer means for it.

import {mainForm} from "./page.js";
import {NEEDS, OTHER, SIGN_IN} from "./store.js";

// How long somebody waits for the answer before the next row is offered; for an answer at all;
// the pauses between two tries; and the longest one that a site can ask for (Retry-After).
export const PATIENCE = 3000, FIRST_PAUSE = 1000, LONGEST_PAUSE = 30000;
const TIMEOUT = 15000, LONGEST_ASKED = 120000;

export const pause = time => new Promise(resolve => { setTimeout(resolve, time); });

// A page of the wifi's own, in place of an answer, says nothing about a row.
export const isOurs = answer => answer.headers.has("Tapis-Vert");
// What stands before the site asks for a pause in seconds or until a date, if it asks at all.
function pauseWanted(answer) {
  const asked = [429, 503].includes(answer.status) && answer.headers.get("Retry-After");
  if (!asked) return 0;
  const time = /^\d+$/.test(asked) ? asked * 1000 : Date.parse(asked) - Date.now();
  return Math.min(LONGEST_ASKED, Math.max(0, time || 0));
}

// A row says who entered it, for the phone may have changed hands since.
export function enteredBy(who, fields) {
  const sent = new URLSearchParams(fields);
  sent.set("entered_by", who);
  return sent;
}

const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] || "";
export async function post(address, body, more = {}) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), TIMEOUT);
  try {
    const headers = {"HX-Request": "true", "X-CSRFToken": token(), ...more};
    const answer = await fetch(address, {method: "POST", body, headers, cache: "no-store", signal: patience.signal});
    const away = answer.ok && (answer.headers.get("HX-Redirect") || answer.redirected && answer.url) || "";
    return {
      status: answer.status,
      about: answer.headers.get("Entry-Key"),
      refused: answer.headers.get("Refused"),
      wanted: pauseWanted(answer),
      isOurs: isOurs(answer),
      away,
      body: away ? "" : await answer.text(),
    };
  } catch {
    return {status: 0};
  } finally {
    clearTimeout(timer);
  }
}
// It is not waited for, and outlasts its page.
export const report = (address, body) => fetch(address, {method: "POST", keepalive: true, headers: {"X-CSRFToken": token()}, body}).catch(() => {});

// A form that came without answers can be asked again without the site.
const goesOn = () => (mainForm()?.matches(":not([data-answered])") ? {"Goes-On": "yes"} : {});
export const postRow = row => post(row.action, enteredBy(row.who, row.fields), goesOn());

// What an answer means for the row; "later" for all that says nothing about it.
export function meaning(row, answer) {
  if (!answer.isOurs) return "later";
  if (answer.status === 401) return SIGN_IN;
  if (answer.refused === "page-too-old") return "again";
  if (answer.refused === "another") return OTHER;
  if (answer.status === 403 || answer.status === 404) return NEEDS;
  // A table that is held goes on after a while, and so does its row.
  if (answer.about !== row.key || answer.refused === "held") return "later";
  if (answer.status === 200) return "sent";
  return answer.status === 409 || answer.status === 422 ? NEEDS : "later";
}
