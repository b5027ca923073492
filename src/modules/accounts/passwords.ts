/**
 * Passwords: argon2id with a pepper, never more than a few at a time (Decision 0075).
 *
 * An unknown account is checked against a dummy digest of the same cost, so that the response time
 * does not show which accounts exist. Compared exactly as sent: no trimming, no normalisation.
 */

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import type { Config } from "../../infra/config.ts";
import type { Log } from "../../infra/log.ts";
import { lowerHashingThreads } from "../../infra/process/lower-hashing-threads.ts";
import { FieldRefused, Unavailable } from "../../kit/errors.ts";
import { field } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { createSemaphore, SemaphoreFull } from "../../kit/semaphore.ts";

/** `Algorithm.Argon2id`: the package declares it as a const enum, which cannot be imported here. */
const ARGON2ID = 2;
const LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 256;
const COSTS = {
  standard: { memoryCost: 65_536, timeCost: 2 },
  /** The least OWASP accepts; for tests, refused in production. */
  floor: { memoryCost: 19_456, timeCost: 2 },
};
/** As the package makes them. */
const SALT_BYTES = 16;
const RESULT_BYTES = 32;
/** With more than two cores, two; otherwise one core is left to other requests. */
export const HASHES_AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const WAITING_MAX = 20;
const WAIT_MS_MAX = 2_000;

export interface PasswordDigest {
  readonly digest: string;
  readonly pepperId: string;
}

export type Passwords = ReturnType<typeof createPasswords>;

/** A password at sign-in: only its length is checked. */
export const passwordField = text({ min: LENGTH_MIN, max: PASSWORD_LENGTH_MAX });

const KINDS = "a lower-case letter, an upper-case letter, a digit and a special character";

/** A new password; the stage may require more than length (Interface §8). */
export function newPasswordField(rules: { complexity: boolean }) {
  return field(passwordField.schema, (value, name) => {
    const password = passwordField.read(value, name);
    if (rules.complexity && !isComplex(password))
      throw new FieldRefused(`The password must contain ${KINDS}.`);
    return password;
  });
}

/** The same for people, beside the field. */
export function passwordRules({ complexity }: { complexity: boolean }): string {
  const length = `At least ${LENGTH_MIN} characters`;
  if (!complexity) return `${length}.`;
  return `${length}, with ${KINDS}.`;
}

function isComplex(password: string): boolean {
  return [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d\s]/u].every((kind) => kind.test(password));
}

export function createPasswords(config: Config["passwords"], log: Log) {
  const semaphore = createSemaphore({
    atOnce: HASHES_AT_ONCE,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
  });
  const cost = COSTS[config.hashing];
  const pepper = config.peppers.current;
  const make = (password: string) =>
    hash(password, { ...cost, algorithm: ARGON2ID, parallelism: 1, secret: pepper.bytes });
  const parameters = `$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;
  const dummy: PasswordDigest = { digest: dummyDigest(parameters), pepperId: pepper.id };

  let mayGiveWay = true;
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    // The pool's threads are there once it has been used.
    if (mayGiveWay) mayGiveWay = lowerHashingThreads() === 0;
    try {
      return await semaphore.pass(work);
    } catch (error) {
      throw error instanceof SemaphoreFull ? new Unavailable({ cause: error }) : error;
    }
  }

  return {
    /** Throws the 503 at once when too many are waiting, before other work is done for them. */
    demandRoom(): void {
      if (semaphore.isFull())
        throw new Unavailable({ cause: "too many passwords are being checked" });
    },
    async digest(password: string): Promise<PasswordDigest> {
      return { digest: await guarded(() => make(password)), pepperId: pepper.id };
    },
    /** False, after the same time, when there is no stored digest. */
    async matches(password: string, stored: PasswordDigest | undefined): Promise<boolean> {
      const isKnown = stored !== undefined && config.peppers.byId(stored.pepperId) !== undefined;
      // Not a 500, which would show that the account exists.
      if (stored !== undefined && !isKnown)
        log.error({ pepper: stored.pepperId }, "a password's pepper is not on the keyring");
      const against = isKnown ? stored : dummy;
      const secret = config.peppers.byId(against.pepperId)?.bytes ?? pepper.bytes;
      const same = await guarded(() => verify(against.digest, password, { secret }));
      return same && isKnown;
    },
    /** Whether the digest was made with other costs or an older pepper than today's. */
    isOutdated(stored: PasswordDigest): boolean {
      return stored.pepperId !== pepper.id || !stored.digest.includes(parameters);
    },
  };
}

/** Random salt and result: no password matches it, and nothing is hashed to make it. */
function dummyDigest(parameters: string): string {
  const random = (bytes: number) => randomBytes(bytes).toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19${parameters}${random(SALT_BYTES)}$${random(RESULT_BYTES)}`;
}
