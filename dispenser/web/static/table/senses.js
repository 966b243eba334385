// What a phone does beside showing: it rings, shakes, stays awake, and says things to whoever listens.

import { note } from "../note.js";
import { at, language } from "./pieces.js";

const KEYS = { sound: "dispenser.sound", buzz: "dispenser.buzz" };
const SHAKE_MS = [90, 60, 90];
const RING = [
  [784, 0.01, 0.13],
  [1047, 0.14, 0.36],
];

const on = { sound: localStorage.getItem(KEYS.sound) !== "off", buzz: localStorage.getItem(KEYS.buzz) !== "off" };
/** @type {AudioContext | null} */
let context = null;
/** @type {WakeLockSentinel | null} */
let lock = null;

export const canBuzz = "vibrate" in navigator;
/** Browsers keep a screen awake for pages of https addresses only. */
export const canStayAwake = "wakeLock" in navigator;

/** @param {keyof typeof KEYS} sense */
export const wanted = (sense) => on[sense];

/** @param {keyof typeof KEYS} sense */
export function toggle(sense) {
  on[sense] = !on[sense];
  localStorage.setItem(KEYS[sense], on[sense] ? "on" : "off");
  touched();
  if (wanted(sense)) call();
}

/** Call it at every tap: a phone that was locked has silenced the page, and only a tap may wake it. */
export function touched() {
  if (wanted("sound")) {
    context ??= new AudioContext();
    if (context.state !== "running") context.resume().catch(() => {});
  }
  stayAwake();
}

/** Look up: it is your turn. */
export function call() {
  buzz(SHAKE_MS);
  if (wanted("sound") && context?.state === "running") for (const [hertz, from_s, to_s] of RING) note(context.destination, hertz, context.currentTime + from_s, context.currentTime + to_s, "triangle");
}

/** Shake, where that can be and is wanted. @param {number | number[]} pattern_ms */
export function buzz(pattern_ms) {
  if (wanted("buzz") && canBuzz && navigator.userActivation?.hasBeenActive) navigator.vibrate(pattern_ms);
}

async function stayAwake() {
  if (!canStayAwake || document.visibilityState !== "visible" || (lock && !lock.released)) return;
  lock = await navigator.wakeLock.request("screen").catch(() => null); // a phone low on power says no
}

/**
 * For whoever cannot see it. The same words twice are two happenings: they come in another place, and are read again.
 * @param {string} text
 */
export function announce(text) {
  const [one, other] = at("said").children;
  const next = one.textContent ? other : one;
  const last = next === one ? other : one;
  next.textContent = text;
  last.textContent = "";
}

export const canSpeak = "speechSynthesis" in window;

/** @param {string} text */
export function speak(text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = { en: "en-GB", fr: "fr-FR" }[language] ?? language;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

document.addEventListener("visibilitychange", () => {
  if (lock) stayAwake();
});
