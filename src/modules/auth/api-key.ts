/**
 * API keys: `svc_live_<kid>_<secret>` or `svc_test_…` (Interface §5.3, Decision 0012).
 *
 * The kid finds the row; the secret is 256 random bits and so needs no slow hash: a keyed digest of
 * the whole key is stored. The full text is shown once, in the response that creates it.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import {
  columns,
  computed,
  int,
  list,
  omit,
  type Row,
  texts,
  timestamp,
} from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { NotFound } from "../../kit/errors.ts";
import type { PageAsked } from "../../kit/page.ts";
import {
  EXAMPLE,
  orNull,
  textSchema,
  timestampSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import type { Scope } from "../../kit/scopes.ts";
import {
  derivedKey,
  type Keyring,
  keyedDigest,
  randomHex,
  type SecretKey,
} from "../../kit/secrets.ts";
import { viewOf } from "../../kit/view-of.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";

const KID_BYTES = 9;
const SECRET_BYTES = 32;
const SHAPE = /^svc_(live|test)_([0-9a-f]{18})_[0-9a-f]{64}$/;

/** How the environment is written in a key. */
const PREFIX: Readonly<Record<Environment, string>> = { live: "live", sandbox: "test" };

export const KEY = {
  ...omit(tables.api_keys, "key_digest", "pepper_id"),
  scopes: list<Scope>(),
  allowed_cidrs: computed(texts, sql`allowed_cidrs::text[]`),
  now: computed(timestamp, sql`real_now()`),
};

export type KeyRow = Row<typeof KEY>;

/** What a list or a read shows. Never the secret, never its digest. */
export const keyView = Type.Object(
  {
    kid: textSchema("The part of the key that may be shown.", EXAMPLE.kid),
    name: orNull(textSchema("A name to recognise it by.", "Web shop")),
    environment: wordSchema(ENVIRONMENTS, "Which data it reaches.", "sandbox"),
    status: wordSchema(["active", "expired", "revoked"], "Whether it works."),
    scopes: Type.Array(Type.String(), {
      description: "What it allows.",
      examples: [["svc-user-all", "svc-transactions-retrieve"]],
    }),
    allowed_cidrs: Type.Array(Type.String(), {
      description: "The address ranges it works from; none: any address.",
      examples: [["203.0.113.0/24"]],
    }),
    created_at: timestampSchema("When it was made."),
    expires_at: orNull(timestampSchema("When it stops working.", "2027-01-31T12:00:00Z")),
    last_used_at: orNull(timestampSchema("When it was last used, to the minute or so."), null),
    rotated_to: orNull(textSchema("The `kid` of the key that replaced it.", EXAMPLE.kid), null),
  },
  { title: "ApiKey" },
);

export const KEY_COLUMNS = columns(KEY);

export function readKey(text: string): { kid: string; environment: Environment } | undefined {
  const [, prefix, kid] = SHAPE.exec(text) ?? [];
  if (kid === undefined) return undefined;
  return { kid, environment: prefix === PREFIX.live ? "live" : "sandbox" };
}

export function newKey(environment: Environment): { kid: string; text: string } {
  const kid = randomHex(KID_BYTES);
  return { kid, text: `svc_${PREFIX[environment]}_${kid}_${randomHex(SECRET_BYTES)}` };
}

export function keyDigest(text: string, pepper: SecretKey): Buffer {
  return keyedDigest(derivedKey(pepper, "api key"), text);
}

/** Under every pepper still accepted, so that rotating peppers breaks no key. */
export function possibleKeyDigests(peppers: Keyring, text: string): Buffer[] {
  return peppers.all.map((pepper) => keyDigest(text, pepper));
}

export async function findKey(
  db: Queryable,
  { kid, accountNumber }: { kid: string; accountNumber: string },
  lock: "for update" | "no lock" = "no lock",
): Promise<KeyRow> {
  const row = await db.maybeOne(sqlOf(KEY)`
    select ${KEY_COLUMNS} from api_keys
    where kid = ${kid} and account_number = ${accountNumber}
    ${lock === "for update" ? sql`for update` : sql``}`);
  if (row === undefined) throw new NotFound("no such key, or another account's");
  return row;
}

/** Newest first, revoked ones included; of both environments where none is named. */
export async function listKeys(
  db: Queryable,
  whose: { readonly accountNumber: string; readonly environment?: Environment },
  { page, page_size: size }: PageAsked,
): Promise<{ rows: KeyRow[]; total: number }> {
  const wanted = sql`account_number = ${whose.accountNumber}
    and environment = coalesce(${whose.environment ?? null}, environment)`;
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from api_keys where ${wanted}`);
  const rows = await db.rows(sqlOf(KEY)`
    select ${KEY_COLUMNS} from api_keys where ${wanted}
    order by created_at desc, kid desc
    limit ${size} offset ${(page - 1) * size}`);
  return { rows, total };
}

export const viewKey = viewOf(keyView.properties, (row: KeyRow) => ({ status: statusOf(row) }));

function statusOf(row: KeyRow): "active" | "expired" | "revoked" {
  if (row.revoked_at !== null) return "revoked";
  return hasExpired(row) ? "expired" : "active";
}

export function hasExpired({ expires_at, now }: KeyRow): boolean {
  return expires_at !== null && expires_at <= now;
}
