/** A request that failed, as people read it: the least one that does, as a curl command. */

import fc from "fast-check";
import { asCurl } from "../../testkit/fuzz/as-curl.ts";
import type { Cast } from "../../testkit/fuzz/cast.ts";
import type { FuzzRequest } from "../../testkit/fuzz/requests.ts";

const MESSAGE_LENGTH_MAX = 600;
const SHRINK_MS_MAX = 20_000;

interface Failed {
  /** Those of its batch, and the seed and the place by which it is made again. */
  readonly requests: fc.Arbitrary<FuzzRequest>;
  readonly seed: number;
  readonly index: number;
  readonly request: FuzzRequest;
  readonly error: unknown;
}

export interface Sending extends Pick<Cast, "ready"> {
  readonly url: string;
  /** Fails as the answer is judged. */
  send(request: FuzzRequest): Promise<void>;
}

/** The same complaint about the same route is told once. */
export function kindOf({ method, route }: FuzzRequest, error: unknown): string {
  const [said = ""] = messageOf(error).split("\n");
  // Without the path that was meant, which differs with every request.
  return `${method} ${route}: ${said.replace(/^[A-Z]+ \S+/, "").replace(/[\w-]{16,}/g, "…")}`;
}

export async function describeFailure(failed: Failed, sending: Sending): Promise<string> {
  const property = fc.asyncProperty(failed.requests, (request) => sending.send(request));
  const { seed, index, error } = failed;
  const again = await fc.check(property, {
    seed,
    path: String(index),
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS_MAX,
  });
  const least = again.counterexample?.[0] ?? failed.request;
  const how = again.failed ? `shrunk ${again.numShrinks} times` : "did not fail again by itself";
  const told = again.failed ? again.errorInstance : error;
  const curl = await sending.ready(least).then(
    (sent) => asCurl(sending.url, sent),
    () => `${least.method} ${least.path}`,
  );
  return `${messageOf(told)}\n  ${curl}\n  (batch seed ${seed}, request ${index}, ${how})`;
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, MESSAGE_LENGTH_MAX);
}
