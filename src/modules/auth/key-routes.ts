/** API keys that a business creates and manages with a bearer token (Interface §5.2, §5.3). */

import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { NothingToChange, ScopeRefused, ServiceError } from "../../kit/errors.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import { EXAMPLE, said, saidOnly, saidWith, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { findKey, keyView, listKeys, viewKey } from "./api-key.ts";
import { changeKey, NOTHING_TO_CHANGE, revokeKey } from "./change-key.ts";
import type { AuthContext } from "./context.ts";
import { type CreatedKey, createKey, TooManyKeys } from "./create-key.ts";
import {
  EXPIRES_IN_THE_PAST,
  keyChangeBody,
  kidField,
  newKeyBody,
  rotationBody,
} from "./key-fields.ts";
import { EXPIRES_TOO_LATE } from "./key-lifetime.ts";
import { rotateKey } from "./rotate-key.ts";

const managing = {
  path: "/auth/keys",
  group: "API keys",
  /** Interface §5.2: PERSONAL accounts have no keys. */
  access: { credentials: "bearer", accountType: "BUSINESS" },
  limit: { name: "keys", per: "credential" },
} as const;
const managingOne = { ...managing, path: "/auth/keys/{kid}", params: { kid: kidField } } as const;

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
const over = [
  new ServiceError("key_already_revoked"),
  new ServiceError("key_already_rotated"),
  new ServiceError("key_already_expired"),
];

const createKeyRoute = protectedRoute({
  ...managing,
  method: "POST",
  summary: "Make an API key",
  about:
    "The key carries at most the scopes of the token that makes it, and is shown only here. Made " +
    "with a token that lacks `svc-user-all`, it lives 30 days at most.",
  idempotent: true,
  body: newKeyBody,
  answers: {
    201: { about: "The key and its record", body: newKeyAnswer },
    403: notBusiness,
    400: { about: "A field is malformed", refusals: [EXPIRES_IN_THE_PAST, EXPIRES_TOO_LATE] },
    409: {
      about: "Too many active keys, or the same Idempotency-Key is still running",
      refusals: [new TooManyKeys()],
    },
  },
  run: (ctx: AuthContext, { body, once }, caller) =>
    once(async (tx) => showOnce(await createKey(ctx, tx, caller, body))),
});

const listKeysRoute = protectedRoute({
  ...managing,
  method: "GET",
  summary: "List API keys",
  query: pageFields,
  answers: {
    200: { about: "The keys, newest first", body: pageAnswer(keyView) },
    403: notBusiness,
  },
  async run(ctx: AuthContext, { query, url }, caller) {
    const { rows, total } = await listKeys(ctx.db, { accountNumber: caller.accountNumber }, query);
    return plainJson(pageBody(query, { rows: rows.map(viewKey), total }, url));
  },
});

const readKeyRoute = protectedRoute({
  ...managingOne,
  method: "GET",
  summary: "Read one API key",
  answers: { 200: { about: "The key", body: oneKey }, 403: notBusiness, 404: unknownKey },
  async run(ctx: AuthContext, { params }, caller) {
    const { accountNumber } = caller;
    return ok({ data: viewKey(await findKey(ctx.db, { kid: params.kid, accountNumber })) });
  },
});

const changeKeyRoute = protectedRoute({
  ...managingOne,
  method: "PATCH",
  summary: "Change an API key's name, addresses or expiry",
  body: keyChangeBody,
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
      refusals: over,
    },
  },
  async run(_ctx: AuthContext, { params, body, once }, caller) {
    return once(async (tx) => ok({ data: viewKey(await changeKey(tx, caller, params.kid, body)) }));
  },
});

const rotateKeyRoute = protectedRoute({
  ...managingOne,
  method: "POST",
  path: "/auth/keys/{kid}/rotate",
  summary: "Replace an API key by a new one with the same settings",
  about:
    "Its expiry is that of the old key; rotated with a token that lacks `svc-user-all`, it ends " +
    "within 30 days.",
  idempotent: true,
  body: rotationBody,
  answers: {
    201: { about: "The new key and its record", body: newKeyAnswer },
    403: notBusiness,
    404: unknownKey,
    409: {
      about: "The key has been revoked or rotated, or has expired; or there are too many keys",
      refusals: [...over, new TooManyKeys()],
    },
  },
  async run(ctx: AuthContext, { params, body, once }, caller) {
    const input = { kid: params.kid, overlapSeconds: body.overlap_seconds };
    return once(async (tx) => showOnce(await rotateKey(ctx, tx, caller, input)));
  },
});

const revokeKeyRoute = protectedRoute({
  ...managingOne,
  method: "DELETE",
  summary: "Revoke an API key",
  about: "Takes a token that carries every scope of the key.",
  answers: {
    200: { about: "Revoked, on every process", body: saidOnly() },
    403: notBusiness,
    404: unknownKey,
  },
  run: (_ctx: AuthContext, { params, once }, caller) =>
    once((tx) => revokeKey(tx, caller, params.kid).then(() => ok())),
});

/** The secret is in this response only; what an Idempotency-Key stores has none. */
function showOnce({ row, key }: CreatedKey) {
  const record = viewKey(row);
  const replayBody = { message: "Created", data: record };
  return { ...created({ data: { key, ...record } }), replayBody };
}

export const keyRoutes: readonly Route<AuthContext>[] = [
  createKeyRoute,
  listKeysRoute,
  readKeyRoute,
  changeKeyRoute,
  rotateKeyRoute,
  revokeKeyRoute,
];
