// What the page knows of the launcher: a snapshot, and what each record changes.

export const newView = () => ({
  connected: false,
  seq: 0,
  state: "connecting",
  detail: "",
  lid_open: false,
  exit_blocked: false,
  cards_inside: null,
  dud_streak: 0,
  presses: 0,
  burst_press: null,
  burst_delivered: 0,
  workshop: false, // somebody is in the workshop with it
  refusal: "off", // why a press would be refused now; null when it would count
  flying: 0, // cards in the air
  outcome: null, // data of the last burst that ended, until the next press or lid
  ask_count: null, // the press whose cards nobody has counted
  seed: null,
});

const KNOWN = [
  "journal", "seq", "state", "detail", "lid_open", "exit_blocked", "cards_inside", "dud_streak", "presses",
  "burst_press", "burst_delivered", "refusal", "commitment", "workshop", "broker_error",
];

export function takeSnapshot(view, snapshot) {
  for (const key of KNOWN) view[key] = snapshot[key];
}

const CHANGES = {
  "launcher.state.changed": (view, data) => {
    view.state = data.new;
    view.detail = data.detail;
    view.refusal = data.refusal;
  },
  "launcher.press.accepted": (view, data) => {
    Object.assign(view, { presses: data.press, burst_press: data.press, burst_delivered: 0, outcome: null, ask_count: null });
  },
  "launcher.press.refused": (view, data) => {
    view.presses = data.press;
  },
  "launcher.card.left": (view, data) => {
    if (data.press !== null) view.burst_delivered = data.number;
    if (view.cards_inside) view.cards_inside -= 1;
  },
  "launcher.burst.ended": (view, data) => {
    const { dud_streak, refusal, sticking_out } = data;
    Object.assign(view, { burst_press: null, outcome: data, dud_streak, refusal, exit_blocked: sticking_out });
    if (data.delivered === null) view.ask_count = data.press;
  },
  "launcher.burst.counted": (view, data) => {
    if (view.ask_count === data.press) view.ask_count = null;
    if (view.outcome?.press === data.press) view.outcome = { ...view.outcome, delivered: data.cards, cause: "complete" };
  },
  "launcher.lid.opened": (view) => {
    view.lid_open = true;
    if (view.burst_press === null) view.outcome = null;
  },
  "launcher.lid.closed": (view) => {
    view.lid_open = false;
    if (view.burst_press === null) view.outcome = null;
  },
  "launcher.exit.changed": (view, data) => {
    view.exit_blocked = data.blocked;
    view.refusal = data.refusal;
  },
  "launcher.order.changed": (view, data) => {
    view.refusal = data.refusal;
  },
  "launcher.cards.loaded": (view, data) => {
    view.cards_inside = data.cards;
  },
  "launcher.reset": (view) => {
    view.outcome = null;
  },
  "workshop.opened": (view) => {
    view.workshop = true;
  },
  "workshop.closed": (view) => {
    view.workshop = false;
  },
  "fairness.committed": (view, data) => {
    view.commitment = data.commitment;
    view.seed = null;
  },
  "fairness.revealed": (view, data) => {
    if (data.commitment === view.commitment) view.seed = data.seed;
  },
};

/** A record that the snapshot knows of already: it only adds what no snapshot has, such as how the last burst ended. */
export function takePast(view, record) {
  const now = { ...view };
  takeRecord(view, record);
  takeSnapshot(view, now);
}

export function takeRecord(view, record) {
  view.seq = record.seq;
  CHANGES[record.type]?.(view, record.data);
}

/** Whether the lamp glows, which means that a press would count. A script has it in its own hands. */
export const lit = (view) => view.light ?? (view.connected && view.refusal === null);

/** A card sticks out, as far as anybody knows; an exit that is dark by itself shows none. */
export const showsCard = (view) => view.exit_blocked && view.burst_press === null && view.refusal !== "exit_dark";

/** How the launcher feels; the drawing shows it. */
export function mood(view) {
  if (!view.connected) return "away";
  if (view.state !== "ready") return view.state;
  if (view.flying) return "feeding";
  if (view.exit_blocked) return "card";
  if (view.outcome) return view.outcome.cause === "dud" ? "dud" : "happy";
  return lit(view) || view.script ? "ready" : "waiting";
}
