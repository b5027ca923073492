/**
 * API keys that a business makes and manages for itself, with a bearer token (Interface §5.2,
 * §5.3).
 */

import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { protectedRoute } from "../../infra/http/route.ts";
import { NothingToChange, ScopeRefused } from "../../kit/errors.ts";
import { described, optional, withDefault } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import { EXAMPLE, said, saidOnly, saidWith, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { findKey, type KeyRow, keyView, prefixOf, viewKey } from "./api-key.ts";
import { changeKey, NOTHING_TO_CHANGE } from "./change-key.ts";
import type { AuthContext } from "./context.ts";
import { createKey, TooManyKeys } from "./create-key.ts";
import {
  cidrsField,
  EXPIRES_IN_THE_PAST,
  environmentField,
  expiresAtField,
  kidField,
  nameField,
  newExpiresAtField,
} from "./key-fields.ts";
import { KeyIsExpired, KeyIsRevoked, KeyIsRotated } from "./key-is-over.ts";
import { EXPIRES_TOO_LATE } from "./key-lifetime.ts";
import { KEY_OVERLAP_SECONDS_MAX } from "./lifetimes.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { scopesField } from "./scope-field.ts";

const managing = {
  group: "API keys",
  /** Interface §5.2: PERSONAL accounts have no keys. */
  access: { credentials: "bearer", accountType: "BUSINESS" },
  limit: { name: "keys", per: "credential" },
} as const;

const oneKey = saidWith(keyView);
const newKeyAnswer = Type.Object({
  message: said("Created"),
  data: Type.Object(
    {
      ...keyView.properties,
      key: Type.Optional(
        textSchema(
          "The whole key. Shown once: not even a replay shows it again.",
          `svc_test_${EXAMPLE.kid}_${"4d".repeat(32)}`,
        ),
      ),
    },
    { title: "NewApiKey" },
  ),
});
const notBusiness = {
  about: "The account is PERSONAL, or the token lacks a scope of the key",
  refusals: [new ScopeRefused([])],
};
const unknownKey = { about: "No such key of this account" };

export const createKeyRoute = protectedRoute({
  ...managing,
  method: "POST",
  path: "/auth/keys",
  summary: "Make an API key",
  about:
    "The key carries at most the scopes of the token that makes it, and is shown only here. Made " +
    "with a token that lacks `svc-user-all`, it lives 30 days at most.",
  idempotent: true,
  body: {
    name: optional(nameField),
    environment: environmentField,
    scopes: scopesField,
    allowed_cidrs: optional(cidrsField),
    expires_at: optional(expiresAtField),
  },
  answers: {
    201: { about: "The key and its record", body: newKeyAnswer },
    403: notBusiness,
    400: { about: "A field is malformed", refusals: [EXPIRES_IN_THE_PAST, EXPIRES_TOO_LATE] },
    409: {
      about: "Too many active keys, or the same Idempotency-Key is still running",
      refusals: [new TooManyKeys()],
    },
  },
  async run(ctx: AuthContext, { body, once }, caller) {
    return once(async (tx) =>
      showOnce(
        await createKey(ctx, tx, caller, {
          prefix: prefixOf(body.environment),
          name: body.name ?? null,
          scopes: body.scopes,
          allowedCidrs: body.allowed_cidrs ?? [],
          expiresAt: body.expires_at ?? null,
        }),
      ),
    );
  },
});

export const listKeysRoute = protectedRoute({
  ...managing,
  method: "GET",
  path: "/auth/keys",
  summary: "List API keys",
  query: pageFields,
  answers: {
    200: { about: "The keys, newest first", body: pageAnswer(keyView) },
    403: notBusiness,
  },
  async run(ctx: AuthContext, { query, url }, caller) {
    const { rows, total } = await listKeys(ctx.db, caller.accountNumber, query);
    return plainJson(pageBody(query, { rows: rows.map(viewKey), total }, url));
  },
});

export const readKeyRoute = protectedRoute({
  ...managing,
  method: "GET",
  path: "/auth/keys/{kid}",
  summary: "Read one API key",
  params: { kid: kidField },
  answers: { 200: { about: "The key", body: oneKey }, 403: notBusiness, 404: unknownKey },
  async run(ctx: AuthContext, { params }, caller) {
    const { accountNumber } = caller;
    return ok({ data: viewKey(await findKey(ctx.db, { kid: params.kid, accountNumber })) });
  },
});

export const changeKeyRoute = protectedRoute({
  ...managing,
  method: "PATCH",
  path: "/auth/keys/{kid}",
  summary: "Change an API key's name, addresses or expiry",
  params: { kid: kidField },
  body: {
    name: optional(nameField),
    allowed_cidrs: optional(cidrsField),
    expires_at: optional(newExpiresAtField),
  },
  answers: {
    200: { about: "The key as it is now", body: oneKey },
    403: notBusiness,
    404: unknownKey,
    400: {
      about: "A field is malformed, or none was given",
      refusals: [new NothingToChange(NOTHING_TO_CHANGE), EXPIRES_IN_THE_PAST, EXPIRES_TOO_LATE],
    },
    409: {
      about: "The key has been revoked, or is over and cannot be given more time",
      refusals: [new KeyIsRevoked(), new KeyIsRotated(), new KeyIsExpired()],
    },
  },
  async run(_ctx: AuthContext, { params, body, once }, caller) {
    const { name, allowed_cidrs: allowedCidrs, expires_at: expiresAt } = body;
    return once(async (tx) =>
      ok({
        data: viewKey(await changeKey(tx, caller, params.kid, { name, allowedCidrs, expiresAt })),
      }),
    );
  },
});

export const rotateKeyRoute = protectedRoute({
  ...managing,
  method: "POST",
  path: "/auth/keys/{kid}/rotate",
  summary: "Replace an API key by a new one with the same settings",
  about:
    "Its expiry is that of the old key; rotated with a token that lacks `svc-user-all`, it ends " +
    "within 30 days.",
  idempotent: true,
  params: { kid: kidField },
  body: {
    overlap_seconds: described(
      withDefault(integer({ min: 0, max: KEY_OVERLAP_SECONDS_MAX }), 0),
      "How long the old key lives on. 0 ends it at once.",
      3600,
    ),
  },
  answers: {
    201: { about: "The new key and its record", body: newKeyAnswer },
    403: notBusiness,
    404: unknownKey,
    409: {
      about: "The key has been revoked or rotated, or has expired; or there are too many keys",
      refusals: [new KeyIsRevoked(), new KeyIsRotated(), new KeyIsExpired(), new TooManyKeys()],
    },
  },
  async run(ctx: AuthContext, { params, body, once }, caller) {
    const asked = { kid: params.kid, overlapSeconds: body.overlap_seconds };
    return once(async (tx) => showOnce(await rotateKey(ctx, tx, caller, asked)));
  },
});

export const revokeKeyRoute = protectedRoute({
  ...managing,
  method: "DELETE",
  path: "/auth/keys/{kid}",
  summary: "Revoke an API key",
  about: "Takes a token that carries every scope of the key.",
  params: { kid: kidField },
  answers: {
    200: { about: "Revoked, on every process", body: saidOnly() },
    403: notBusiness,
    404: unknownKey,
  },
  async run(_ctx: AuthContext, { params, once }, caller) {
    return once(async (tx) => {
      await revokeKey(tx, caller, params.kid);
      return ok();
    });
  },
});

/** The secret stands in this answer only; what an Idempotency-Key keeps has none. */
function showOnce(made: { row: KeyRow; key: string }) {
  const record = viewKey(made.row);
  const replayBody = { message: "Created", data: record };
  return { ...created({ data: { key: made.key, ...record } }), replayBody };
}
