// What a phone gets to draw: GET /api/v1/table/view, and the events `view` and `launcher` of /api/v1/table/views.

export interface View {
  at: number;
  language: string;
  me: { person: number | null; seat: number | null; name: string; host: boolean; owner: boolean };
  phase: "closed" | "lobby" | "dealing" | "playing" | "counting" | "between" | "over";
  game: string | null;
  /** Those that were chosen for this match. */
  options?: Record<string, Value>;
  /** What holds beside the card on top, in words. */
  in_force: string[];
  /** What the game calls a round. */
  round: string;
  title: string;
  tracking_mode: "counter" | "referee" | "cards" | null;
  sentence: string;
  tone: "you" | "wait" | "ask" | "good" | "bad" | "calm";
  /** Goes up whenever this phone should ring and vibrate. */
  calls: number;
  /** What the shared screen says aloud; empty when there is nothing new. */
  aloud: string;
  owes: Debt | null;
  push: { label: string; send: Send; due: boolean } | null;
  top: Card | null;
  colour: Colour | null;
  pile: number | null;
  /** Null where nobody follows the round. */
  direction: 1 | -1 | null;
  seats: Seat[];
  waiting: string[];
  /** A card that cannot be laid now has no choice; `hint` says why. */
  hand: { card: Card; choice: Choice | null; hint?: string; rule?: string }[];
  /** Several people share this phone: it hides the cards of that seat until somebody taps the label. */
  cover?: { seat: number; label: string; sentence: string } | null;
  /** The seat whose cards and choices these are; another than one's own when one acts for somebody. */
  acting?: number | null;
  choices: Choice[];
  always: Choice[];
  /** Back and forth. */
  quick: Choice[];
  asks: { text: string; choices: Choice[] } | null;
  recount: { press: number; cards: number; text: string; choices: Choice[]; seconds: number } | null;
  /** Newest last. */
  news: { seq: number; text: string }[];
  board: Board;
  luck: Luck[];
  /** The games are to be shown, and one can be started. */
  may_start: boolean;
  /** What is asked for matters to this phone. */
  called: boolean;
  join: Join | null;
  /** Whose phone is the launcher, and what it said last. */
  stand_in: { person: number; name: string; me: boolean; text?: string } | null;
  take: { press: number; cards: number; text: string } | null;
}

/** How an evening has ended. */
export interface Over {
  sentence: string;
  title: string;
  round: string;
  board: Board;
  luck: Luck[];
  facts: string[];
  /** Whom to ask for a new evening. */
  again: string;
}

/** What stands behind the page: GET /api/v1/table/sheet. */
export interface Sheet {
  at: number;
  menu: Choice[];
  lobby: Lobby | null;
}

/** What a button sends: `{press: true}` is a push of the launcher's button, anything else is told to the table. */
export type Send = Record<string, unknown>;

/** A button. One that sends nothing and leads nowhere is against the rules now, and `hint` says why. */
export interface Choice {
  label: string;
  send?: Send | null;
  next?: Choice[];
  number?: Range;
  text?: { key: string; most: number };
  /** Offered instead when their label is typed: names that somebody has. */
  taken?: Choice[];
  pick?: Picking;
  form?: Question[];
  /** What a leaf of a form or of a picking answers. */
  value?: Answer;
  /** How often that card can be picked in the whole form. */
  copies?: number;
  card?: Card;
  colour?: Colour;
  kind?: "main" | "call" | "danger" | "quiet";
  hint?: string;
  /** Above the choices that come next. */
  asks?: string;
  rule?: string;
}

export type Answer = string | number | boolean | null | string[];

/** `key`, here and below: where the answer goes in `send`, such as `cards` or `action.2`. */
export interface Range {
  least: number;
  most: number;
  likely?: number | null;
  key: string;
  /** What the cards count. */
  rule?: string;
}

/** Several cards, tapped one after the other; `given` are among them from the start. */
export interface Picking {
  cards: Choice[];
  least: number;
  most: number;
  given: string[];
  key: string;
}

/** One question of a form. */
export interface Question {
  key: string;
  text: string;
  likely?: Answer;
  choices?: Choice[];
  number?: Range;
  pick?: Picking;
}

export interface Card {
  /** As notes have it, in English. */
  name: string;
  /** As it is called in the view's language. */
  label?: string;
  symbol: string;
  colour: Colour | null;
}

export interface Colour {
  name: string;
  letter: string;
  shape: string;
  key: string;
}

export interface Debt {
  seat: number;
  receiver: number;
  kind: "presses" | "cards";
  left: number;
  total: number;
  text: string;
}

export interface Seat {
  seat: number;
  person: number | null;
  name: string;
  cards: number | null;
  score: number | null;
  turn: boolean;
  owes: string;
  announced: boolean;
  exposed: boolean;
  bot: boolean;
  away: boolean;
  left: boolean;
  gone: boolean;
  me: boolean;
  host: boolean;
  dealer: boolean;
}

export interface Board {
  names: string[];
  /** Points by seat, a row a round. */
  rounds: number[][];
  /** After each round. */
  scores: number[][];
  totals: number[];
  winner: string[];
  /** Of a game without points, once it is over: the first first. */
  places: string[];
}

export interface Luck {
  name: string;
  presses: number;
  cards: number;
  promised: number;
}

export interface Lobby {
  games: Game[];
  tracking_modes: { id: string; label: string; text: string }[];
}

export interface Game {
  id: string;
  name: string;
  summary: string;
  /** The fewest and the most. */
  seats: [number, number];
  options: GameOption[];
}

export type Value = string | number | boolean;

export interface GameOption {
  name: string;
  label: string;
  text: string;
  rule: string;
  values?: (Value | { value: Value; label: string })[];
  range?: [number, number];
  /** Signs of a text of the table's own. */
  most?: number;
  default: Value;
}

export interface Join {
  code: string;
  is_open: boolean;
  /** Null when phones reach no address. */
  url: string | null;
  addresses: { host: string; interface: string; url: string }[];
  /** The launcher's own, which a phone must join first; null while there is none, and for those who may not know. */
  wifi: { name: string; password: string } | null;
}

/** The launcher in short, told to everybody. */
export interface Launcher {
  state: string;
  /** Somebody is in the workshop with it. */
  workshop: boolean;
  refusal: string | null;
  order: { cards: number | null; why: string | null } | null;
  cards_inside: number | null;
  press: number | null;
  delivered: number;
  planned: number | null;
  /** The last push of its own button that did not count, until one does. */
  refused: { press: number; reason: string } | null;
}
