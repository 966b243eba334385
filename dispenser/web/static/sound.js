// The beeper, heard in the browser. A browser lets a page sound only after a click or a key.

import { get } from "./api.js";
import { note } from "./note.js";

const KEY = "dispenser.sound";
const LONGEST_TONE_S = 60; // nobody wants to hear a forgotten beeper for longer

let wanted = localStorage.getItem(KEY) !== "off";
let chimes = null;
let context = null;

export const isOn = () => wanted;

export function toggle() {
  wanted = !wanted;
  localStorage.setItem(KEY, wanted ? "on" : "off");
  unlock();
  return wanted;
}

/** Call it from a click or a key. */
export function unlock() {
  if (!wanted) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

export async function learn() {
  chimes ??= await get("/chimes");
}

/** Plays a chime as the beeper does; one that is playing is cut short. */
export function play(name) {
  if (!wanted || context?.state !== "running" || !chimes?.[name]) return;
  silence();
  const soft = context.createGain();
  soft.connect(context.destination);
  playing = { soft, notes: [] };
  let at = context.currentTime + 0.01;
  for (const [frequency, durationMs] of chimes[name]) {
    const end = at + durationMs / 1000;
    if (frequency > 0) playing.notes.push(note(soft, frequency, at, end));
    at = end;
  }
}

/** The beeper as a script drives it: sounds until it is told another tone, or none (`null`). */
export function tone(frequency) {
  silence();
  if (!wanted || context?.state !== "running" || !frequency) return;
  const soft = context.createGain();
  soft.connect(context.destination);
  playing = { soft, notes: [note(soft, frequency, context.currentTime, context.currentTime + LONGEST_TONE_S)] };
}

let playing = null;

function silence() {
  if (!playing) return;
  playing.soft.disconnect();
  for (const oscillator of playing.notes) oscillator.stop();
  playing = null;
}
