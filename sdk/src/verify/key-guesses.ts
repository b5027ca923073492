/** The key of a redirect as it may have been meant: another environment's, another account's. */

import { type Guess, mistake } from "./explanation.ts";
import { withoutWrapping } from "./text-guesses.ts";

export interface OtherKeys {
  /** How you call them, such as "live" or "shop 2". */
  readonly name: string;
  readonly environment?: "live" | "sandbox";
  readonly signingSecret?: string;
  readonly hashKey?: string;
}

/** Everybody may know these: they are of the account that everybody tries the sandbox with. */
export const SANDBOX_KEYS: OtherKeys = {
  name: "the sandbox account 1234567890",
  environment: "sandbox",
  signingSecret: "sandbox-signing-secret",
  hashKey: "123",
};

export interface KeysGiven {
  readonly signingSecret?: string | undefined;
  readonly hashKey?: string | undefined;
  readonly others?: readonly OtherKeys[];
  /** Which environment the result is of, by its transaction id. */
  readonly environment: "live" | "sandbox";
}

const READ_IT = "Read both keys at GET /user/payment-key, with the environment that was paid in.";

export function signingSecretGuesses(keys: KeysGiven): Guess<string>[] {
  return keyGuesses(keys, {
    mine: keys.signingSecret,
    swapped: keys.hashKey,
    swappedSays: "The hash key was used where the signing secret belongs.",
    of: ({ signingSecret }) => signingSecret,
  });
}

export function hashKeyGuesses(keys: KeysGiven): Guess<string>[] {
  return keyGuesses(keys, {
    mine: keys.hashKey,
    swapped: keys.signingSecret,
    swappedSays: "The signing secret was used where the hash key belongs.",
    of: ({ hashKey }) => hashKey,
  });
}

interface Which {
  readonly mine: string | undefined;
  readonly swapped: string | undefined;
  readonly swappedSays: string;
  of(keys: OtherKeys): string | undefined;
}

function keyGuesses(keys: KeysGiven, { mine, swapped, swappedSays, of }: Which): Guess<string>[] {
  if (mine === undefined) return [];
  const bare = withoutWrapping(mine);
  const wrapped = mistake(
    "key_has_white_space",
    "The key was given with white space or quotes around it.",
    "Take off what stands around it, such as the end of a line in a file.",
  );
  return [
    { value: mine },
    ...(bare === mine ? [] : [{ value: bare, mistake: wrapped }]),
    // A merchant with only one key may have put it in the wrong place.
    ...(swapped === undefined || swapped === mine
      ? []
      : [{ value: swapped, mistake: mistake("keys_swapped", swappedSays, READ_IT) }]),
    ...[...(keys.others ?? []), SANDBOX_KEYS].flatMap((other) => {
      const value = of(other);
      return value === undefined || value === mine
        ? []
        : [{ value, mistake: keyOf(other, keys.environment) }];
    }),
  ];
}

function keyOf({ name, environment }: OtherKeys, resultOf: "live" | "sandbox") {
  const isOtherSide = environment !== undefined && name !== SANDBOX_KEYS.name;
  if (!isOtherSide) {
    const says = `The key is not the one that signed this: it was signed with that of ${name}.`;
    return mistake("key_of_another_account", says, READ_IT);
  }
  const other = environment === "live" ? "sandbox" : "live";
  const says =
    `The key is not of the environment that was paid in: this result is of ${resultOf}, signed ` +
    `with the key "${name}", and was checked with that of ${other}.`;
  return mistake("key_of_other_environment", says, READ_IT);
}
