// What a phone does beside showing: it rings, shakes, stays awake, and says things to whoever listens.

import { remember, remembered } from "../api.js";
import { at, language } from "./pieces.js";

const KEYS = { sound: "dispenser.sound", buzz: "dispenser.buzz" };
const SHAKE_MS = [90, 60, 90];
const RING = [
  { hertz: 784, from_s: 0, for_s: 0.12 },
  { hertz: 1047, from_s: 0.13, for_s: 0.22 },
];
const LOUDNESS = 0.12;

const on = { sound: remembered(KEYS.sound) !== "off", buzz: remembered(KEYS.buzz) !== "off" };
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
  remember(KEYS[sense], on[sense] ? "on" : "off");
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
  if (wanted("sound") && context?.state === "running") for (const note of RING) ring(context, note);
}

/** Shake, where that can be and is wanted. @param {number | number[]} pattern_ms */
export function buzz(pattern_ms) {
  if (wanted("buzz") && canBuzz && navigator.userActivation?.hasBeenActive) navigator.vibrate(pattern_ms);
}

/** @param {AudioContext} audio @param {typeof RING[number]} note */
function ring(audio, { hertz, from_s, for_s }) {
  const start = audio.currentTime + from_s + 0.01;
  const oscillator = audio.createOscillator();
  const envelope = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
  envelope.gain.exponentialRampToValueAtTime(0.001, start + for_s);
  oscillator.connect(envelope).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + for_s);
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
