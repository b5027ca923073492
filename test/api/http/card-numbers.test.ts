/**
 * A card number gets into no text that is stored, by any caller and in any field: the field is
 * named, and nothing is written (Decision 0002). The list of text fields comes from the routes, so
 * a field that is added without the rule fails here.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { ServiceError } from "../../../src/kit/errors.ts";
import { type Field, labelOf } from "../../../src/kit/fields/field.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { made, newAccount, newEmail } from "../../../testkit/accounts.ts";
import { wholeDatabase } from "../../../testkit/auth.ts";
import { asForm, type Fields, FOREIGN_BANK, TT_BANK } from "../../../testkit/banks.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { openHolder } from "../../../testkit/records.ts";
import { routeName } from "../../../testkit/route-requests.ts";
import { rowCounts } from "../../../testkit/row-counts.ts";
import { startService } from "../../../testkit/service.ts";
import { APPROVED, newPayment, pay } from "../../../testkit/transactions.ts";
import { makeEndpoint, newUrl } from "../../../testkit/webhook-endpoints.ts";
import { NORMAL, SUB_BANKED, SUB_UNBANKED } from "../../../testkit/withdrawals.ts";

const CARDS = [
  ...["4242424242424242", "4242 4242 4242 4242", "4242-4242-4242-4242"],
  "٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢",
];
/** One digit off: Luhn does not pass it. */
const NO_CARD = "4242424242424243";
const HARMLESS = "Back since 2026-11-15 09:30; ask Anika, +1 868 622 1234, ext 12";

const service = await startService();
const { ctx } = service;
after(() => service.stop());
const holder = await openHolder(service);
const { token } = holder;
const payment = await pay(service, newPayment(holder, { environment: "sandbox" }), APPROVED);
const { kid } = await mintKey(ctx, holder, SCOPES);
const { id } = await makeEndpoint(service, { token });
const { accountNumber } = await made(service, { token });

/** Somebody without bank details: they are added once. */
async function newcomer(): Promise<string> {
  const who = await service.world.merchant();
  return (await mintToken(ctx, who, SCOPES)).token;
}

interface Place {
  readonly route: string;
  readonly path?: string;
  /** Anew for each request, where a second one would be refused for another reason. */
  readonly good: () => Fields;
  readonly texts: readonly string[];
  readonly sender?: () => Promise<string>;
}

const FOREIGN_TEXTS = [
  ...["beneficiary_name", "beneficiary_address", "beneficiary_bank", "bank_address"],
  ...["intermediary_bank", "intermediary_bank_address"],
];

const PLACES: readonly Place[] = [
  {
    route: "POST /transactions/{transaction_id}/refund",
    path: `/transactions/${payment.transaction_id}/refund`,
    good: () => ({ amount: "1.00" }),
    texts: ["reason"],
  },
  { route: "POST /withdrawals/", good: () => NORMAL, texts: ["data"] },
  {
    route: "POST /withdrawals/",
    good: () => SUB_UNBANKED,
    texts: ["data", "recipient_name", "email"],
  },
  { route: "POST /withdrawals/", good: () => SUB_BANKED, texts: ["data", "email", "name_in_bank"] },
  {
    route: "POST /user/banks/local",
    good: () => TT_BANK,
    texts: ["name_in_bank"],
    sender: newcomer,
  },
  { route: "PATCH /user/banks/local", good: () => ({}), texts: ["name_in_bank"] },
  {
    route: "POST /user/banks/foreign",
    good: () => FOREIGN_BANK,
    texts: FOREIGN_TEXTS,
    sender: newcomer,
  },
  { route: "PATCH /user/banks/foreign", good: () => ({}), texts: FOREIGN_TEXTS },
  {
    route: "POST /auth/keys",
    good: () => ({ environment: "test", scopes: "svc-user-all" }),
    texts: ["name"],
  },
  {
    route: "PATCH /auth/keys/{kid}",
    path: `/auth/keys/${kid}`,
    good: () => ({}),
    texts: ["name"],
  },
  {
    route: "POST /webhooks",
    good: () => ({ url: newUrl(), environment: "live" }),
    texts: ["description"],
  },
  {
    route: "PATCH /webhooks/{id}",
    path: `/webhooks/${id}`,
    good: () => ({}),
    texts: ["description"],
  },
  {
    route: "POST /accounts",
    good: newAccount,
    texts: ["email", "first_name", "last_name"],
  },
  {
    route: "PATCH /accounts/{account_number}",
    path: `/accounts/${accountNumber}`,
    good: () => ({}),
    texts: ["email", "first_name", "last_name"],
  },
];

