// The page: one launcher, one sentence, one button.

import { command, get, hand, Problem } from "./api.js";
import { follow } from "./connection.js";
import { isFreeSpace, setUpControls } from "./controls.js";
import * as drawer from "./drawer.js";
import * as sound from "./sound.js";
import { clearTable, flyCard, puff, shake, showLauncher, showLive } from "./stage.js";
import { lit, newView, takeEntry, takePast, takeSnapshot } from "./state.js";
import { advice, fill, sentence, texts } from "./words.js";

const NEWS_MS = 2600;
const SETTLE_MS = 150;
const LOADING_MS = 900;

const at = (id) => document.getElementById(id);
const simulated = document.body.dataset.simulated === "yes";
const view = newView();
let news = "";
let newsTimer = 0;
let settleTimer = 0;

// --- showing ---

function show() {
  document.body.dataset.state = view.connected ? view.state : "away";
  document.body.dataset.press = lit(view) ? "counts" : "refused";
  const text = sentence(view, news);
  const line = at("sentence");
  if (line.textContent !== text) line.textContent = text; // said aloud once
  line.classList.toggle("long", text.length > 34);
  showDetail();
  showLive(view.burst_press !== null || view.flying ? view.burst_delivered : 0);
  at("press").setAttribute("aria-disabled", String(!view.connected));
  showHelp();
  showLauncher(view);
}

/** What exactly is broken, in the service's words; or what to look at, in the page's. */
function showDetail() {
  const fault = view.connected && view.state === "fault" && view.detail;
  const lines = fault ? [fault] : view.connected ? advice(view) : [];
  const detail = at("detail");
  if (detail.textContent !== lines.join("")) {
    detail.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement("span"), { textContent: line })),
    );
  }
  detail.hidden = !lines.length;
}

/** Whatever would get the launcher going again is at hand, and nothing else. */
function showHelp() {
  const { state, exit_blocked, ask_count, connected } = view;
  const resting = connected && view.burst_press === null;
  if (simulated) {
    const canTake = resting && exit_blocked && (state === "ready" || state === "open");
    at("take-card").hidden = !canTake;
    at("lid").textContent = view.lid_open ? texts.controls.shut_lid : texts.controls.open_lid;
    at("lid").classList.toggle("wanted", (state === "open" && !exit_blocked) || state === "jammed");
  }
  at("load-open").hidden = state === "fault" || (simulated && (state === "blind" || !at("take-card").hidden));
  at("load-open").classList.toggle("wanted", state === "empty");
  const stuck = state === "fault" || state === "blind" || (!simulated && (state === "jammed" || state === "empty"));
  at("reset").hidden = !(connected && stuck);
  const asking = resting && ask_count !== null;
  if (asking && at("count-form").hidden) at("count-cards").value = view.outcome?.planned ?? 0;
  at("count-form").hidden = !asking;
}

function tell(text) {
  news = text;
  clearTimeout(newsTimer);
  newsTimer = setTimeout(() => {
    news = "";
    show();
  }, NEWS_MS);
  show();
}

function report(problem) {
  if (problem instanceof Problem) tell(fill(texts.sentence.failed, { message: problem.message }));
  else tell(texts.sentence.lost);
}

// --- hearing ---

/** How many cards there were is said when the last one has landed. */
function fly({ press, number, suspected_double }) {
  const nobodys = press === null; // it slid out by itself
  const flight_ms = flyCard(nobodys ? at("table-cards").childElementCount : number - 1, suspected_double);
  if (!flight_ms || nobodys) return;
  view.flying += 1;
  setTimeout(() => {
    view.flying -= 1;
    show();
  }, flight_ms);
}

const HAPPENS = {
  "launcher.press.accepted": clearTable,
  "launcher.press.refused": (data) => {
    shake();
    tell(texts.refused[data.reason]);
  },
  "launcher.card.left": fly,
  "launcher.burst.ended": (data) => {
    if (data.cause === "dud") puff();
  },
  "launcher.chime.played": (data) => sound.play(data.chime),
};
const SETTLING = /^(launcher\.(burst|lid|exit|cards|state|reset|switched)|toy)\./;

follow(texts.types, {
  onSnapshot(snapshot) {
    view.connected = true;
    takeSnapshot(view, snapshot);
    sound.learn().catch(report);
    show();
    drawer.refresh();
  },
  onPast(entry) {
    takePast(view, entry);
    drawer.take(entry);
    show();
  },
  onEntry(entry) {
    if (entry.type !== "launcher.press.refused" && entry.type.startsWith("launcher.press")) news = "";
    takeEntry(view, entry);
    HAPPENS[entry.type]?.(entry.data);
    if (SETTLING.test(entry.type)) settle();
    drawer.take(entry);
    show();
  },
  onLost() {
    view.connected = false;
    show();
  },
});

/** When things are quiet again, the snapshot says what no single entry does (a card that stayed in the exit). */
function settle() {
  clearTimeout(settleTimer);
  settleTimer = setTimeout(async () => {
    try {
      const snapshot = await get("/snapshot");
      if (snapshot.seq !== view.seq) return; // more is on its way
      takeSnapshot(view, snapshot);
      show();
    } catch (problem) {
      if (problem instanceof Problem) report(problem); // a lost connection says so by itself
    }
  }, SETTLE_MS);
}

// --- doing ---

async function press() {
  sound.unlock();
  if (!view.connected) return;
  at("press").classList.add("down");
  setTimeout(() => at("press").classList.remove("down"), 130);
  try {
    await command("/press");
  } catch (problem) {
    if (problem.status !== 409) report(problem); // a refusal comes as an entry, to everybody
  }
}

async function attempt(...steps) {
  sound.unlock();
  try {
    for (const step of steps) await step();
  } catch (problem) {
    report(problem);
  }
}

/** A simulated stack is filled by hand, as a real one: lid up, cards in, lid down. */
function load(cards) {
  const tellLauncher = () => command("/load", { cards });
  if (!simulated) return attempt(tellLauncher);
  const fillStack = [() => hand("stack", { cards }), tellLauncher];
  if (view.lid_open) return attempt(...fillStack);
  const pause = () => new Promise((resolve) => setTimeout(resolve, LOADING_MS / 2));
  return attempt(() => hand("lid", { open: true }), pause, ...fillStack, pause, () => hand("lid", { open: false }));
}

at("press").addEventListener("click", press);
at("lid")?.addEventListener("click", () => attempt(() => hand("lid", { open: !view.lid_open })));
at("take-card")?.addEventListener("click", () => attempt(() => hand("take", {})));
at("reset").addEventListener("click", () => attempt(() => command("/reset")));
at("count-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const counted = { press: view.ask_count, cards: at("count-cards").valueAsNumber };
  attempt(() => command("/count", counted));
});

document.addEventListener("keydown", (event) => {
  if (!isFreeSpace(event)) return;
  event.preventDefault(); // no scrolling
  if (!event.repeat) press();
});

setUpControls(load);
drawer.setUp(view, report);
show();
