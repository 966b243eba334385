// The phone of a seat. It draws the view and sends what its buttons say; it knows no rules.

import { button, confirm, group, step } from "./buttons.js";
import { html, nothing, render } from "./lit-html.js";
import { Problem } from "../api.js";
import { follow, post } from "./line.js";
import { at, count, covered, face, farewell, inForce, invitation, listed, named, pile, refusedSince, rulesOf, say, strip, summary, texts, title, trouble } from "./pieces.js";
import * as press from "./press.js";
import * as senses from "./senses.js";
import * as sheets from "./sheets.js";
import { closeOnBack, leads, Steps } from "./steps.js";

document.getElementById("too-old")?.remove(); // it understands the scripts

/** @import {Launcher, Over, Send, View} from "./view" */

const NOTICE_MS = 6000;
const WITH_RULE_MS = 15_000; // there is something to tap
const PATIENCE_MS = 1200;
const DRUM_MS = [60, 60, 60, 60, 60, 60, 60]; // the roll of a phone that stands in for the launcher
const WATCHES = "watches"; // the code of the evening at which this phone's person only watches
const MANY = 8; // so many cards to choose from have room in the bar
const FEW = 4; // so many buttons have room below each other
/** They show the people elsewhere. */
const WITHOUT_STRIP = ["lobby", "between", "over"];

/** @type {View | null} */
let view = null;
/** @type {Launcher | null} */
let launcher = null;
/** How the evening has ended, until there is another one. @type {Over | null} */
let over = null;
let lostFor = ""; // why the launcher cannot go on, in its words
let line = /** @type {"looking" | "open" | "lost" | "moved"} */ ("looking");
/** @type {{send: string, slow: boolean} | null} */
let sending = null;
let notice = "";
/** ID of the rule that the notice speaks of. */
let noticeRule = "";
let noticeTimer = 0;
/** When the question whether the count was right goes away. */
const recount = { press: -1, until: 0 };

// --- sending ---

/** @param {Send} send @param {number} [at] number of the table that it is meant for, when not of the page */
async function send(send, at) {
  if ("uncover" in send && whole) return uncover(whole);
  if ("watch" in send && whole?.join) {
    localStorage.setItem(WATCHES, whole.join.code);
    return take(whole);
  }
  const text = JSON.stringify(send);
  if (!view || sending?.send === text) return; // a double tap is one tap
  /** @type {{send: string, slow: boolean}} */
  const mine = { send: text, slow: false };
  sending = mine;
  const slow = setTimeout(() => {
    mine.slow = true;
    draw();
  }, PATIENCE_MS);
  note("");
  try {
    const { reopen_stream } = await post(send, at ?? view.at);
    if (reopen_stream) again(); // somebody else now: this line was opened as nobody
  } catch (problem) {
    if (problem instanceof Problem && problem.message) note(problem.message, problem.rule);
    else note(say("not_sent"));
  }
  clearTimeout(slow);
  if (sending === mine) sending = null;
  draw();
}

/** @param {string} text @param {string} [rule] */
function note(text, rule = "") {
  notice = text;
  noticeRule = rule;
  clearTimeout(noticeTimer);
  if (text) {
    senses.announce(text);
    noticeTimer = setTimeout(() => note(""), rule ? WITH_RULE_MS : NOTICE_MS);
  }
  draw();
}

const steps = new Steps(
  () => (view ? [...(view.asks?.choices ?? []), ...view.choices, ...view.choices.flatMap(({ taken }) => taken ?? []), ...view.hand.flatMap(({ choice }) => choice ?? []), ...view.always, ...(view.recount?.choices ?? [])] : []),
  send,
  note,
  () => draw(),
);
/** @type {import("./buttons.js").Hands & import("./press.js").Sending} */
const hands = {
  steps,
  pick(choice) {
    const before = steps.here;
    steps.take(choice);
    if (before && !steps.here) scrollTo(0, 0);
    if (steps.here !== before) at("act").querySelector(/** @type {"input"} */ (steps.asked?.number ? ".step input, .step .choice" : ".step-title"))?.focus();
  },
  send,
  sent: (send) => sending?.send === JSON.stringify(send),
};
/** For what is said beside the step that is open, and leaves it as it is. @type {import("./buttons.js").Hands} */
const apart = { ...hands, pick: (choice) => (leads(choice) || !choice.send ? hands.pick(choice) : send(choice.send)) };

// --- showing ---

function draw() {
  const before = document.body.dataset.phase;
  document.body.dataset.line = line;
  document.body.dataset.at = String(view?.at ?? "");
  document.body.dataset.phase = view?.phase ?? "none";
  document.body.dataset.tone = stuck() ? "bad" : over ? "good" : (view?.tone ?? "calm");
  render(page(), at("app"));
  sheets.drawSheet(view, send);
  if (document.body.dataset.phase !== before) scrollTo(0, 0); // a list scrolled down leaves what follows it cut off
}

