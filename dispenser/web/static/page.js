// The page: one launcher, one sentence, one button.

import { command, get, Problem } from "./api.js";
import { follow } from "./connection.js";
import { buzz, isFreeSpace, liftLid, newsLine, pause, pullOutDrawer, setUpControls, showSentence, shutLid, stackFilled, takeCard } from "./controls.js";
import { deedOf, showDeed } from "./deed.js";
import * as sound from "./sound.js";
import { clearTable, flyCard, puff, shake, showLauncher, showLive } from "./stage.js";
import { lit, newView, takeRecord, takePast, takeSnapshot } from "./state.js";
import { advice, sentence, texts } from "./words.js";

document.getElementById("too-old")?.remove(); // it understands the scripts

const SETTLE_MS = 150;
const DOWN_MS = 130;
const CARD_BUZZ_MS = 60;

const at = (id) => document.getElementById(id);
const simulated = document.body.dataset.simulated === "yes";
const view = newView();
const news = newsLine(show);
const { display, report } = news;
const drawer = pullOutDrawer(view, report);
let settleTimer = 0;

// --- showing ---

function show() {
  document.body.dataset.state = view.connected ? view.state : "away";
  document.body.dataset.press = lit(view) ? "counts" : "refused";
  showSentence(sentence(view, news.text));
  showDetail();
  showLive(view.burst_press !== null || view.flying ? view.burst_delivered : 0);
  const deed = deedOf(view, simulated);
  showDeed(at("press"), deed, texts.deeds[deed], show);
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

/** What else is at hand. */
function showHelp() {
  if (simulated) at("lid-name").textContent = view.lid_open ? texts.controls.shut_lid : texts.controls.open_lid;
  at("load-open").hidden = view.state === "fault";
  const asking = view.connected && view.burst_press === null && view.ask_count !== null;
  if (asking && at("count-form").hidden) at("count-cards").value = view.outcome?.planned ?? 0;
  at("count-form").hidden = !asking;
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
    display(texts.refused[data.reason] ?? texts.sentence.not_now);
  },
  "launcher.card.left": (data) => {
    buzz(CARD_BUZZ_MS);
    fly(data);
  },
  "launcher.cards.loaded": clearTable, // the old ones are inside again
  "launcher.reset": ({ state }) => {
    if (state !== "jammed") return;
    shake(); // the card is still there
    display(texts.refused.jammed);
  },
  "launcher.burst.ended": (data) => {
    if (data.cause === "dud") puff();
  },
  "launcher.chime.played": (data) => sound.play(data.chime),
};
const SETTLING = /^(launcher\.(burst|lid|exit|cards|state|reset|switched)|simulator)\./;

follow(texts.types, {
  onSnapshot(snapshot) {
    view.connected = true;
    takeSnapshot(view, snapshot);
    sound.learn().catch(report);
    show();
    drawer.refresh();
  },
  onPast(record) {
    takePast(view, record);
    drawer.take(record);
    show();
  },
  onRecord(record) {
    if (record.type !== "launcher.press.refused" && record.type.startsWith("launcher.press")) news.text = "";
    takeRecord(view, record);
    HAPPENS[record.type]?.(record.data);
    if (SETTLING.test(record.type)) settle();
    drawer.take(record);
    show();
  },
  onLost() {
    view.connected = false;
    show();
  },
});

/** When things are quiet again, the snapshot says what no single record does (a card that stayed in the exit). */
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

function down() {
  at("press").classList.add("down");
  setTimeout(() => at("press").classList.remove("down"), DOWN_MS);
}

async function press() {
  sound.unlock();
  try {
    await command("/press");
  } catch (problem) {
    if (problem.status !== 409) report(problem); // a refusal comes as a record, to everybody
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

function load(cards) {
  const tellLauncher = () => command("/load", { cards });
  return attempt(...(simulated ? stackFilled(view, cards, tellLauncher) : [tellLauncher]));
}

const askHowMany = () => at("load").showModal();
const seenTo = () => attempt(() => command("/reset"));

/** What the big button does. On a real launcher only hands shut the lid and take cards: a press then says so aloud. */
const DOES = {
  press,
  wait: press,
  shut: simulated ? () => attempt(shutLid) : press,
  take: simulated ? () => attempt(takeCard) : press,
  free: () => attempt(liftLid, pause, takeCard, pause, shutLid),
  freed: seenTo,
  load: askHowMany,
  loaded: askHowMany,
  done: seenTo,
};

function act() {
  if (at("press").getAttribute("aria-disabled") === "true") return;
  down();
  DOES[at("press").dataset.deed]();
}

at("press").addEventListener("click", act);
at("lid")?.addEventListener("click", () => attempt(view.lid_open ? shutLid : liftLid));
at("count-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const counted = { press: view.ask_count, cards: at("count-cards").valueAsNumber };
  attempt(() => command("/count", counted));
});

document.addEventListener("keydown", (event) => {
  if (!isFreeSpace(event)) return;
  event.preventDefault(); // no scrolling
  if (!event.repeat) act();
});

setUpControls(load);
show();