const hasBlank = (text: string) => text.includes(" ");
/** The text as this field takes it: of an e-mail address it is a part. */
const fitted = (name: string, text: string) => (name === "email" ? `${text}@example.com` : text);

for (const place of PLACES) {
  const { route, good, sender = async () => token } = place;
  const [method = "", path = ""] = route.split(" ");
  const send = (as: string, more: { json: Fields } | { form: Record<string, string> }) =>
    service.request(place.path ?? path, { method, token: as, ...more });
  const kind = "withdrawal_type" in good() ? ` ${good().withdrawal_type}` : "";

  describe(`${route}${kind}`, () => {
    for (const name of place.texts) {
      for (const card of CARDS.filter((one) => name !== "email" || !hasBlank(one)))
        test(`refuses ${card} in the ${labelOf(name)} and writes nothing`, async () => {
          const as = await sender();
          const words = name === "email" ? card : `back to ${card}, thanks`;
          const fields = { ...good(), [name]: fitted(name, words) };
          const rows = await rowCounts(ctx.db);
          const message = `The ${labelOf(name)} must not contain a card number.`;
          for (const more of [{ json: fields }, { form: asForm(fields) }]) {
            const answer = await send(as, more);
            assert.deepEqual([answer.status, answer.body], [400, { message }]);
          }
          assert.deepEqual(await rowCounts(ctx.db), rows);
        });

      for (const text of name === "email" ? [NO_CARD] : [HARMLESS, `no. ${NO_CARD}`])
        test(`takes ${text} in the ${labelOf(name)}`, async () => {
          const fields = { ...good(), [name]: fitted(name, text) };
          const answer = await send(await sender(), { json: fields });
          assert([200, 201].includes(answer.status), answer.text);
          await freeEmail(name);
        });
    }
  });
}

/** An address can be registered once: frees it for the next request. */
async function freeEmail(name: string): Promise<void> {
  if (name !== "email") return;
  await ctx.db.transaction((tx) =>
    tx.run(sql`
      update accounts set email = ${newEmail()} where email = ${fitted("email", NO_CARD)}`),
  );
}

test("after all of that no table has it, not even the trail of what was done", async () => {
  const everything = await wholeDatabase(service);
  for (const card of CARDS) assert(!everything.includes(card), card);
  assert(everything.includes(NO_CARD), "what is kept was not looked at");
});

/** Fields that take such digits all the same, each with its reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  bank_account: "is a number, and kept sealed",
  beneficiary_account_number: "is a number, and kept sealed",
  id_number: "is as long as the platform's pattern, which is shorter than a card's",
  phone: "is held against the platform's numbers by the use case",
  bank_name: "must be a bank of the platform",
  bank_account_type: "must be a word of the platform, or is not kept",
  bank_branch: "must be a branch of that bank, or is not kept",
  total: "is money, within the limits of its currency",
  amount: "is money, as a total is",
  amount_min: "is money, as a total is",
  amount_max: "is money, as a total is",
  password: "is kept as a hash",
  old_password: "is not kept",
  new_password: "is kept as a hash",
  confirm_password: "is not kept",
  otp: "is not kept",
  refresh_token: "is looked for by its digest",
  account_number: "names a record",
  transaction_id: "names a record",
  uuid: "names a record",
  reports: "go to the log, which masks card numbers",
};
/** An address is looked for there, and not kept. */
const SIGNING_IN = ["POST /auth/tokens", "POST /auth/grant"];

test("every other text of every route is refused with a card number in it", () => {
  const open = new Set<string>();
  const said = new Set<string>();
  for (const { body = {}, ...route } of appRoutes(ctx))
    for (const [name, field] of Object.entries(body)) {
      if (!CARDS.some((card) => takes(field, name, card))) continue;
      if (name in OTHERWISE) said.add(name);
      else if (name !== "email" || !SIGNING_IN.includes(routeName(route)))
        open.add(`${routeName(route)} ${name}`);
    }
  assert.deepEqual([...open], []);
  assert.deepEqual([...said].sort(), Object.keys(OTHERWISE).sort());
});

function takes(field: Field<unknown>, name: string, card: string): boolean {
  const { variant } = field;
  const earlier = variant === undefined ? {} : { [variant.of]: variant.choices[0] };
  return [card, `${card}@example.com`].some((text) => {
    try {
      return field.read(text, name, earlier) !== undefined;
    } catch (error) {
      assert(error instanceof ServiceError, `${name}: ${error}`);
      return false;
    }
  });
}
