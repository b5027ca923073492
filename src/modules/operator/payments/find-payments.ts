/** Finds payments by what a customer or a merchant can name (Decision 0073). */

import type { Database } from "../../../infra/db/database.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { optional, type Values } from "../../../kit/fields/field.ts";
import { email, text } from "../../../kit/fields/text.ts";
import { dayOrMoment } from "../../../kit/fields/time.ts";
import { ENVIRONMENTS } from "../../transactions/transaction.ts";
import { accountNumberField, demandAccount } from "../accounts/account.ts";
import { asked, defineRead } from "../command.ts";
import { rowsField } from "../fields.ts";
import { renderTable } from "../render.ts";
import { findByCard } from "./find-by-card.ts";
import { findByEmail } from "./find-by-email.ts";
import { findByOrder } from "./find-by-order.ts";
import { type Found, type Search, viewFound } from "./found-payment.ts";

const ROWS_DEFAULT = 50;
const ROWS_MAX = 1_000;
const ORDER_LENGTH_MAX = 64;

const fields = {
  order: optional(asked(text({ max: ORDER_LENGTH_MAX }), "order_id", "The merchant's, exactly.")),
  email: optional(
    asked(email(), "email", "The customer's; with --account or --since, for it has no index."),
  ),
  last_four: optional(
    asked(
      text({
        max: 255,
        pattern: /^\d{4}$/,
        patternRefusal: "The last four must be four digits; never type a whole card number.",
      }),
      "digits",
      "Of a card that was tried, whether or not it paid.",
    ),
  ),
  account: optional({ ...accountNumberField }),
  environment: optional(asked(oneOf(ENVIRONMENTS), ENVIRONMENTS.join("|"), "Both if absent.")),
  since: optional(asked(dayOrMoment(), "time", "Not begun before this: a day of UTC, or a time.")),
  until: optional(asked(dayOrMoment(), "time", "Begun before this.")),
  limit: rowsField(ROWS_DEFAULT, ROWS_MAX),
};

export const findPayments = defineRead({
  name: "find-payments",
  about: "find payments by order, the customer's e-mail or the card's last four digits",
  more:
    "Newest first; show-payment tells everything about one of them. --email reads all payments " +
    "of the account or the time it is given; the others are found by indexes. With --last-four, " +
    "tried is what became of that card, and card is the one of the result.",
  fields,
  exactlyOne: ["order", "email", "last_four"],
  example: {
    given: "--order order-1 --account 1234567890",
    shows: [
      "Payments",
      "  payment                        account     order    amount      status   " +
        "card            e-mail             begun",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  order-1  100.00 TTD  success  " +
        "visa **** 1111  anika@example.com  2026-11-15 06:32:03Z",
    ].join("\n"),
  },
  async run({ db, sayProgress }, input) {
    const { account, environment, since, until } = input;
    if (account !== undefined) await demandAccount(db, account);
    const shownMax = Number(input.limit);
    const environments = environment === undefined ? ENVIRONMENTS : [environment];
    const max = shownMax + 1;
    const found = await find(db, input, { account, environments, since, until, max, sayProgress });
    const payments = found.rows.slice(0, shownMax).map(viewFound);
    const more = whatIsMissing(found, shownMax);
    return {
      data: { payments, is_complete: more === undefined },
      text: render(payments) + (more === undefined ? "" : `\n  and more: ${more}`),
    };
  },
});

function find(db: Database, input: Values<typeof fields>, search: Search): Promise<Found> {
  if (input.order !== undefined) return findByOrder(db, input.order, search);
  if (input.email !== undefined) return findByEmail(db, input.email, search);
  return findByCard(db, input.last_four ?? "", search);
}

function whatIsMissing({ rows, stopped }: Found, shownMax: number): string | undefined {
  if (rows.length <= shownMax) return stopped;
  const last = rows[shownMax - 1]?.created_at.toISOString();
  return `${shownMax} are shown; --until ${last} shows those before`;
}

function render(payments: readonly ReturnType<typeof viewFound>[]): string {
  const isByCard = payments.some(({ tried }) => tried !== undefined);
  return renderTable(
    "Payments",
    [
      ...["payment", "account", "order", "amount", "status", "card"],
      ...(isByCard ? ["tried"] : []),
      ...["e-mail", "begun"],
    ],
    payments.map((one) => [
      one.transaction_id,
      one.account_number,
      one.order_id,
      `${one.amount} ${one.currency}`,
      one.status,
      one.card,
      ...(isByCard ? [one.tried] : []),
      one.email,
      one.created_at,
    ]),
  );
}
