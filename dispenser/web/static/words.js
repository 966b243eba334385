// Says in words what is going on, in the page's language.

import { lit, showsCard } from "./state.js";

export const texts = JSON.parse(document.getElementById("texts").textContent);

const language = document.documentElement.lang;
const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(language);
const share = new Intl.NumberFormat(language, { style: "percent" });
const clock = new Intl.DateTimeFormat(language, { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number.format(value) : String(value);
  });
}

/** A pair of texts, for one and for many. */
export function count([one, many], n) {
  return fill(plural.select(n) === "one" ? one : many, { n });
}

export const percent = (part) => share.format(part);

export const atTime = (iso) => clock.format(new Date(iso));

/** The one sentence. `news` is a passing remark (a refused press, a failure) that comes before the rest. */
export function sentence(view, news) {
  const say = texts.sentence;
  if (!view.connected) return view.state === "connecting" ? say.connecting : say.lost;
  if (news) return news;
  if (view.state === "open" && view.outcome?.cause === "lid") return `${cutShort(view.outcome)} ${say.open}`;
  if (view.state === "open") return view.exit_blocked ? say.open_card : say.open;
  if (view.state !== "ready") return say[view.state];
  if (view.flying) return say.feeding; // how many it were is said when they have landed
  if (view.ask_count !== null) return texts.outcome.uncounted;
  const why = say[view.refusal] ?? texts.refused[view.refusal] ?? say.not_now;
  if (!view.outcome) return view.refusal === null ? say.ready : why;
  const explained = view.refusal === null || view.refusal === "busy" || view.outcome.sticking_out;
  return explained ? outcome(view) : `${outcome(view)} ${why}`;
}

function outcome(view) {
  const { cause, delivered, suspected_doubles, sticking_out } = view.outcome;
  const say = texts.outcome;
  if (cause === "dud") return joke(view.outcome.press);
  const sticks = sticking_out && view.exit_blocked;
  if (say.short[cause]) return sticks ? `${cutShort(view.outcome)} ${say.counted}` : cutShort(view.outcome);
  const cards = say.words[delivered - 1] ?? count(say.number, delivered);
  const told = fill(sticks ? say.counting[delivered === 1 ? 0 : 1] : say.all, { cards });
  return suspected_doubles ? `${told} ${count(say.double, suspected_doubles)}` : told;
}

/** Nothing came: the best moment for a joke. By the press, so that all phones tell the same one. */
function joke(press) {
  const jokes = [texts.outcome.dud, ...texts.outcome.jokes];
  return jokes[(press - 1) % jokes.length];
}

const cutShort = ({ cause, delivered, planned }) =>
  fill(texts.outcome.short[cause], { delivered: delivered ?? "?", planned });

/** What to look at, as far as it can be said in the page's language. */
export const advice = (view) => texts.detail[view.state === "off" && view.workshop ? "workshop" : view.state] ?? [];

/** How many cards a press brought, for the list of presses. */
export function cameOf({ cause, delivered, planned }) {
  if (cause === "dud") return "0";
  if (planned === undefined || delivered === planned) return String(delivered);
  return fill(delivered > planned ? texts.controls.more : texts.controls.of, { delivered: delivered ?? "?", planned });
}

/** The drawing in words. */
export function drawing(view, onTable) {
  const say = texts.launcher;
  const parts = [view.lid_open ? say.lid_open : say.lid_shut];
  parts.push(view.cards_inside === null ? say.cards_unknown : count(say.cards, view.cards_inside));
  parts.push(lit(view) ? say.light_on : say.light_off);
  if (showsCard(view)) parts.push(say.card_in_exit);
  else if (view.refusal === "exit_dark") parts.push(say.exit_dark);
  if (onTable) parts.push(count(say.on_table, onTable));
  return parts.join(" ");
}

/** One journal record in words. */
export function recordText(record) {
  const values = { ...record.data };
  const ordered = values.why ? "refused" : values.cards === null ? "luck" : "exact";
  if (values.reason) values.reason = texts.refused[values.reason] ?? values.reason;
  if (values.why) values.why = texts.refused[values.why] ?? values.why;
  if (values.cause) values.cause = texts.why[values.cause] ?? values.cause;
  if (values.new) values.new = texts.state[values.new] ?? values.new;
  if (values.chime) values.chime = texts.chime[values.chime] ?? values.chime;
  if (values.fault) values.fault = texts.faults[values.fault] ?? values.fault;
  if (typeof values.blocked_ms === "number") values.blocked_ms = Math.round(values.blocked_ms);
  if (values.delivered === null) values.delivered = "?";
  let text = texts.record[record.type];
  const { open, on, blocked, down, jammed, yes } = values;
  if (typeof text === "object") text = text[String(open ?? on ?? blocked ?? down ?? jammed ?? yes ?? ordered)];
  return text === undefined ? record.type : fill(text, values);
}
