// Follows the journal: a snapshot, then every entry after it, in order and once each, through every interruption.

import { get } from "./api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/**
 * `onSnapshot(snapshot)`: the launcher as it is now; again after every interruption.
 * `onPast(entry)`: an entry that was missed meanwhile; the snapshot already knows of it.
 * `onEntry(entry)`: something that happens now.
 * `onLost()`: the connection is gone; it is tried again by itself.
 */
export function follow(types, { onSnapshot, onPast, onEntry, onLost }) {
  let last = null; // seq of the newest entry that was handed on
  let source = null;
  let wait = FIRST_WAIT_MS;
  let timer = 0;

  async function begin() {
    clearTimeout(timer);
    source?.close();
    let snapshot;
    try {
      snapshot = await get("/snapshot");
    } catch {
      lose();
      return;
    }
    if (snapshot.journal === null) {
      onSnapshot(snapshot); // it says what is wrong
      again();
      return;
    }
    if (last === null || snapshot.seq < last) last = snapshot.seq; // the first time, or another journal
    listen(snapshot);
  }

  function listen(snapshot) {
    source?.close();
    if (document.visibilityState === "hidden") return; // meanwhile
    const mine = new EventSource(`/api/v1/events?after=${last}`);
    source = mine;
    mine.onopen = () => {
      wait = FIRST_WAIT_MS;
      onSnapshot(snapshot);
    };
    mine.onerror = () => {
      if (mine === source) lose();
    };
    for (const type of types) {
      mine.addEventListener(type, (event) => {
        const entry = JSON.parse(event.data);
        if (mine !== source || entry.seq <= last) return;
        last = entry.seq;
        if (entry.seq <= snapshot.seq) onPast(entry);
        else onEntry(entry);
      });
    }
  }

  function lose() {
    source?.close();
    source = null;
    onLost();
    again();
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(begin, wait);
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }

  /** Who does not see the page needs no stream: a browser has six connections for all its tabs. */
  function look() {
    if (document.visibilityState === "visible") begin();
    else {
      clearTimeout(timer);
      source?.close();
      source = null;
    }
  }

  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", look);
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) begin();
  });
  begin();
}
