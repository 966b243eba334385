// Talks to the launcher's API.

const ROOT = "/api/v1";
const KEY = new URLSearchParams(location.search).get("key");
const PATIENCE_MS = 8000;
const TRIES = 3;

/** The address of a part of the API. The key of a screen in a frame, where a browser sends no cookies, goes with it. @param {string} path */
export const addressOf = (path) => ROOT + path + (KEY === null ? "" : `${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(KEY)}`);

/** An answer that is not a success: `status`, a message for people, and the rule of the game that it speaks of. */
export class Problem extends Error {
  /** @param {number} status @param {{error?: string, message?: string, remedy?: string, rule?: string}} body */
  constructor(status, body) {
    const sentences = body.error === "press_refused" ? [body.remedy] : [body.message, body.remedy]; // the page shows the launcher's state
    super(sentences.filter(Boolean).join(" "));
    this.status = status;
    this.rule = body.rule;
  }
}

/** @param {string} path */
export const get = (path) => answered("GET", path);

/** Sends a command. An answer that got lost is asked for again: with the same id nothing moves twice. @param {string} path @param {object} [fields] */
export async function command(path, fields = {}) {
  const body = { ...fields, id: newId() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await answered("POST", path, body);
    } catch (error) {
      if (error instanceof Problem || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

/** Says something once: an answer that got lost is not asked for again. @param {string} path @param {object} [fields] */
export const say = (path, fields = {}) => answered("POST", path, fields);

/** Hands on the simulated launcher. @param {string} path @param {object} [fields] */
export const hand = (path, fields) => answered("POST", `/simulator/${path}`, fields);

/** A page whose login is over is loaded anew, which asks for it. @param {"GET" | "POST"} method @param {string} path @param {object} [body] */
async function answered(method, path, body) {
  try {
    return await request(method, path, body);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) location.reload();
    throw error;
  }
}

/** @param {"GET" | "POST"} method @param {string} path @param {object} [body] */
export async function request(method, path, body) {
  const response = await fetch(addressOf(path), {
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
export const newId = () => "page-" + Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");
