/**
 * Sentences of commands in the words of pages: amounts as the lists have them, another command by
 * its button or its page, an option by its label. What only a terminal needs is left out.
 */

import { CURRENCIES, type Currency, readFormatted } from "../kit/money.ts";
import { moneyText } from "../parts/money.ts";
import { ACTION_WORDS, labelFor, PAGE_NAMES } from "./actions/action-words.ts";

const AMOUNT = new RegExp(`(?<![\\w.,-])(-?\\d+\\.\\d{2}) (${CURRENCIES.join("|")})\\b`, "g");
/** Of these sentences all is about terminals. */
const OF_TERMINALS = /exit code|--json\b|--password-stdin\b|SETTLEMENT_COLUMNS/;
/** Names of one word are words of any sentence. */
const NAMES = [...Object.keys(ACTION_WORDS), ...Object.keys(PAGE_NAMES)]
  .filter((name) => name.includes("-"))
  .join("|");
const COMMAND = new RegExp(`(?<![\\w-])(?:${NAMES})(?![\\w-])`, "g");
const OPTION = /(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g;

export function inPageWords(text: string): string {
  const kept = text
    .split(/(?<=\.) /)
    .filter((sentence) => !OF_TERMINALS.test(sentence))
    .join(" ")
    .replace(AMOUNT, (_, amount: string, currency: Currency) =>
      moneyText(readFormatted(currency, amount)),
    )
    .replace(OPTION, (_, name: string) => `“${labelFor(name.replaceAll("-", "_"))}”`);
  return withPageNames(kept);
}

/** Commands alone. */
export function withPageNames(text: string): string {
  return text.replace(COMMAND, (name) => PAGE_NAMES[name] ?? `“${ACTION_WORDS[name]?.button}”`);
}
