/** The test vectors that the SDKs of all languages share (Decision 0112). */

import { readFileSync } from "node:fs";

export function vectorsOf<T>(name: string): readonly T[] {
  const file = new URL(`../fixtures/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).vectors;
}

/** A redirect as an address or as parsed parameters, and what a check of it must answer. */
export interface RedirectVector {
  readonly about: string;
  readonly redirect: string | Readonly<Record<string, string | readonly string[]>>;
  readonly checks: Readonly<Record<string, string | number | null>>;
  readonly now?: string;
  /** `verified`, or the reason of the refusal. */
  readonly verdict: string;
  readonly told?: Readonly<Record<string, string>>;
}

export interface WebhookVector {
  readonly about: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: string | readonly string[];
  readonly now: string;
  readonly toleranceSeconds?: number;
  readonly verdict: string;
}

/** Whether an answer is asked for again, by kind of request; no status: the answer was lost. */
export interface RetryVector {
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly reads: boolean;
  readonly keyed: boolean;
  readonly other: boolean;
}
