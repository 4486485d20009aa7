// The outbox and its page: who looks at it, what it asks for, and how an answer is read.

export const section = document.querySelector("[data-outbox]");
export const said = section.dataset;
export const marks = new Set(said.marks.split(" ").filter(Boolean));
export const isMine = row => marks.has(row.who);

// What this page stands at: the row whose answer is shown; one that is filled in again; one that
// cannot follow those before it; why nothing can be asked before they have arrived; what is asked
// now, if it is not what the server asked; is the form begun; is it older than what it would ask for?
export const here = {visible: null, opening: null, stuck: null, why: null, asking: null, touched: false, behind: false};

// Nothing takes the place of what somebody has begun to answer, or looks at again.
export const isTakenUp = () => Boolean(here.touched || here.opening);

export const region = () => document.getElementById("deal");
export const mainForm = () => document.querySelector("#deal-form[data-keeps]");
export const forms = () => [...document.querySelectorAll("[data-keeps]")];
export const field = (form, name) => form.querySelector(`input[type=hidden][name=${name}]`);
export const numberOf = form => Number(field(form, "number").value);
export const versionOf = form => Number(field(form, "version").value);

const told = (id, page) => JSON.parse(page.getElementById(id)?.textContent || "null");
export const about = (page = document) => told("keeping", page);
// What the site says to a phone that asks for the next row by itself: only what is around it.
export const toldIn = page => told("told", page);
export const parsed = body => new DOMParser().parseFromString(body, "text/html");

// Is this page about the row's table? One whose form is closed says so by its address only.
export const isHere = row => about()?.table === row.table || [row.action, row.action.replace(/deals\/$/, "")].includes(location.pathname);

export const refuse = why => document.dispatchEvent(new CustomEvent("outbox:refused", {detail: why}));
