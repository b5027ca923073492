/** Amounts are shown as `1,250.00`, so they may be typed like that. */

const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

export function withoutGrouping(typed: string): string {
  return GROUPED.test(typed.trim()) ? typed.replaceAll(",", "") : typed;
}
