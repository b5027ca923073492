/**
 * One box for everything that somebody on the telephone can name (Decision 0120). What was typed
 * says by its form where it can be; each place is read by an index.
 */

import { normalEmail, text } from "../../../kit/fields/text.ts";
import { TRANSACTION_ID, UUID } from "../../../kit/ids.ts";
import { defineRead } from "../command.ts";
import { ACCOUNT_NUMBER, BATCH_NAME, option } from "../fields.ts";
import { type Block, reportBlocks, words } from "../render.ts";
import { findByUuid } from "./find-by-uuid.ts";
import type { Finder } from "./place.ts";
import {
  accountsByEmail,
  accountsByName,
  accountsByNumber,
  bankFilesNamed,
  paymentsByCard,
  paymentsByEmail,
  paymentsByOrder,
  recordsOfId,
} from "./places.ts";

const LENGTH_MAX = 320;
const LAST_FOUR = /^(?:\*{4} ?)?(\d{4})$/;
/** What our bank files call a payment: the reference of the withdrawal without its dashes. */
const END_TO_END = /^[0-9a-f]{32}$/i;

export const find = defineRead({
  name: "find",
  about: "find accounts, payments, withdrawals, webhooks and requests by whatever is known",
  more:
    "The name of a business or of its holder (of each word the beginning is enough), an account " +
    "number, an e-mail, an order, a transaction id, the last four digits of a card, a request " +
    "id, a refund or webhook id, the bank's reference of a withdrawal, the acquirer's of a " +
    "payment, or a bank file.",
  fields: {
    text: option(text({ max: LENGTH_MAX }), "text", "As it was told, in quotes if it has spaces."),
  },
  subject: "text",
  example: {
    given: "order-1",
    shows: [
      "Payments of this order",
      "  payment                        account     order    amount      status    " +
        "card            e-mail             created",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  order-1  100.00 TTD  disputed  " +
        "visa **** 1111  anika@example.com  2026-11-15 06:32:03Z",
    ].join("\n"),
  },
  async run({ db, sayProgress, searchMsMax }, { text: typed }) {
    const blocks: Block[] = [];
    const stopAt = performance.now() + searchMsMax;
    for (const finder of findersFor(typed.trim()))
      blocks.push(...(await finder({ db, stopAt, sayProgress })));
    const found = blocks.filter(({ kind }) => kind === "table").length;
    const data = { found, places: blocks };
    if (found === 0) return reportBlocks(data, [words("Nothing was found."), ...blocks]);
    return reportBlocks(data, blocks);
  },
});

function findersFor(typed: string): readonly Finder[] {
  const upper = typed.toUpperCase();
  const lower = typed.toLowerCase();
  const lastFour = LAST_FOUR.exec(typed)?.[1];
  const email = normalEmail(typed);
  // Orders are looked for account by account, so not where the text is surely something else.
  const mayBeOrder = email === undefined && !UUID.test(lower) && !TRANSACTION_ID.test(upper);
  const words = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [
    ...(ACCOUNT_NUMBER.test(typed) ? [accountsByNumber(typed)] : []),
    ...(email === undefined ? [] : [accountsByEmail(email), paymentsByEmail(email)]),
    ...(TRANSACTION_ID.test(upper) ? [recordsOfId(upper)] : []),
    ...(UUID.test(lower) ? [findByUuid(lower)] : []),
    ...(END_TO_END.test(typed) ? [findByUuid(dashed(lower))] : []),
    ...(BATCH_NAME.test(upper) ? [bankFilesNamed(upper)] : []),
    ...(lastFour === undefined ? [] : [paymentsByCard(lastFour)]),
    ...(mayBeOrder && isName(words) ? [accountsByName(words)] : []),
    ...(mayBeOrder ? [paymentsByOrder(typed)] : []),
  ];
}

const WORDS_MAX = 8;

/** With a word of letters; a single letter begins too many names. */
function isName(words: readonly string[]): boolean {
  return words.length <= WORDS_MAX && words.some((word) => /\p{L}{2}/u.test(word));
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
