/** The templates of `web/checkout/`, compiled once, and how amounts and times read in them. */

import { compileTemplate } from "../../../infra/templates.ts";
import { MINUTE_SECONDS } from "../../../kit/clock.ts";
import { formatMoney, type Money } from "../../../kit/money.ts";
import type { Texts } from "./texts-en.ts";

const compile = (name: string) => compileTemplate(`checkout/${name}.eta`);

export const templates = {
  page: compile("page"),
  frame: compile("frame"),
  card: compile("card"),
  field: compile("field"),
  select: compile("select"),
  options: compile("options"),
  challenge: compile("challenge"),
  bank: compile("bank"),
  working: compile("working"),
  waiting: compile("waiting"),
  ended: compile("ended"),
  plain: compile("plain"),
};

const NO_BREAK = "\u00a0";

/** For people: `TTD 12,345.60`, on one line. */
export function showAmount(amount: Money): string {
  const grouped = formatMoney(amount).replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
  return `${amount.currency}${NO_BREAK}${grouped}`;
}

/** A page takes so long to arrive, and is not to show a minute less for it. */
const ARRIVAL_SECONDS = 1;

/**
 * The time that is left, in words, rather less than more; with scripts a clock takes their place,
 * so they have one line, as it has.
 */
export function timeAttributes({ secondsLeft }: { readonly secondsLeft: number }, t: Texts) {
  const seconds = Math.max(0, Math.floor(secondsLeft));
  const minutes = Math.floor((secondsLeft + ARRIVAL_SECONDS) / MINUTE_SECONDS);
  return {
    timeWords: t.time.left(minutes > 0 ? t.time.minutes(minutes) : t.time.seconds(seconds)),
    warnings: JSON.stringify(t.time.warnings),
  };
}
