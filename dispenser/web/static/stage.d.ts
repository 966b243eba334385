// What other pages use of the launcher's drawing.

/** How the launcher is: the fields of `newView` in state.js that the drawing looks at. */
export interface Looks {
  connected: boolean;
  state: string;
  refusal: string | null;
  lid_open: boolean;
  exit_blocked: boolean;
  burst_press: number | null;
  cards_inside: number | null;
  flying: number;
  outcome: { cause: string } | null;
}
export function showLauncher(view: Looks): void;
export function clearTable(): void;
export function showLive(number: number): void;
export function flyCard(place: number, double: boolean): number;
export function puff(): void;
export function shake(): void;
export function shape(name: string, attributes: Record<string, string | number>): SVGElement;
