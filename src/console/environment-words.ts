/** The environments as pages name them. */

import type { Environment } from "../kit/vocabulary.ts";

export const ENVIRONMENT_NAMES: Readonly<Record<Environment, string>> = {
  sandbox: "Sandbox",
  live: "Live",
};

/** Within a sentence: "keys for the sandbox". */
export const ENVIRONMENT_WORDS: Readonly<Record<Environment, string>> = {
  sandbox: "the sandbox",
  live: "live",
};
