// What the pages use of lit-html.

export interface TemplateResult {
  strings: TemplateStringsArray;
  values: unknown[];
}
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function render(value: unknown, container: HTMLElement): unknown;
/** Draws nothing; as an attribute's value it takes the attribute away. */
export const nothing: unique symbol;
