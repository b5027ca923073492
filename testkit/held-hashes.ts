/**
 * Makes passwords wait before they are hashed, until a test lets them go: so that many guesses have
 * certainly begun before the first is judged. The hash itself is the real one.
 */

import { mock } from "node:test";
import type { TestService } from "./service.ts";
import { until } from "./until.ts";

export function holdHashes({ ctx: { passwords } }: TestService) {
  const waiting = new Map<() => void, string>();
  const matches = passwords.matches.bind(passwords);
  const held = mock.method(passwords, "matches", async (...asked: Parameters<typeof matches>) => {
    await new Promise<void>((resolve) => waiting.set(resolve, asked[0]));
    return matches(...asked);
  });
  function letGo(which: (password: string) => boolean): void {
    for (const [go, password] of waiting)
      if (which(password)) {
        waiting.delete(go);
        go();
      }
  }
  return {
    untilWaiting: (count: number) =>
      until(() => waiting.size === count, `${count} passwords wait to be hashed`),
    letGo,
    /** Lets everybody go, so that a test that failed does not hang. */
    restore() {
      held.mock.restore();
      letGo(() => true);
    },
  };
}
