// The page of a simulator that somebody's script drives: the same launcher, and a button that is a real button.

import { hand } from "./api.js";
import { follow } from "./connection.js";
import { isFreeSpace, liftLid, newsLine, pullOutDrawer, setUpControls, showSentence, shutLid, stackFilled, takeCard } from "./controls.js";
import * as sound from "./sound.js";
import { clearTable, flyCard, showLauncher } from "./stage.js";
import { newView, takeRecord } from "./state.js";
import { fill, texts } from "./words.js";

document.getElementById("too-old")?.remove(); // it understands the scripts

const LONGEST_PUSH_S = 10;
const NEXT_BURST_MS = 2000; // a motor that starts after such a pause throws new cards
const TOO_MANY_CARDS = 60; // more on the table are cleared away at the next start of the motor

const at = (id) => document.getElementById(id);
const view = { ...newView(), script: document.body.dataset.script, motor: 0, tone_hz: null, light: false, jammed: false, button_down: false, ended: null };
const news = newsLine(show);
const { report } = news;
const drawer = pullOutDrawer(view, report);
let lastCardMs = 0;

// --- showing ---

/** What the page calls a state, from what the parts do. */
function stateOf() {
  if (view.ended) return "off";
  if (view.jammed) return "jammed";
  if (view.motor !== 0) return view.motor > 0 ? "feeding" : "retracting";
  if (view.lid_open) return "open";
  return view.cards_inside === 0 ? "empty" : "ready";
}

function sentence() {
  const say = texts.script;
  if (view.ended) return view.ended.error ? say.failed : say.ended;
  if (!view.connected) return view.state === "connecting" ? texts.sentence.connecting : texts.sentence.lost;
  if (news.text) return news.text;
  if (view.jammed) return texts.sentence.jammed;
  const percent = Math.round(Math.abs(view.motor) * 100);
  if (view.motor !== 0 && view.lid_open) return say.open_turning;
  if (view.motor !== 0) return fill(view.motor > 0 ? say.forward : say.backward, { percent });
  if (view.lid_open) return say.open;
  if (view.exit_blocked) return texts.sentence.card_in_exit;
  if (view.tone_hz) return fill(say.tone, { hz: Math.round(view.tone_hz) });
  return view.cards_inside === 0 ? say.empty : fill(say.running, view);
}

function show() {
  if (view.connected || view.ended) view.state = stateOf();
  view.burst_press = view.motor === 0 ? null : 0; // a card on its way is not one that sticks out
  document.body.dataset.state = view.connected || view.ended ? view.state : "away";
  showSentence(sentence());
  at("count").textContent = view.burst_delivered || "";
  at("press").setAttribute("aria-disabled", String(!view.connected));
  at("press").classList.toggle("down", view.button_down);
  at("lid-name").textContent = view.lid_open ? texts.controls.shut_lid : texts.controls.open_lid;
  at("take-card").hidden = !(view.connected && view.exit_blocked && view.motor === 0 && (!view.jammed || view.lid_open));
  at("load-open").hidden = !at("take-card").hidden;
  showLauncher(view);
}

// --- hearing ---

const HAPPENS = {
  "launcher.card.left": (data) => {
    view.burst_delivered += data.suspected_double ? 2 : 1;
    lastCardMs = performance.now();
    flyCard(view.burst_delivered - 1, data.suspected_double);
  },
  "simulator.motor.driven": ({ duty }) => {
    const rested = performance.now() - lastCardMs > NEXT_BURST_MS;
    if (view.motor === 0 && duty > 0 && (rested || view.burst_delivered > TOO_MANY_CARDS)) {
      view.burst_delivered = 0;
      clearTable();
    }
    view.motor = duty;
  },
  "simulator.tone.changed": ({ hz }) => {
    view.tone_hz = hz;
    sound.tone(hz);
  },
  "simulator.light.switched": ({ on }) => {
    view.light = on;
  },
  "simulator.button.moved": ({ down }) => {
    view.button_down = down;
  },
  "simulator.jam.changed": ({ jammed }) => {
    view.jammed = jammed;
  },
  "simulator.script.ended": (data) => {
    view.ended = data;
    view.motor = 0;
    sound.tone(null);
  },
};

follow(texts.types, {
  onSnapshot(snapshot) {
    const { motor_commanded: motor, light_on: light, card_in_exit: exit_blocked } = snapshot;
    Object.assign(view, snapshot, { motor, light, exit_blocked, connected: true, ended: null });
    document.body.dataset.script = view.script;
    show();
    drawer.refresh();
  },
  onPast: (record) => drawer.take(record),
  onRecord(record) {
    takeRecord(view, record);
    HAPPENS[record.type]?.(record.data);
    view.cards_inside = record.data.inside ?? view.cards_inside;
    drawer.take(record);
    show();
  },
  onLost() {
    view.connected = false;
    sound.tone(null);
    show();
  },
});

// --- doing ---

let doing = Promise.resolve();

/** One after the other: a finger is never off the button before it was on it. */
function attempt(...steps) {
  sound.unlock();
  doing = doing.then(async () => {
    try {
      for (const step of steps) await step();
    } catch (problem) {
      report(problem);
    }
  });
}

let pushed = false;

function push() {
  if (pushed || !view.connected) return;
  pushed = true;
  attempt(() => hand("button", { hold_s: LONGEST_PUSH_S }));
}

function letGo() {
  if (!pushed) return;
  pushed = false;
  attempt(() => hand("release", {}));
}

const press = at("press");
press.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  press.setPointerCapture(event.pointerId);
  push();
});
press.addEventListener("pointerup", letGo);
press.addEventListener("lostpointercapture", letGo);
press.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch is a long push
addEventListener("blur", letGo);

const pushes = (event) => (event.target === press ? ["Space", "Enter"].includes(event.code) : isFreeSpace(event));

addEventListener("keydown", (event) => {
  if (!pushes(event)) return;
  event.preventDefault(); // no scrolling
  push();
});
addEventListener("keyup", (event) => {
  if (["Space", "Enter"].includes(event.code)) letGo();
});

at("lid").addEventListener("click", () => attempt(view.lid_open ? shutLid : liftLid));
at("take-card").addEventListener("click", () => attempt(takeCard));

setUpControls((cards) => attempt(...stackFilled(view, cards)));
show();