/** The evening is over: how it ended, and what can be done now. @param {Over} over */
const ended = (over) => html`<header class="bar"><h1>${say("title")}</h1></header>
  <main class="ended">
    <section class="now" aria-label=${say("now")}><p class="sentence medium">${over.sentence}</p></section>
    ${farewell(over)}
    ${line === "open" && view ? html`<section id="act" aria-label=${say("new_evening")}><h2>${say("new_evening")}</h2>${steps.asked ? step(steps.asked, hands) : group(view.choices.map((choice) => ({ ...choice, kind: undefined })), hands)}</section>` : view?.me.owner ? nothing : html`<p>${over.again}</p>`}
    ${view && (view.me.owner || view.me.person !== null) ? html`<nav><a class="switch" href="/evenings">${say("evenings")}</a></nav>` : nothing}
  </main>`;

function page() {
  if (over && (line !== "open" || view?.phase === "closed")) return ended(over);
  if (!view) return html`<main class="alone"><p class="sentence">${line === "lost" ? lostFor || say("lost") : say("looking")}</p></main>`;
  const { asked } = steps;
  const paged = asked && (asked.pick || steps.choices.filter(({ card }) => card).length > MANY); // where the hand was
  const waits = stuck();
  const sentence = waits ? texts.trouble[waits] : view.sentence;
  return html`${banner()}
    <header class="bar">
      <h1>${title(view)}</h1>
      ${undo(view)} ${tool("scores", "board", "M4 20V11h4v9M10 20V4h4v16M16 20v-6h4v6")} ${tool("menu", "menu", "M4 6h16M4 12h16M4 18h16")}
    </header>
    <main class=${paged ? "stepping paged" : asked ? "stepping" : idle(view) ? "idle" : ""}>
      <section class="now" aria-label=${say("now")}>
        <p class="sentence ${sentence.length > 48 ? "long" : sentence.length > 22 ? "medium" : ""}">${sentence}</p>
        ${burst() ?? number(view) ?? pile(view)} ${inForce(view)}
        ${view.waiting.includes(view.me.name) ? html`<p class="force">${say("you_wait", { round: view.round })}</p>` : nothing}
      </section>
      <div class="hand-side" ?inert=${line === "moved"}>
        ${paged || line === "moved" ? nothing : hand(view)}
        <div class="reach">${aside(view)}<section id="act" aria-label=${say("act")}>${asked ? step(asked, hands, false) : acts(view)}</section>${foot(view, asked)}</div>
      </div>
      <div class="table-side" ?inert=${line === "moved"}>${WITHOUT_STRIP.includes(view.phase) ? nothing : strip(view)} ${waits ? nothing : news(view)}</div>
    </main>`;
}

/** @param {string} name @param {"board" | "menu"} sheet @param {string} drawing */
const tool = (name, sheet, drawing) =>
  html`<button type="button" class="tool" aria-label=${say(name)} aria-haspopup="dialog" @click=${() => sheets.openSheet(sheet)}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${drawing} /></svg>
  </button>`;

/** What the launcher waits for before it brings what is owed. */
function stuck() {
  const asked = view && asks(view);
  if (!view || counts(asked)) return null;
  const due = !asked && (view.push?.due || view.owes || view.phase === "dealing");
  const may = view.phase === "playing" && (view.push || asked) && launcher?.state !== "ready";
  return due || may ? trouble(launcher) : null;
}

/** How many cards came? @param {View["asks"]} asked */
const counts = (asked) => asked?.choices.some(({ send }) => send?.do === "count") ?? false;

/** Whether this phone's person is to press or looks after the launcher. @param {View} view */
const sees = ({ push, me }) => Boolean(push?.due || me.host || me.owner);

/** The line, where it is not as it should be. */
function banner() {
  if (line === "moved")
    return html`<aside class="banner"><p>${say("moved")}</p><button type="button" class="choice kind-main" @click=${again}><span class="label">${say("moved_back")}</span></button></aside>`;
  if (line === "lost") return html`<aside class="banner"><p>${lostFor || say("lost")}</p></aside>`;
  return nothing;
}

