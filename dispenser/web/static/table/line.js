// The line to the table: each view whole as it comes, and what this phone tells.

/** @import {Launcher, Send, View} from "./view" */

const ROOT = "/api/v1";
const PATIENCE_MS = 8000;
const DEAD_MS = 40_000; // pings come every 15 s
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
const RESEND_MS = 1500;
const GIVE_UP_MS = 60_000;
const UNAVAILABLE = 503; // the launcher says why it cannot go on
const AWAY = [204, 404, 502, UNAVAILABLE, 504]; // an answer that may be another one soon

/** What is not told to the table. @type {Record<string, string>} */
const ELSEWHERE = { press: "/press", reset: "/reset", demo: "/table/demo" };

/** An answer that is not a success: its status, and a sentence for people. */
export class Problem extends Error {
  /** @param {number} status @param {{message?: string, remedy?: string, rule?: string}} body */
  constructor(status, body) {
    super([body.message, body.remedy].filter(Boolean).join(" "));
    this.status = status;
    this.rule = body.rule;
  }
}

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
 * Follows the table for as long as the page is seen. A phone that sleeps kills its line and tells nobody, so each time
 * the page is seen again there is a new one, and it begins with a whole view.
 * @param {Ears} ears
 * @returns {() => void} opens the line anew
 */
export function follow(ears) {
  /** @type {EventSource | null} */
  let source = null;
  let opening = 0;
  let wait = FIRST_WAIT_MS;
  let timer = 0;
  let watch = 0;
  let quiet = false; // another phone speaks

  function close() {
    opening += 1;
    clearTimeout(timer);
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
    const mine = new EventSource(`${ROOT}/table/views`);
    source = mine;
    /** @param {string} type @param {(data: any) => void} then */
    const on = (type, then) =>
      mine.addEventListener(type, (event) => {
        if (mine !== source) return;
        alive();
        then(event.data ? JSON.parse(event.data) : null);
      });
    mine.onopen = () => {
      wait = FIRST_WAIT_MS;
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
      quiet = true;
      close();
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
    timer = setTimeout(open, wait);
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }

  function look() {
    if (document.visibilityState === "hidden") close();
    else if (!quiet) open();
  }

  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("offline", () => {
    if (!quiet && source) lose();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => {
    if (event.persisted) look();
  });
  open();
  return () => {
    quiet = false;
    open();
  };
}

/**
 * Tells the table what a button sends, or pushes the launcher's. What the network lost is sent again with the same id,
 * so it happens once.
 * @param {Send} send
 * @param {number} at the number of the view that had the button
 */
export async function tell(send, at) {
  const id = newId();
  const path = send.do === undefined ? Object.keys(ELSEWHERE).find((name) => name in send) : undefined;
  const body = path ? { id } : { id, at, tell: send };
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await request("POST", path ? ELSEWHERE[path] : "/table/tell", body);
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

/** @param {"GET" | "POST"} method @param {string} path @param {unknown} [body] */
async function request(method, path, body) {
  const response = await fetch(ROOT + path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.status === 204) throw new Problem(204, {});
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response.json(); // an answer that breaks off is none
}

/** crypto.randomUUID is missing on plain http addresses, which is where a launcher on the table is. */
const newId = () => "phone-" + Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");
