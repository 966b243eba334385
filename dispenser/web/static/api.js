// Talks to the launcher's API.

const ROOT = "/api/v1";
const PATIENCE_MS = 8000;
const TRIES = 3;

/** An answer that is not a success: `status`, `error` (one word) and a message for people. */
export class Problem extends Error {
  constructor(status, body) {
    super([body.message, body.remedy].filter(Boolean).join(" "));
    this.status = status;
    this.error = body.error;
  }
}

export const get = (path) => request("GET", path);

/** Sends a command. An answer that got lost is asked for again: with the same id nothing moves twice. */
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

/** Says something once: an answer that got lost is not asked for again. */
export const say = (path, fields = {}) => request("POST", path, fields);

/** Hands on the simulated launcher. */
export const hand = (path, fields) => request("POST", `/toy/${path}`, fields);

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