/** @param {View} view */
function acts(view) {
  const asked = asks(view);
  const size = press.sizeOf(view, launcher);
  const games = view.may_start && !steps.here ? sheets.sheetOf(view, draw).lobby : null;
  const waits = stuck();
  const many = view.choices.filter(({ card, colour }) => !card && !colour).length > FEW;
  const comes = view.me.person === null && !view.me.owner; // somebody who sits down wants the field for the name first
  const complete = games !== null && view.seats.length > 1; // then choosing a game comes first, and inviting more people last
  const stands = (view.push || view.hand.length + view.choices.length > 0) && view.acting !== view.me.seat ? view.seats.find(({ seat }) => seat === view.acting) : null;
  return html`
    ${asked ? html`${asked.text === view.sentence && !waits ? nothing : html`<p class="asked">${asked.text}</p>`}${group(asked.choices, hands, "asks")}` : nothing}
    ${stands ? html`<p class="for">${say("stands_for", { name: stands.name })}</p>` : nothing}
    ${view.stand_in?.me && view.take && !press.moves(launcher) ? html`<p class="take">${view.take.text}</p>` : nothing}
    ${waits ? (sees(view) ? press.mend(waits, hands) : nothing) : view.push && size === "dome" ? press.dome(view, view.push, launcher, hands) : nothing}
    ${view.phase === "lobby" && !comes ? (complete ? strip(view) : invite(view)) : nothing}
    ${games && complete ? sheets.lobby(games, view, send, draw) : nothing}
    ${counts(asked) ? nothing : group(view.choices, hands, size === "dome" || asked || many || view.phase === "lobby" ? `beside ${many ? "many" : ""}` : "", view.sentence)}
    ${view.phase === "lobby" && comes ? invite(view) : complete ? ways(view) : nothing}
    ${view.push && size === "pill" && !waits ? press.pill(view, view.push, hands) : nothing}
    ${view.phase === "between" || view.phase === "over" ? summary(view) : nothing}
    ${games && !complete ? sheets.lobby(games, view, send, draw) : nothing}
    ${view.waiting.length ? html`<p class="waiting">${say("waiting", { round: view.round, names: listed(view.waiting) })}</p>` : nothing}
  `;
}

/** Who came, and how the others do. @param {View} view */
const invite = (view) => html`${strip(view)}${ways(view)}`;

/** How others come. @param {View} view */
const ways = (view) => (view.join ? invitation(view.join, draw) : nothing);

/** Others play: all there is to see is who. @param {View} view */
const idle = (view) => ["dealing", "playing", "counting"].includes(view.phase) && !steps.here && !asks(view) && !view.push && view.hand.length + view.choices.length === 0;

/** Cards leave just now: so many, as large as it gets. */
function burst() {
  if (!launcher || !press.moves(launcher)) return null;
  return html`<p class="burst" aria-hidden="true">${launcher.delivered || "…"}</p>`;
}

/** What the host compares before somebody's seat goes to this new phone. @param {View} view */
function number({ me, choices, tone, sentence }) {
  const shown = me.person === null && !me.owner && tone === "wait" && !choices.length && /\d+(?=\.)/.exec(sentence);
  return shown ? html`<p class="burst" aria-hidden="true">${shown[0]}</p>` : null;
}

/** @param {View} view */
function hand(view) {
  if (view.hand.length === 0) return nothing;
  return html`<ul class="hand ${view.hand.length > 7 ? "many" : ""}" ?inert=${steps.here !== null} aria-label=${count("hand", view.hand.length)}>
    ${view.hand.map(({ card, choice, hint, rule }) =>
      choice
        ? html`<li><button type="button" class="lay ${choice.send && hands.sent(choice.send) ? "sent" : ""}" @click=${() => hands.pick(choice)}>${face(card)}<span class="visually-hidden">${choice.label}</span></button></li>`
        : html`<li><button type="button" class="held" aria-disabled="true" @click=${() => note(hint ?? "", rule)}>${face(card)}<span class="visually-hidden">${say("held", { card: named(card) })}</span></button></li>`,
    )}
  </ul>`;
}

/** @param {View} view */
function news(view) {
  const last = view.news.at(-1);
  return last ? html`<div class="news"><p>${last.text}</p></div>` : nothing;
}

/** @param {View} view */
function undo({ quick }) {
  const choice = quick.find(({ send }) => send?.do === "undo");
  return choice
    ? html`<button type="button" class="tool" aria-label=${choice.label} title=${choice.label} @click=${() => send(choice.send ?? {})}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5 4 10l5 5M4 10h10a5.5 5.5 0 0 1 0 11h-3" /></svg></button>`
    : nothing;
}

/** Whether somebody on a new phone is who they say: asked beside all else. @param {View} view */
const newcomer = ({ asks }) => (asks?.choices.some(({ send }) => send?.do === "confirm") ? asks : null);

/** @param {View} view */
const asks = (view) => (newcomer(view) ? null : view.asks);

/** Asked above the bar, which it does not move: about a new phone; about the last count, until the next press. @param {View} view */
function aside(view) {
  const counted = view.recount && recount.press === view.recount.press && performance.now() < recount.until && !press.moves(launcher) ? view.recount : null;
  const asked = newcomer(view) ?? counted;
  if (!asked) return nothing;
  const text = asked.text || (counted?.cards ? count("came", counted.cards) : say("none_came"));
  return html`<div class="aside ${asked === counted ? "recount" : ""}" role="group" aria-label=${text}>
    <p>${text}</p>
    ${asked.choices.map((choice) => button(choice, apart))}
  </div>`;
}

