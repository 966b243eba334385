// Talks to the launcher's API.

const ROOT = "/api/v1";
const PATIENCE_MS = 8000;
const TRIES = 3;

/** An answer that is not a success: `status`, `error` (one word) and a message for people. */
export class Problem extends Error {
  /** @param {number} status @param {{message: string, remedy?: string, error: string}} body */
  constructor(status, body) {
    super([body.message, body.remedy].filter(Boolean).join(" "));
    this.status = status;
    this.error = body.error;
  }
}

/** What this browser remembers under a key, if it remembers anything: storage can be blocked. @param {string} key */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // until the page is left
  }
}

/** @param {string} path */
export const get = (path) => request("GET", path);

/** Sends a command. An answer that got lost is asked for again: with the same id nothing moves twice. @param {string} path @param {object} [fields] */
export async function command(path, fields = {}) {
  const body = { ...fields, id: newId() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request("POST", path, body);
    } catch (error) {
      if (error instanceof Problem || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

/** Says something once: an answer that got lost is not asked for again. @param {string} path @param {object} [fields] */
export const say = (path, fields = {}) => request("POST", path, fields);

/** Hands on the simulated launcher. @param {string} path @param {object} [fields] */
export const hand = (path, fields) => request("POST", `/toy/${path}`, fields);

/** @param {string} method @param {string} path @param {object} [body] */
async function request(method, path, body) {
  const response = await fetch(ROOT + path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.status === 401) location.reload(); // the login is over
  const answer = await response.json();
  if (!response.ok) throw new Problem(response.status, answer);
  return answer;
}

function newId() {
  // crypto.randomUUID is missing on plain http addresses, which is where a launcher on the table is.
  return "page-" + Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");
}
