/**
 * `Idempotency-Key`: a request that is sent again has its effect once and its answer twice.
 *
 * The answer is stored in the same tx as the effect, so neither can exist without the other; a lost
 * COMMIT is settled by looking for the stored answer. Refusals throw, roll back and store nothing,
 * so a request that was refused may be mended and sent again under its key (Decision 0006).
 */

import { FieldRefused, fixedRefusal, ServiceError } from "../../../kit/errors.ts";
import { derivedKey, type Keyring, keyedDigest } from "../../../kit/secrets.ts";
import type { Database } from "../../db/database.ts";
import { type Queryable, sql, sqlOf } from "../../db/query.ts";
import { bool, pick } from "../../db/row.ts";
import { tables } from "../../db/tables.ts";
import { commitLikeAWrite, type Tx } from "../../db/transaction.ts";
import { type Answer, bodyOf, JSON_TYPE } from "../answer.ts";
import { type KeyScope, openAnswer, scopeText, sealAnswer } from "./sealed-answer.ts";

const REPLAYED = "idempotent-replayed";
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

export class IdempotencyKeyStillRunning extends fixedRefusal("idempotency_in_flight", {
  headers: { "retry-after": "1" },
}) {}

export class IdempotencyKeyUsedDifferently extends fixedRefusal("idempotency_mismatch") {}

export interface KeyedRequest extends KeyScope {
  readonly peppers: Keyring;
  /** Under each of the peppers, in their order: the current one first. */
  readonly fingerprints: readonly Buffer[];
}

/** The header's value, raw or as an RFC 8941 string; undefined when it was not sent. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const given = Array.isArray(header) ? header.join(",") : header;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(given)?.[1];
  const key = quoted === undefined ? given : quoted.replace(/\\(["\\])/g, "$1");
  if (!VISIBLE_ASCII.test(key))
    throw new FieldRefused("The Idempotency-Key must be 1 to 255 visible ASCII characters.", {
      code: "idempotency_key_invalid",
      field: "Idempotency-Key",
    });
  return key;
}

/** Whether an answer is one that was stored: its work was done before. */
export function isReplay({ headers }: Answer): boolean {
  return headers?.[REPLAYED] !== undefined;
}

/**
 * Made from what was *read*, so that JSON and form, `1` and `"1.00"`, count as the same request;
 * and with a key, because a request may hold a password or a bank account, and a plain digest of
 * those can be guessed at by a reader of the database.
 */
export function fingerprintsOf(
  peppers: Keyring,
  parts: { path: string; query: unknown; body: unknown },
): Buffer[] {
  const canonical = JSON.stringify(parts, (_name, value) => canonicalValue(value));
  return peppers.all.map((pepper) => keyedDigest(derivedKey(pepper, "idempotency"), canonical));
}

export async function runOnce(
  db: Database,
  request: KeyedRequest,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  let own: Answer | undefined;
  return db.transaction(
    async (tx) => {
      const isClaimed = await claim(tx, request);
      // Without the claim too: its holder may only be replaying the stored answer.
      const stored = await findStored(tx, request);
      if (stored !== undefined) {
        await commitLikeAWrite(tx);
        return stored;
      }
      if (!isClaimed) throw new IdempotencyKeyStillRunning();
      own = await work(tx);
      await store(tx, request, own);
      return own;
    },
    { confirm: async () => ownOrStored(own, await findStored(db, request)) },
  );
}

/**
 * The same, with something to be made ready while no tx is open. A refusal then counts only
 * where no answer is stored: one that was given stays, whatever has changed since.
 */
export async function runOnceReady<T>(
  db: Database,
  request: KeyedRequest,
  ready: () => Promise<T>,
  work: (tx: Tx, made: T) => Promise<Answer>,
): Promise<Answer> {
  let made: T;
  try {
    made = await ready();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return db.transaction(async (tx) => {
      const stored = await findStored(tx, request);
      if (stored === undefined) throw error;
      await commitLikeAWrite(tx);
      return stored;
    });
  }
  return runOnce(db, request, (tx) => work(tx, made));
}

/**
 * After a lost COMMIT: what is stored. If it is what we made ourselves, our answer is the first one
 * and whole, with a secret that is shown once.
 */
function ownOrStored(own: Answer | undefined, stored: Answer | undefined): Answer | undefined {
  if (own === undefined || stored === undefined) return stored;
  const isOurs = replayOf(own).equals(stored.body as Buffer);
  return isOurs ? own : stored;
}

function replayOf(answer: Answer): Buffer {
  return Buffer.from(bodyOf({ ...answer, body: answer.replayBody ?? answer.body }));
}

/** The lock ends with the tx, so a crash frees the key. */
async function claim(tx: Tx, request: KeyedRequest): Promise<boolean> {
  const { claimed } = await tx.one(sqlOf({ claimed: bool })`
    select pg_try_advisory_xact_lock(hashtextextended(${scopeText(request)}, 0)) as claimed`);
  return claimed;
}

async function findStored(db: Queryable, request: KeyedRequest): Promise<Answer | undefined> {
  const row = await db.maybeOne(sqlOf(
    pick(tables.idempotency_keys, "fingerprint", "status", "content_type", "body_box"),
  )`
    select fingerprint, status, content_type, body_box from idempotency_keys
    where account_number = ${request.accountNumber} and environment = ${request.environment}
      and route = ${request.route} and idempotency_key = ${request.key}`);
  if (row === undefined) return undefined;
  const index = request.fingerprints.findIndex((one) => one.equals(row.fingerprint));
  // Also when its pepper was taken off the ring: whether it is the same request is unknown, and it
  // must not be done again.
  const pepper = request.peppers.all[index];
  if (pepper === undefined) throw new IdempotencyKeyUsedDifferently();
  return {
    status: row.status,
    body: openAnswer(pepper, request, row.body_box),
    contentType: row.content_type,
    headers: { [REPLAYED]: "true" },
  };
}

async function store(tx: Tx, request: KeyedRequest, answer: Answer): Promise<void> {
  const box = sealAnswer(request.peppers.current, request, replayOf(answer));
  await tx.run(sql`
    insert into idempotency_keys
      (account_number, environment, route, idempotency_key, fingerprint, status, content_type,
        body_box)
    values (${request.accountNumber}, ${request.environment}, ${request.route}, ${request.key},
      ${request.fingerprints[0]}, ${answer.status}, ${answer.contentType ?? JSON_TYPE},
      ${box})`);
}

function canonicalValue(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
