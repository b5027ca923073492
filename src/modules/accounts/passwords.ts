/**
 * Passwords: argon2id with a pepper, never more than a few at a time (Decision 0075).
 *
 * Somebody who does not exist is checked against a dummy digest of the same cost, so that the time
 * of an answer does not tell who has an account. Compared exactly as sent: no trimming, no
 * normalisation.
 */

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import type { Config } from "../../infra/config.ts";
import type { Log } from "../../infra/log.ts";
import { poolGivesWay } from "../../infra/process/pool-gives-way.ts";
import { FieldRefused, Unavailable } from "../../kit/errors.ts";
import { field } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { createSemaphore, SemaphoreFull } from "../../kit/semaphore.ts";

/** `Algorithm.Argon2id`: the package declares it as a const enum, which cannot be imported here. */
const ARGON2ID = 2;
const LENGTH_MIN = 8;
const LENGTH_MAX = 256;
const COSTS = {
  standard: { memoryCost: 65_536, timeCost: 2 },
  /** The least OWASP accepts; for tests, refused in production. */
  floor: { memoryCost: 19_456, timeCost: 2 },
};
/** As the package makes them. */
const SALT_BYTES = 16;
const RESULT_BYTES = 32;
/** Where there are two or more cores, one is left to those who do not sign in. */
export const HASHES_AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const WAITING_MAX = 20;
const WAIT_MS_MAX = 2_000;

export interface PasswordDigest {
  readonly digest: string;
  readonly pepperId: string;
}

export interface Passwords {
  /** Throws the 503 at once when too many are waiting, before anything else is spent on them. */
  demandRoom(): void;
  digest(password: string): Promise<PasswordDigest>;
  /** False, after the same time, when there is no stored digest. */
  matches(password: string, stored: PasswordDigest | undefined): Promise<boolean>;
  /** Whether the digest was made with other costs or an older pepper than today's. */
  isOutdated(stored: PasswordDigest): boolean;
}

/** A password as somebody types it to sign in: only its length is judged. */
export const passwordField = text({ min: LENGTH_MIN, max: LENGTH_MAX });

/** A password somebody chooses; the stage may ask for more than length (Interface §8). */
export function newPasswordField(rules: { complexity: boolean }) {
  return field(passwordField.schema, (value, name) => {
    const given = passwordField.read(value, name);
    if (rules.complexity && !isComplex(given))
      throw new FieldRefused(
        "The password must contain a lower-case letter, an upper-case letter, a digit and a " +
          "special character.",
      );
    return given;
  });
}

function isComplex(given: string): boolean {
  return [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d\s]/u].every((kind) => kind.test(given));
}

export function createPasswords(config: Config["passwords"], log: Log): Passwords {
  const gate = createSemaphore({
    atOnce: HASHES_AT_ONCE,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
  });
  const cost = COSTS[config.hashing];
  const pepper = config.peppers.current;
  const make = (password: string) =>
    hash(password, {
      ...cost,
      algorithm: ARGON2ID,
      parallelism: 1,
      secret: pepper.bytes,
    });
  const parameters = `$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;
  const dummy: PasswordDigest = { digest: dummyDigest(parameters), pepperId: pepper.id };

  let mayGiveWay = true;
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    // The pool's threads are there once it has been used.
    if (mayGiveWay) mayGiveWay = poolGivesWay() === 0;
    try {
      return await gate.pass(work);
    } catch (error) {
      throw error instanceof SemaphoreFull ? new Unavailable({ cause: error }) : error;
    }
  }

  return {
    demandRoom() {
      if (gate.isFull()) throw new Unavailable({ cause: "too many passwords are being checked" });
    },
    async digest(password) {
      return { digest: await guarded(() => make(password)), pepperId: pepper.id };
    },
    async matches(password, stored) {
      const isKnown = stored !== undefined && config.peppers.byId(stored.pepperId) !== undefined;
      // Somebody's misfortune, not an answer of its own: a 500 would tell who has an account.
      if (stored !== undefined && !isKnown)
        log.error({ pepper: stored.pepperId }, "a password's pepper is not on the keyring");
      const against = isKnown ? stored : dummy;
      const secret = config.peppers.byId(against.pepperId)?.bytes ?? pepper.bytes;
      const same = await guarded(() => verify(against.digest, password, { secret }));
      return same && isKnown;
    },
    isOutdated(stored) {
      return stored.pepperId !== pepper.id || !stored.digest.includes(parameters);
    },
  };
}

/** Salt and result by chance: no password has it, and none has to be hashed to make it. */
function dummyDigest(parameters: string): string {
  const chance = (bytes: number) => randomBytes(bytes).toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19${parameters}${chance(SALT_BYTES)}$${chance(RESULT_BYTES)}`;
}
