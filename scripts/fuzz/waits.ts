/**
 * 503s of a machine that is too slow for so many requests at once: one waited for its turn for as
 * long as the service lets it. Like a careful client, the fuzzer sends it again, and then it must
 * be served; how many there were is told, and only few may be. A 503 of any other reason is a
 * failure like every 5xx.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { ReadyRequest } from "../../testkit/fuzz/cast.ts";
import type { TestAnswer, TestService } from "../../testkit/service.ts";

/** What was waited for, and how its line in the log says so. */
const TURNS: Readonly<Record<string, RegExp>> = {
  "a lock": /"code":"55P03"/,
  "a connection": /timeout exceeded when trying to connect/,
  "the hash of a password": /"type":"SemaphoreFull"|too many passwords are being checked/,
};
const REFUSED = '"msg":"a request was refused"';
const TRIES_MAX = 3;
const FREE_COUNT = 5;
const REQUESTS_FOR_EACH_MORE = 500;

export interface Waits {
  /** Gives each answer to `onAnswer`, and returns the last. */
  send(sent: ReadyRequest, onAnswer: (answer: TestAnswer) => void): Promise<TestAnswer>;
  /** Undefined where nothing had to be sent again. */
  told(): string | undefined;
  /** More than a slow machine explains. */
  areTooMany(requests: number): boolean;
}

export function createWaits(service: Pick<TestService, "logged" | "request">): Waits {
  const counts = new Map<string, number>();
  const waitedFor = ({ status, headers }: TestAnswer): string | undefined => {
    if (status !== 503) return undefined;
    const id = `"reqId":"${headers.get("x-request-id")}"`;
    const line = service.logged.findLast((one) => one.includes(id) && one.includes(REFUSED)) ?? "";
    return Object.entries(TURNS).find(([, pattern]) => pattern.test(line))?.[0];
  };
  return {
    async send(sent, onAnswer) {
      for (let tries = 1; ; tries++) {
        const answer = await service.request(sent.path, sent);
        onAnswer(answer);
        const turn = waitedFor(answer);
        if (turn !== undefined) counts.set(turn, (counts.get(turn) ?? 0) + 1);
        if (turn === undefined || tries === TRIES_MAX) return answer;
        await sleep(1_000 * Number(answer.headers.get("retry-after") ?? 1));
      }
    },
    told() {
      const each = [...counts].map(([turn, count]) => `${count} for ${turn}`);
      return each.length === 0 ? undefined : `503 after waiting too long: ${each.join(", ")}`;
    },
    areTooMany(requests) {
      const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
      return count > FREE_COUNT + requests / REQUESTS_FOR_EACH_MORE;
    },
  };
}
