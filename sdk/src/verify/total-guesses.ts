/** A total as it may have been meant, in cents, and how it has to be written. */

/** Fees are far below this share of a total, and this many cents more. */
const FEE_SHARE_MAX = 0.12;
const FEE_CENTS_MORE = 6_000;
const CENTS_TRIED_MAX = 12_000;

/** `10`, `10.0`, `1,000.00` and `10,00` with two decimals; undefined when it is no total. */
export function twoDecimals(text: string): string | undefined {
  const bare = text.trim().replace(/^[A-Z]{3}\s*|^\$\s*/, "");
  const [, whole = "", cents = ""] =
    /^(\d{1,3}(?:[ ,']\d{3})+|\d+)(?:\.(\d{0,2}))?$/.exec(bare) ??
    /^(\d{1,3}(?:\.\d{3})+|\d+),(\d{0,2})$/.exec(bare) ??
    [];
  if (whole === "") return undefined;
  return `${whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "")}.${cents.padEnd(2, "0")}`;
}

/** Totals that a customer may have paid when this was asked for, nearest first. */
export function* totalsAbove(total: string): Generator<string> {
  const cents = centsOf(total);
  if (cents !== undefined) yield* near(cents, 1);
}

/** Totals that may have been asked for when this was paid, nearest first. */
export function* totalsBelow(total: string): Generator<string> {
  const cents = centsOf(total);
  if (cents !== undefined) yield* near(cents, -1);
}

function* near(cents: number, way: 1 | -1): Generator<string> {
  const far = Math.min(cents * FEE_SHARE_MAX + FEE_CENTS_MORE, CENTS_TRIED_MAX);
  for (let off = 1; off <= far && cents + way * off > 0; off += 1)
    yield textOfCents(cents + way * off);
}

function centsOf(total: string): number | undefined {
  const written = twoDecimals(total);
  return written === undefined ? undefined : Number(written.replace(".", ""));
}

function textOfCents(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
