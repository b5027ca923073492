/** Finds payments by what a customer or a merchant can name (Decisions 0073 and 0139). */

import type { Database } from "../../../infra/db/database.ts";
import { optional, type Values } from "../../../kit/fields/field.ts";
import { email, text } from "../../../kit/fields/text.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { demandAccount } from "../accounts/account.ts";
import { amountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { accountOption, environmentOption, limitOption, option, timeOption } from "../fields.ts";
import { reportBlocks, reportList, words } from "../render.ts";
import { findByCard } from "./find-by-card.ts";
import { findByEmail } from "./find-by-email.ts";
import { findByOrder } from "./find-by-order.ts";
import { type Found, type Search, viewFound } from "./found-payment.ts";

const ORDER_LENGTH_MAX = 64;

const fields = {
  order: optional(option(text({ max: ORDER_LENGTH_MAX }), "order_id", "The merchant's, exactly.")),
  email: optional(option(email(), "email", "The customer's, in whatever case.")),
  last_four: optional(
    option(
      text({
        max: 255,
        pattern: /^\d{4}$/,
        patternRefusal: "The last four must be four digits; never type a whole card number.",
      }),
      "digits",
      "Of a card that was tried, whether or not it paid.",
    ),
  ),
  account: accountOption,
  environment: environmentOption,
  since: timeOption("Not created before this: a day of UTC, or a time."),
  until: timeOption("Created before this."),
  limit: limitOption(50),
};

export const findPayments = defineRead({
  name: "find-payments",
  about: "find payments by order, the customer's e-mail or the card's last four digits",
  more:
    "Newest first; show-payment shows everything about one of them. An order and an e-mail are " +
    "looked for account by account. With --last-four, tried is what became of that card, and " +
    "card is the one of the result.",
  fields,
  exactlyOne: ["order", "email", "last_four"],
  example: {
    given: "--order order-1 --account 1234567890",
    shows: [
      "Payments",
      "  payment                        account     order    amount      status    " +
        "card            e-mail             created",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  order-1  100.00 TTD  disputed  " +
        "visa **** 1111  anika@example.com  2026-11-15 06:32:03Z",
    ].join("\n"),
  },
  async run({ db, sayProgress, searchMsMax }, input) {
    const { account, environment, since, until, limit: max } = input;
    await demandAccount(db, account);
    const environments = environment === undefined ? ENVIRONMENTS : [environment];
    const stopAt = performance.now() + searchMsMax;
    const search = { account, environments, since, until, max: max + 1, stopAt, sayProgress };
    const found = await find(db, input, search);
    const rows = found.rows.map(viewFound);
    const isByCard = rows.some(({ tried }) => tried !== undefined);
    const report = reportList(
      { title: "Payments", name: "payments", rows, max, ...whatIsMissing(found, max) },
      {
        payment: "transaction_id",
        account: "account_number",
        order: "order_id",
        amount: ({ amount, currency }) => amountIn(currency, amount),
        status: "state",
        card: "card",
        ...(isByCard && { tried: "tried" as const }),
        "e-mail": "email",
        created: "created_at",
      },
    );
    const { unseen } = found;
    if (unseen === undefined) return report;
    return reportBlocks({ ...report.data, is_complete: false }, [
      ...report.blocks,
      words(unseen.words),
    ]);
  },
});

function find(db: Database, input: Values<typeof fields>, search: Search): Promise<Found> {
  if (input.order !== undefined) return findByOrder(db, input.order, search);
  if (input.email !== undefined) return findByEmail(db, input.email, search);
  return findByCard(db, input.last_four ?? "", search);
}

function whatIsMissing({ rows, stopped }: Found, shownMax: number) {
  const until = rows[shownMax - 1]?.created_at.toISOString();
  if (rows.length <= shownMax || until === undefined) return { more: stopped };
  return { more: `${shownMax} are shown; --until ${until} shows those before`, next: { until } };
}
