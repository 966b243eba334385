// The line to the table: each view whole as it comes, and what this phone tells.

import { addressOf, newId, Problem, request } from "../api.js";
import { whileSeen } from "../seen.js";

/** @import {Launcher, Send, View} from "./view" */

const DEAD_MS = 40_000; // pings come every 15 s
const RESEND_MS = 1500;
const GIVE_UP_MS = 60_000;
const UNAVAILABLE = 503; // the launcher says why it cannot go on
const AWAY = [204, 404, 502, UNAVAILABLE, 504]; // an answer that may be another one soon

/** What is not told to the table. @type {Record<string, string>} */
const ELSEWHERE = { press: "/press", reset: "/reset", demo: "/table/demo" };

/**
 * @typedef {object} Ears
 * @property {(view: View) => void} onView
 * @property {(launcher: Launcher) => void} onLauncher
 * @property {(over: import("./view").Over) => void} onOver the evening has ended
 * @property {(why: string) => void} onLost the connection is gone, or the launcher has said why it cannot go on; it is tried again by itself
 * @property {() => void} onMoved another phone speaks for this seat; nothing is tried until `open` is called
 * @property {() => void} onStranger this browser has not shown the table's code
 */

/**
 * Follows the table for as long as the page is seen. Each time it is seen again the line begins with a whole view.
 * @param {Ears} ears
 * @returns {() => void} opens the line anew
 */
export function follow(ears) {
  /** @type {EventSource | null} */
  let source = null;
  let opening = 0;
  let watch = 0;
  const seen = whileSeen({ open, close, lost: () => lose() });

  function close() {
    opening += 1;
    clearTimeout(watch);
    source?.close();
    source = null;
  }

  async function open() {
    close();
    const mine = opening;
    try {
      const view = await request("GET", "/table/view");
      if (mine !== opening) return;
      ears.onView(view);
      listen();
    } catch (problem) {
      if (mine !== opening) return;
      if (problem instanceof Problem && !AWAY.includes(problem.status) && problem.status < 500) ears.onStranger();
      else lose(problem instanceof Problem && problem.status === UNAVAILABLE ? problem.message : "");
    }
  }

  function listen() {
    const mine = new EventSource(addressOf("/table/views"));
    source = mine;
    /** @param {string} type @param {(data: any) => void} then */
    const on = (type, then) =>
      mine.addEventListener(type, (event) => {
        if (mine !== source) return;
        alive();
        then(event.data ? JSON.parse(event.data) : null);
      });
    mine.onopen = () => {
      seen.opened();
      alive();
    };
    mine.onerror = () => {
      if (mine === source) lose();
    };
    on("view", ears.onView);
    on("launcher", ears.onLauncher);
    on("ping", () => {});
    on("over", ears.onOver);
    on("moved", () => {
      seen.pause();
      ears.onMoved();
    });
  }

  function alive() {
    clearTimeout(watch);
    watch = setTimeout(() => lose(), DEAD_MS);
  }

  function lose(why = "") {
    close();
    ears.onLost(why);
    seen.later();
  }

  seen.now();
  return () => seen.now();
}

/**
 * Sends the table what a button says, or pushes the launcher's. What the network lost is sent again with the same id,
 * so it happens once.
 * @param {Send} send
 * @param {number} at the number of the view that had the button
 */
export async function post(send, at) {
  const id = newId();
  const path = send.do === undefined ? Object.keys(ELSEWHERE).find((name) => name in send) : undefined;
  const body = path ? { id } : { id, at, command: send };
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await request("POST", path ? ELSEWHERE[path] : "/table/commands", body);
    } catch (problem) {
      const answered = problem instanceof Problem && !AWAY.includes(problem.status);
      if (answered || performance.now() > until) throw problem;
    }
    await online();
  }
}

/** What stands behind the page: menu and games. */
export const sheet = () => request("GET", "/table/sheet");

/** A moment, or less when the network is back. */
const online = () =>
  new Promise((resolve) => {
    setTimeout(resolve, RESEND_MS);
    addEventListener("online", resolve, { once: true });
  });
