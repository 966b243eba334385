// Where somebody is in a tree of choices, in a form, among cards to pick; and what is sent at the end.

/** @import {Answer, Choice, Picking, Question, Range, Send} from "./view" */

/**
 * What is asked at a step: a choice that is open, or one question of its form.
 * @typedef {object} Asked
 * @property {string} text
 * @property {Choice["card"]} [card]
 * @property {Choice[]} [choices]
 * @property {Range} [number]
 * @property {Choice["text"]} [typing]
 * @property {Picking} [pick]
 * @property {Answer} [likely]
 * @property {string} key
 */

/** @param {Choice} choice */
export const leads = ({ next, number, text, pick, form }) => Boolean(next || number || text || pick || form);

/** It does nothing now; its hint says why. @param {Choice} choice */
export const dim = (choice) => !leads(choice) && choice.send === undefined && choice.value === undefined;

/** A copy of what is sent, with an answer in its place. @param {Send} send @param {string} key @param {Answer} answer @returns {Send} */
export function filled(send, key, answer) {
  const made = structuredClone(send);
  const path = key.split(".");
  const last = path.pop() ?? "";
  /** @type {any} */
  let at = made;
  path.forEach((step, i) => {
    at[step] ??= /^\d+$/.test(path[i + 1] ?? last) ? [] : {};
    at = at[step];
  });
  at[last] = answer;
  return made;
}

/** It outlives a new view for as long as that has the same way. */
export class Steps {
  /** @param {() => Choice[]} roots @param {(send: Send) => void} send @param {(hint: string, rule?: string) => void} explain @param {() => void} draw */
  constructor(roots, send, explain, draw) {
    this.roots = roots;
    this.send = send;
    this.explain = explain;
    this.draw = draw;
  }

  /** Labels from a root to the choice that is open. @type {string[]} */
  way = [];
  /** Of a form. @type {{key: string, answer: Answer}[]} */
  answers = [];
  /** Labels within a question. @type {string[]} */
  within = [];
  /** Cards. @type {string[]} */
  picked = [];

  leave() {
    this.way = [];
    this.answers = [];
    this.#begin();
  }

  /** Nothing of this question is answered yet. */
  #begin() {
    this.within = [];
    this.picked = [];
  }

  /** The choice that is open, if any. @returns {Choice | null} */
  get here() {
    const found = follow(this.roots(), this.way);
    if (found.length < this.way.length) {
      this.way.length = found.length;
      this.answers = [];
      this.#begin();
    }
    return found.at(-1) ?? null;
  }

  /** @returns {Asked | null} */
  get asked() {
    const open = this.here;
    if (!open) return null;
    const { label, asks, hint, card, next, number, text, pick, form } = open;
    if (!form) {
      const key = number?.key ?? text?.key ?? pick?.key ?? "";
      return { text: asks ?? hint ?? label, card, choices: next, number, typing: text, pick, key };
    }
    const question = this.#left(form)[0];
    return question ?? null;
  }

  /** The questions that are still to be asked. @param {Question[]} form */
  #left(form) {
    return form.filter(({ key }) => !this.answers.some((one) => one.key === key));
  }

  /** The buttons of this step. @returns {Choice[]} */
  get choices() {
    const among = this.asked?.pick?.cards ?? this.asked?.choices ?? [];
    const found = follow(among, this.within);
    this.within.length = found.length;
    return found.at(-1)?.next ?? among;
  }

  /** Of a picking: what is picked so far. @returns {string[]} */
  get list() {
    return [...(this.asked?.pick?.given ?? []), ...this.picked];
  }

  /** How many more of that card there can be. @param {Choice} leaf */
  left({ value, copies = Infinity }) {
    const used = [...this.list, ...this.answers.flatMap(({ answer }) => answer)];
    return copies - used.filter((one) => one === value).length;
  }

  /** @param {Choice} choice */
  take(choice) {
    const open = this.here;
    if (dim(choice)) this.explain(choice.hint ?? "", choice.rule);
    else if (choice.value !== undefined) this.#answer(choice);
    else if (!leads(choice)) {
      this.leave();
      if (choice.send) this.send(choice.send);
    } else if (open && (open.form || open.pick)) this.within.push(choice.label);
    else {
      this.way.push(choice.label);
      this.answers = [];
      this.#begin();
    }
    this.draw();
  }

  /** @param {Choice} leaf */
  #answer(leaf) {
    if (!this.asked?.pick) this.enter(leaf.value ?? null);
    else if (this.left(leaf) > 0 && this.list.length < this.asked.pick.most) {
      this.picked.push(String(leaf.value));
      this.within = [];
    }
  }

  /** @param {number} place in `list`; what was given stays */
  putBack(place) {
    this.picked.splice(place - (this.asked?.pick?.given.length ?? 0), 1);
    this.draw();
  }

  /** The answer to what is asked. @param {Answer} answer */
  enter(answer) {
    const { asked, here: open } = this;
    if (asked && open) this.close(open, asked.key, answer);
  }

  /** @param {Choice} open @param {string} key @param {Answer} answer */
  close(open, key, answer) {
    const taken = open.taken?.find(({ label }) => typeof answer === "string" && label.localeCompare(answer, undefined, { sensitivity: "accent" }) === 0);
    if (taken) {
      this.leave(); // it stands beside the question, not within
      return this.take(taken);
    }
    this.answers.push({ key, answer });
    this.#begin();
    if (!open.form || this.#left(open.form).length === 0) {
      const send = this.answers.reduce((made, one) => filled(made, one.key, one.answer), open.send ?? {});
      this.leave();
      this.send(send);
    }
    this.draw();
  }

  back() {
    if (this.within.length) this.within.pop();
    else if (this.answers.length) {
      this.answers.pop();
      this.#begin();
    } else {
      this.way.pop();
      this.#begin();
    }
    this.draw();
  }
}

/** The choices along a way, as far as it goes. @param {Choice[]} among @param {string[]} way */
function follow(among, way) {
  const found = [];
  for (const label of way) {
    const next = among.find((choice) => choice.label === label && leads(choice));
    if (!next) break;
    found.push(next);
    among = next.next ?? [];
  }
  return found;
}

/** The phone's "back" closes what is open, and only then leaves the page. @param {() => boolean} anythingOpen @param {() => void} close one step of it */
export function closeOnBack(anythingOpen, close) {
  /** Whether an entry of the history stands for what is open. */
  let marked = Boolean(history.state?.open);

  function mark() {
    if (marked || !anythingOpen()) return;
    marked = true;
    history.pushState({ open: true }, "");
  }

  addEventListener("click", mark);
  addEventListener("popstate", () => {
    if (!marked) return;
    marked = false;
    if (!anythingOpen()) return history.back();
    close();
    mark();
  });
}
