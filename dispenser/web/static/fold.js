// Folds the journal: what belongs to one happening is one line, told by the entry that says most.

const TOGETHER_MS = 300; // a hand, the lid, its state and its chime come within so long
const ACCEPTED = "launcher.press.accepted";
const ENDED = "launcher.burst.ended";
const ALONE = [ACCEPTED, "launcher.press.refused"]; // begins a happening of its own
/** Beginnings of types, from what says most to what says least; what is not here says more than a hand on the toy. */
const TELLING = [
  ENDED, "launcher.press.refused", ACCEPTED, "launcher.lid", "launcher.cards", "launcher.reset", "launcher.burst.counted",
  "service", "launcher.switched", "fairness", "", "toy", "launcher.exit", "launcher.card.", "launcher.state", "launcher.chime",
];

/** From entries in order to happenings in order: `{ head, entries }`, of which the head is one. */
export function happenings(entries) {
  const found = [];
  let press = null; // the one whose cards are still coming
  for (const entry of entries) {
    const last = found.at(-1);
    if (last && belongs(entry, last, press)) last.entries.push(entry);
    else found.push({ entries: [entry] });
    if (entry.type === ACCEPTED) press = entry.data.press;
    else if (entry.type === ENDED && entry.data.press === press) press = null;
  }
  for (const each of found) each.head = each.entries.reduce((best, entry) => (rank(entry) < rank(best) ? entry : best));
  return found;
}

function belongs(entry, { entries }, press) {
  if (press !== null && !ALONE.includes(entry.type)) return true;
  const soon = Date.parse(entry.time) - Date.parse(entries.at(-1).time) < TOGETHER_MS;
  return soon && (!ALONE.includes(entry.type) || entries.every(({ type }) => type.startsWith("toy.")));
}

function rank({ type }) {
  const place = TELLING.findIndex((beginning) => beginning && type.startsWith(beginning));
  return place < 0 ? TELLING.indexOf("") : place;
}
