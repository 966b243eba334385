// Follows the journal: a snapshot, then every record after it, in order and once each, through every interruption.

import { get } from "./api.js";
import { whileSeen } from "./seen.js";

/**
 * `onSnapshot(snapshot)`: the launcher as it is now; again after every interruption.
 * `onPast(record)`: a record that was missed meanwhile; the snapshot already knows of it.
 * `onRecord(record)`: something that happens now.
 * `onLost()`: the connection is gone; it is tried again by itself.
 */
export function follow(types, { onSnapshot, onPast, onRecord, onLost }) {
  let last = null; // seq of the newest record that was handed on
  let source = null;
  const seen = whileSeen({ open, close, lost: lose });

  function close() {
    source?.close();
    source = null;
  }

  async function open() {
    close();
    try {
      const snapshot = await get("/snapshot");
      if (snapshot.journal === null) {
        onSnapshot(snapshot); // it says what is wrong
        seen.later();
        return;
      }
      if (last === null || snapshot.seq < last) last = snapshot.seq; // the first time, or another journal
      if (document.visibilityState !== "hidden") listen(snapshot);
    } catch {
      lose();
    }
  }

  function listen(snapshot) {
    close();
    const mine = new EventSource(`/api/v1/events?after=${last}`);
    source = mine;
    mine.onopen = () => {
      seen.opened();
      onSnapshot(snapshot);
    };
    mine.onerror = () => {
      if (mine === source) lose();
    };
    for (const type of types) {
      mine.addEventListener(type, (event) => {
        const record = JSON.parse(event.data);
        if (mine !== source || record.seq <= last) return;
        last = record.seq;
        if (record.seq <= snapshot.seq) onPast(record);
        else onRecord(record);
      });
    }
  }

  function lose() {
    close();
    onLost();
    seen.later();
  }

  seen.now();
}