/** What stays within reach of the thumb whatever else is chosen. @param {View} view @param {import("./steps.js").Asked | null} asked */
function foot(view, asked) {
  if (!asked?.pick && view.always.length === 0 && !notice && !sending?.slow) return nothing;
  return html`<footer class="foot">
    ${notice || sending?.slow ? html`<p class="notice">${notice || say("sending")}${notice && noticeRule && view ? html` <a href=${rulesOf(view, noticeRule)}>${say("rule", { id: noticeRule })}</a>` : nothing}</p>` : nothing}
    ${asked?.pick ? confirm(asked.pick, steps) : nothing}
    ${view.always.length ? html`<div class="always" role="group" aria-label=${say("always")}>${view.always.map((choice) => button(choice, apart))}</div>` : nothing}
  </footer>`;
}

// --- hearing ---

const REMIND_MS = 1000 * Number(document.body.dataset.remindS);
let reminder = 0;

/** All wait for this phone's person: it calls again, and again. */
function remind() {
  clearTimeout(reminder);
  if (!REMIND_MS || !view?.called) return;
  reminder = setTimeout(() => {
    senses.call();
    remind();
  }, REMIND_MS);
}

/** Of a phone that several people share: what came last, and the seat whose cards are shown. @type {View | null} */
let whole = null;
/** @type {number | null} */
let uncovered = null;

/** Whoever has said that they only watch is not asked for a name; a small button is left. @param {View} came @returns {View} */
function only(came) {
  const [sit, watch, ...more] = came.choices;
  if (!watch?.send?.watch || localStorage.getItem(WATCHES) !== came.join?.code) return came;
  return { ...came, sentence: came.phase === "lobby" ? say("watching") : came.sentence, choices: [{ ...sit, kind: "quiet" }, ...more] };
}

/** @param {View} shown */
function uncover(shown) {
  uncovered = shown.cover?.seat ?? null;
  view = shown;
  scrollTo(0, 0);
  draw();
}

/** @param {View} came */
function take(came) {
  const last = view;
  whole = came;
  if (came.cover?.seat !== uncovered) uncovered = null;
  const next = came.cover && uncovered === null ? covered(came, came.cover) : only(came);
  if (next.phase !== "closed") over = null;
  if (next.phase !== last?.phase || next.calls > last.calls) scrollTo(0, 0); // the sentence first
  line = "open";
  view = next;
  if (next.recount && next.recount.press !== recount.press) {
    recount.press = next.recount.press;
    recount.until = performance.now() + next.recount.seconds * 1000;
    setTimeout(draw, next.recount.seconds * 1000 + 50);
  }
  if (last && next.calls > last.calls && next.called) {
    senses.call();
    steps.leave(); // what has to be done now is on top
  }
  if (next.calls !== last?.calls || next.called !== last.called) remind();
  const newest = next.news.at(-1);
  const heard = last?.news.at(-1)?.seq ?? newest?.seq ?? 0;
  const lines = [newest && newest.seq > heard ? newest.text : "", !last || next.sentence !== last.sentence || next.calls > last.calls ? next.sentence : ""];
  if (lines.some(Boolean)) senses.announce(lines.filter(Boolean).join(" "));
  draw();
}

/** @param {typeof line} now */
const lineBecomes = (now) => () => {
  line = now;
  draw();
};
const again = follow({
  onView: take,
  onLauncher(now) {
    const before = { waits: stuck(), state: launcher?.state };
    const refused = refusedSince(launcher, now);
    launcher = now;
    if (refused) note(refused);
    const waits = stuck();
    if (waits && waits !== before.waits) senses.announce(texts.trouble[waits]);
    if (view?.stand_in?.me && now.state !== before.state && (now.state === "suspense" || now.delivered)) senses.buzz(now.state === "suspense" ? DRUM_MS : 300);
    draw();
  },
  onOver(ending) {
    over = ending;
    senses.announce(ending.sentence);
    draw();
    scrollTo(0, 0);
  },
  onLost(why) {
    lostFor = why;
    lineBecomes("lost")();
  },
  onMoved: lineBecomes("moved"),
  onStranger: () => (over ? lineBecomes("looking")() : location.replace("/t")),
});

closeOnBack(
  () => sheets.isOpen() || steps.here !== null,
  () => (sheets.isOpen() ? sheets.back() : steps.back()),
);
addEventListener("pointerdown", senses.touched);
addEventListener("keydown", (event) => {
  senses.touched();
  if (event.key === "Escape" && steps.here && !document.querySelector("dialog[open]")) steps.back();
});
draw();
