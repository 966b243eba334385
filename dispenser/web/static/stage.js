// The drawing. Its moods are in launcher.css; here are the stack, and the cards that leave.

import { lit, mood, showsCard } from "./state.js";
import { drawing } from "./words.js";

const launcher = document.getElementById("launcher");
const table = document.getElementById("table-cards");
const stack = document.getElementById("stack");
const label = document.getElementById("stack-label");
const live = document.getElementById("live");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const SVG = "http://www.w3.org/2000/svg";
const MOUTH = { x: 200, y: 195 };
const WINDOW = { x: 143, bottom: 278, width: 114, height: 40 };
const FULL_STACK = 112;
const LAYER_CARDS = 8;
const EDGES = ["var(--card)", "var(--red)", "var(--card)", "var(--blue)", "var(--card)", "var(--green)", "var(--card)", "var(--yellow)"];
const FLIGHT_MS = 850;

export function showLauncher(view) {
  launcher.dataset.mood = mood(view);
  launcher.dataset.lid = view.lid_open ? "open" : "shut";
  launcher.dataset.light = lit(view) ? "on" : "off";
  launcher.dataset.exit = showsCard(view) ? "blocked" : "clear";
  launcher.setAttribute("aria-label", drawing(view, table.childElementCount));
  showStack(view.cards_inside);
}

/** The stack behind the window: a layer for every eight cards, and the number when somebody said it. */
function showStack(cards) {
  const layers = cards === null ? 0 : Math.ceil(Math.min(cards, FULL_STACK) / LAYER_CARDS);
  if (stack.childElementCount !== layers) {
    const height = WINDOW.height / (FULL_STACK / LAYER_CARDS);
    stack.replaceChildren(
      ...Array.from({ length: layers }, (_, i) => {
        const inset = [0, 2, 1, 3][i % 4];
        const y = WINDOW.bottom - (i + 1) * height;
        const layer = shape("rect", { x: WINDOW.x + inset, y, width: WINDOW.width - 2 * inset, height: height - 0.6, rx: 1 });
        layer.style.fill = EDGES[i % EDGES.length];
        return layer;
      }),
    );
  }
  label.lastElementChild.textContent = cards === null ? "?" : cards;
  document.getElementById("inside-cards").style.transform = `translateY(${18 - Math.min(layers, 14) * 1.6}px)`;
}

/** The table is cleared when the next press counts: whoever got the cards has taken them. */
export function clearTable() {
  [...table.children].forEach(fadeOut);
}

function fadeOut(card) {
  if (calm.matches || document.hidden) {
    card.remove();
    return;
  }
  card.animate({ opacity: [1, 0], translate: ["0 0", "0 26px"] }, { duration: 220, fill: "forwards" }).onfinish = () => card.remove();
}

/** The number of cards that have left so far, as large as it gets; empty when none is in the air any more. */
export function showLive(number) {
  const text = String(number || "");
  if (live.textContent === text) return;
  live.textContent = text;
  if (text && !calm.matches) live.animate({ scale: [1.15, 1] }, { duration: 180, easing: "ease-out" });
}

/** One card leaves, because the sensor saw it, for its `place` on the table, from 0. Tells how long it flies, ms. */
export function flyCard(place, double) {
  const landing = landingPlace(place);
  const card = shape("g", { class: "flown" });
  card.append(use("#card-back"));
  if (double) {
    const second = use("#card-back");
    second.setAttribute("transform", "translate(6 -7) rotate(7)");
    card.prepend(second);
  }
  table.append(card);
  card.style.transform = pose(landing);
  if (calm.matches) {
    card.animate({ opacity: [0, 1] }, 250);
    return 0;
  }
  const side = Math.sign(landing.x - MOUTH.x);
  const top = { x: 200 + side * (66 + (place % 5) * 24), y: 6 + (place % 3) * 26, turn: side * (130 + (place % 4) * 30) };
  const landed = { ...landing, turn: landing.turn + side * 360 };
  card.animate(
    [
      { transform: pose({ ...MOUTH, turn: 0, wide: 0.86, high: 0.06 }), offset: 0 },
      { transform: pose({ x: MOUTH.x + side * 14, y: MOUTH.y + 14, turn: side * 10, wide: 1.05, high: 0.9 }), offset: 0.1, easing: "cubic-bezier(.1,.7,.4,1)" },
      { transform: pose({ ...top, wide: 1.25, high: 1.25 }), offset: 0.5, easing: "cubic-bezier(.6,0,.9,.5)" },
      { transform: pose(landed), offset: 0.92 },
      { transform: pose({ ...landed, y: landed.y - 5 }), offset: 0.96 },
      { transform: pose(landed), offset: 1 },
    ],
    { duration: FLIGHT_MS },
  );
  return FLIGHT_MS;
}

/** Left and right of the launcher in turn, from the middle outward; after ten on top of those. */
function landingPlace(place) {
  const side = place % 2 === 0 ? -1 : 1;
  const step = Math.floor(place / 2) % 5;
  const layer = Math.floor(place / 10);
  return {
    x: 200 + side * (36 + step * 32),
    y: 326 - step * step * 1.6 - layer * 6,
    turn: side * (6 + step * 8) + layer * 11,
    wide: 0.86,
    high: 0.62,
  };
}

const pose = ({ x, y, turn, wide, high }) => `translate(${x}px, ${y}px) scale(${wide}, ${high}) rotate(${turn}deg)`;

/** A little cloud and nothing else. */
export function puff() {
  if (calm.matches) return;
  const cloud = document.getElementById("puff");
  cloud.animate(
    [
      { opacity: 0.8, transform: "translateY(0)" },
      { opacity: 0, transform: "translateY(-46px)" },
    ],
    { duration: 1100, easing: "ease-out" },
  );
}

/** The launcher shakes its head: this press does not count. */
export function shake() {
  if (calm.matches) return;
  document.getElementById("machine").animate(
    { transform: ["translateX(0)", "translateX(-7px)", "translateX(6px)", "translateX(-4px)", "translateX(0)"] },
    { duration: 340 },
  );
}

export function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function use(href) {
  return shape("use", { href });
}
