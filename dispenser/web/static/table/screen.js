// The screen that everybody sees: the launcher, whose turn it is, who owes what, and how to come in.

import { flyCard, clearTable, puff, showLauncher, showLive } from "../stage.js";
import { html, nothing, render } from "./lit-html.js";
import { follow } from "./line.js";
import { at, farewell, inForce, invitation, listed, pile, refusedSince, rulesOf, say, strip, summary, texts, title, trouble } from "./pieces.js";
import { announce, canSpeak, speak } from "./senses.js";

document.getElementById("too-old")?.remove(); // it understands the scripts

/** @import {Launcher, Over, View} from "./view" */

const MOVING = ["suspense", "feeding", "retracting"];
/** A sentence is written as large as fits. */
const SIZES = ["short", "", "long", "very-long"];
const AFTER_MS = 4500; // how long what a press brought stays on the screen

/** @type {View | null} */
let view = null;
/** @type {Launcher | null} */
let launcher = null;
/** How the evening has ended, until there is another one. @type {Over | null} */
let over = null;
let connected = false;
let lost = ""; // the connection is: the sentence that says so
/** What the last press brought, for a moment; or why it did not count. Both are said below the headline, which says who
 * presses next. @type {{cards: number, joke: string} | null} */
let outcome = null;
let refused = "";
let momentTimer = 0;
let aloud = false;
let spoken = "";
/** All have waited for somebody for a while: the screen calls them. */
let late = false;
let reminder = 0;

// --- the launcher ---

/** @param {Launcher} now */
function takeLauncher(now) {
  const before = launcher;
  launcher = now;
  const refusal = refusedSince(before, now);
  if (refusal) {
    refused = refusal;
    forAMoment();
  }
  const moving = MOVING.includes(now.state);
  const moved = before !== null && MOVING.includes(before.state);
  if (moving && (!moved || before.press !== now.press)) {
    clearTable();
    outcome = null;
    refused = "";
  }
  const flown = before && before.press === now.press ? before.delivered : 0;
  // What flew before this page looked is not flown again.
  if (before) for (let card = flown; card < now.delivered; card += 1) flyCard(card, false);
  if (moved && !moving) end(now);
  draw();
}

/** @param {Launcher} now */
function end({ delivered, press, state }) {
  const dud = delivered === 0 && state === "ready";
  if (dud) puff();
  outcome = { cards: delivered, joke: dud ? texts.jokes[(press ?? 0) % texts.jokes.length] : "" };
  forAMoment();
}

/** What the last press came to goes away again. */
function forAMoment() {
  clearTimeout(momentTimer);
  momentTimer = setTimeout(() => {
    outcome = null;
    refused = "";
    draw();
  }, AFTER_MS);
}

function drawLauncher() {
  const { state = "connecting", refusal = null, delivered = 0 } = launcher ?? {};
  const moving = MOVING.includes(state);
  showLauncher({
    connected: connected && launcher !== null,
    state,
    refusal,
    lid_open: state === "open",
    exit_blocked: refusal === "card_in_exit",
    burst_press: moving ? 0 : null,
    cards_inside: launcher?.cards_inside ?? null,
    flying: 0,
    outcome: outcome && { cause: outcome.joke ? "dud" : "complete" },
  });
  showLive(moving || outcome ? delivered : 0);
}

// --- showing ---

function draw() {
  document.body.dataset.at = String(view?.at ?? "");
  document.body.dataset.phase = view?.phase ?? "none";
  document.body.dataset.tone = waits() ? "bad" : (view?.tone ?? "calm");
  drawLauncher();
  at("title").textContent = view ? title(view) : say("title");
  at("rules").setAttribute("href", view ? rulesOf(view) : "/rules");
  render(view && !over ? pile(view) : nothing, at("top"));
  render(over ? farewell(over) : view ? beside(view) : nothing, at("beside"));
  render(view && !over ? below(view) : nothing, at("below"));
  remark(refused || outcome?.joke || "");
  write(sentence()); // as large as what stands beside it leaves room for
  const voice = at("voice");
  voice.hidden = !canSpeak;
  voice.setAttribute("aria-pressed", String(aloud));
}

/** @param {string} said */
function remark(said) {
  const place = at("remark");
  place.textContent = said;
  place.className = refused ? "refused" : "";
  place.hidden = !said || over !== null;
}

/** @param {string} said */
function write(said) {
  const place = at("sentence");
  place.textContent = said;
  for (const size of SIZES) {
    place.className = `sentence ${size}`;
    if (place.scrollHeight <= place.clientHeight && place.scrollWidth <= place.clientWidth) return;
  }
}

/** What the launcher waits for, unless the table waits for something else. */
function waits() {
  const stuck = view?.asks ? null : trouble(launcher);
  return launcher?.state === "ready" && !view?.owes && view?.phase !== "dealing" ? null : stuck;
}

function sentence() {
  if (over) return over.sentence;
  if (lost) return lost;
  if (!view) return say("looking");
  if (late && view.aloud) return view.aloud;
  const stuck = waits();
  return stuck ? texts.trouble[stuck] : goesOn(view);
}

/** Whoever has no seat reads on a phone how to get one. @param {View} view */
const goesOn = (view) => (view.phase === "lobby" && view.me.person === null ? say("scan") : view.sentence);

/** @param {View} view */
const beside = (view) => html`
  ${view.phase === "between" || view.phase === "over" ? summary(view) : [strip(view), inForce(view)]}
  ${view.waiting.length ? html`<p class="waiting">${say("waiting", { round: view.round, names: listed(view.waiting) })}</p>` : nothing}
`;

/** @param {View} view */
const below = (view) => html`
  ${view.news.length ? html`<div class="news"><p>${view.news[view.news.length - 1].text}</p></div>` : nothing}
  ${view.join ? invitation(view.join, draw) : nothing}
`;

const REMIND_MS = 1000 * Number(document.body.dataset.remindS);

function remind() {
  clearTimeout(reminder);
  late = false;
  if (!REMIND_MS) return;
  reminder = setTimeout(() => {
    late = true;
    if (aloud && view?.aloud) speak(view.aloud);
    draw();
  }, REMIND_MS);
}

// --- hearing ---

follow({
  onView(next) {
    const news = next.news.at(-1);
    if (view && (next.sentence !== view.sentence || news?.seq !== view.news.at(-1)?.seq)) announce(goesOn(next));
    const key = `${next.calls} ${next.aloud}`;
    if (aloud && next.aloud && key !== spoken) speak(next.aloud);
    if (key !== spoken) remind();
    spoken = key;
    view = next;
    if (next.phase !== "closed") over = null;
    connected = true;
    lost = "";
    draw();
  },
  onLauncher: takeLauncher,
  onLost(why) {
    connected = false;
    lost = why || say("lost");
    draw();
  },
  onMoved() {},
  onOver(ending) {
    over = ending;
    announce(ending.sentence);
    draw();
  },
  onStranger: () => over || location.reload(),
});

at("voice").addEventListener("click", () => {
  aloud = !aloud;
  if (aloud && view) speak(view.aloud || goesOn(view));
  else speechSynthesis.cancel();
  draw();
});
draw();
