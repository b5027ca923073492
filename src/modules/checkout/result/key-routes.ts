/** Where merchants read and replace the keys that results are checked with (Decision 0039). */

import { recordDeed } from "../../../infra/audit.ts";
import type { Infra } from "../../../infra/context.ts";
import { ok } from "../../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../../infra/http/route.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { described, withDefault } from "../../../kit/fields/field.ts";
import { Type } from "../../../kit/schema.ts";
import { type Scope, scopes } from "../../../kit/scopes.ts";
import { saidWith, shownText, shownWord } from "../../../kit/shown.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { holdCredential } from "../../auth/hold-credential.ts";
import { ENVIRONMENTS } from "../../transactions/transaction.ts";
import { type PaymentKeys, paymentKeysOf, replacePaymentKeys } from "./payment-keys.ts";

const group = "Checkout";

const keysAnswer = saidWith(
  Type.Object(
    {
      environment: shownWord(ENVIRONMENTS, "Whose results.", "sandbox"),
      hash_key: Type.Optional(shownText("Goes into the MD5 hash of a success.", "123")),
      signing_secret: Type.Optional(shownText("Keys the signature.", "sandbox-signing-secret")),
    },
    { title: "PaymentKeys" },
  ),
);

const onlyBusinesses = { 403: { about: "Not a BUSINESS account, or no such scope" } };
const access = (anyScope: readonly Scope[]) =>
  ({ credentials: "bearer", accountType: "BUSINESS", anyScope }) as const;

const readKeyRoute = protectedRoute({
  method: "GET",
  path: "/user/payment-key",
  group,
  summary: "Read the keys that results are checked with",
  access: access(scopes("user", "retrieve")),
  query: {
    environment: described(
      withDefault(oneOf(ENVIRONMENTS), "live"),
      "Whose results: each environment has its own keys.",
      "sandbox",
    ),
  },
  answers: { 200: { about: "The keys", body: keysAnswer }, ...onlyBusinesses },
  async run({ db, config }: Infra, { query: { environment } }, { accountNumber }) {
    const keys = await paymentKeysOf(db, config, { accountNumber, environment });
    return ok({ data: viewKeys(environment, keys) });
  },
});

const rotateKeyRoute = protectedRoute({
  method: "POST",
  path: "/user/payment-key/rotate",
  group,
  summary: "Replace those keys",
  about:
    "From the answer on every result, also of payments under way, is told with the new keys and " +
    "the old ones are worth nothing. An Idempotency-Key that repeats does not show them again: " +
    "read them.",
  access: access(scopes("user", "update")),
  idempotent: true,
  body: {
    environment: described(oneOf(ENVIRONMENTS), "Whose keys; no default, on purpose.", "sandbox"),
  },
  answers: { 200: { about: "The new keys", body: keysAnswer }, ...onlyBusinesses },
  async run({ config }: Infra, { body: { environment }, once }, caller) {
    const { accountNumber } = caller;
    return once(async (tx) => {
      await holdCredential(tx, caller, "read");
      const keys = await replacePaymentKeys(tx, config, { accountNumber, environment });
      await recordDeed(tx, caller, "payment_key_rotated", { detail: { environment } });
      const replayBody = { message: "OK", data: { environment } };
      return { ...ok({ data: viewKeys(environment, keys) }), replayBody };
    });
  },
});

function viewKeys(environment: Environment, { hashKey, signingSecret }: PaymentKeys) {
  return { environment, hash_key: hashKey, signing_secret: signingSecret };
}

export const paymentKeyRoutes: readonly Route<Infra>[] = [readKeyRoute, rotateKeyRoute];
