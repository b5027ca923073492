/**
 * Where merchants read and replace the keys that results are checked with (Decision 0039), and say
 * whether payment requests for them must be signed (Decision 0066).
 */

import type { Infra } from "../../../infra/context.ts";
import { ok } from "../../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../../infra/http/route.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { described, withDefault } from "../../../kit/fields/field.ts";
import { flag } from "../../../kit/fields/flag.ts";
import { flagSchema, saidWith, textSchema, wordSchema } from "../../../kit/response-schema.ts";
import { Type } from "../../../kit/schema.ts";
import { type Scope, scopes } from "../../../kit/scopes.ts";
import { ENVIRONMENTS, type Environment } from "../../../kit/vocabulary.ts";
import { changeSignatureRule, rotatePaymentKeys } from "./change-payment-keys.ts";
import { type OwnedKeys, paymentKeysOf } from "./payment-keys.ts";

const group = "Checkout";

const keysAnswer = saidWith(
  Type.Object(
    {
      environment: wordSchema(ENVIRONMENTS, "Whose results.", "sandbox"),
      hash_key: Type.Optional(textSchema("Goes into the MD5 hash of a success.", "123")),
      signing_secret: Type.Optional(
        textSchema(
          "Keys the signature of results, and that of payment requests.",
          "sandbox-signing-secret",
        ),
      ),
      require_signature: Type.Optional(
        flagSchema("Whether payment requests must be signed.", false),
      ),
    },
    { title: "PaymentKeys" },
  ),
);

const ruleAnswer = saidWith(
  Type.Object(
    {
      environment: wordSchema(ENVIRONMENTS, "Whose payment requests.", "sandbox"),
      require_signature: flagSchema("Whether they must be signed.", true),
    },
    { title: "SignatureRule" },
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
    "the old ones are worth nothing: a payment request that was signed with the old secret is " +
    "refused. An Idempotency-Key that repeats does not show them again: read them.",
  access: access(scopes("user", "update")),
  idempotent: true,
  body: {
    environment: described(oneOf(ENVIRONMENTS), "Whose keys; no default, on purpose.", "sandbox"),
  },
  answers: { 200: { about: "The new keys", body: keysAnswer }, ...onlyBusinesses },
  async run({ config }: Infra, { body: { environment }, once }, caller) {
    return once(async (tx) => {
      const keys = await rotatePaymentKeys(tx, config, caller, environment);
      const { hash_key: _, signing_secret: __, ...shown } = viewKeys(environment, keys);
      const replayBody = { message: "OK", data: shown };
      return { ...ok({ data: viewKeys(environment, keys) }), replayBody };
    });
  },
});

const changeKeyRoute = protectedRoute({
  method: "PATCH",
  path: "/user/payment-key",
  group,
  summary: "Say whether payment requests must be signed",
  about:
    "With `require_signature` true a payment request for this account and environment is refused " +
    "unless it carries the right `signature`, so that nobody else can use the account's order " +
    "numbers. It holds for every request that is sent after the answer.",
  access: access(scopes("user", "update")),
  body: {
    environment: described(oneOf(ENVIRONMENTS), "Whose requests; no default.", "sandbox"),
    require_signature: described(flag(), "Whether they must be signed.", true),
  },
  answers: { 200: { about: "As it is now", body: ruleAnswer }, ...onlyBusinesses },
  async run({ config }: Infra, { body, once }, caller) {
    const { environment, require_signature } = body;
    return once(async (tx) => {
      await changeSignatureRule(tx, config, caller, body);
      return ok({ data: { environment, require_signature } });
    });
  },
});

function viewKeys(environment: Environment, keys: OwnedKeys) {
  const { hashKey, signingSecret, requiresSignature } = keys;
  return {
    environment,
    hash_key: hashKey,
    signing_secret: signingSecret,
    require_signature: requiresSignature,
  };
}

export const paymentKeyRoutes: readonly Route<Infra>[] = [
  readKeyRoute,
  rotateKeyRoute,
  changeKeyRoute,
];
