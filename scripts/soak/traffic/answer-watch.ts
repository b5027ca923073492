/**
 * Holds answers against the contract while they come: the status and the body that the OpenAPI
 * document names, never a 500. Pages for browsers are in no document; theirs are named here.
 */

import { type AppContext, appRoutes } from "../../../src/app.ts";
import { readConfig } from "../../../src/infra/config.ts";
import { createAnswerChecker } from "../../../testkit/answer-checker.ts";
import type { Answered, WireRequest } from "./wire.ts";

export interface AnswerWatch {
  look(asked: WireRequest, answer: Answered): void;
  /** A fault took the answer: nobody knows what became of the request. */
  unanswered(): void;
  /** Live credentials: no request with one of them may get a 401. */
  readonly alive: Set<string>;
  /** Whose a credential is, alive or not. */
  readonly owners: Map<string, string>;
  /** Requests with a credential of these, by their ids: what the log may say of them. */
  readonly answered: ReadonlyMap<string, string>;
  readonly wrong: readonly string[];
  /** By status. */
  readonly counts: ReadonlyMap<number, number>;
  readonly unansweredCount: number;
  readonly checked: number;
  /** Routes that nobody was answered by. */
  unseen(): string[];
}

const PAGES: readonly (readonly [RegExp, ReadonlySet<number>])[] = [
  [/^\/(checkout|sandbox\/acs|pay)\//, new Set([200, 303, 404, 410, 422, 503])],
  [/^\/(console|sign-in|forgot|operator)\b/, new Set([200, 303, 400, 401, 409, 422, 429, 503])],
];
const WRONG_MAX = 200;
/** The newest: those before them have been seen in shorter runs. */
const ANSWERED_MAX = 100_000;
/** Of what is answered well, one in so many: the check costs as much as a small request. */
const LOOKS_AT_EVERY = 5;

export function watchAnswers(): AnswerWatch {
  const ctx = { config: readConfig({}) } as AppContext;
  const check = createAnswerChecker(ctx, []);
  const unseen = new Map(
    appRoutes(ctx).map(({ method, path }) => [`${method} ${path}`, patternOf(path)]),
  );
  const wrong: string[] = [];
  const alive = new Set<string>();
  const memory = rememberAnswers();
  const counts = new Map<number, number>();
  let unansweredCount = 0;
  let checked = 0;
  let seen = 0;
  return {
    alive,
    ...{ owners: memory.owners, answered: memory.answered },
    wrong,
    counts,
    unseen: () => [...unseen.keys()],
    get unansweredCount() {
      return unansweredCount;
    },
    get checked() {
      return checked;
    },
    unanswered() {
      unansweredCount += 1;
    },
    look(asked, answer) {
      const { status, text } = answer;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      seen += 1;
      memory.remember(asked, answer);
      for (const [route, pattern] of unseen)
        if (route.startsWith(`${asked.method} `) && pattern.test(asked.path)) unseen.delete(route);
      if (status < 300 && seen % LOOKS_AT_EVERY !== 0) return;
      checked += 1;
      const complain = (why: string) => {
        if (wrong.length < WRONG_MAX) wrong.push(`${asked.method} ${asked.path}: ${why}`);
      };
      // A reader would take it for an empty list, and the checks would see nothing.
      if (status === 401 && alive.has(asked.token ?? asked.key ?? ""))
        complain("401 though the credential is alive");
      const pageStatuses = PAGES.find(([pattern]) => pattern.test(asked.path))?.[1];
      if (status >= 500 && status !== 503) complain(`${status} ${text.slice(0, 200)}`);
      else if (pageStatuses !== undefined) {
        if (!pageStatuses.has(status)) complain(`${status} of a page`);
      } else
        try {
          check({
            ...asked,
            ...answer,
            headers: new Headers(answer.headers as Record<string, string>),
          });
        } catch (error) {
          complain((error as Error).message.slice(0, 300));
        }
    },
  };
}

/** What the request log may say. */
function rememberAnswers() {
  const owners = new Map<string, string>();
  const answered = new Map<string, string>();
  const remember = ({ method, path, token, key }: WireRequest, { status, headers }: Answered) => {
    const owner = owners.get(token ?? key ?? "");
    // A dead credential is nobody's.
    if (owner === undefined || status === 401) return;
    const [bare] = path.split("?");
    answered.set(String(headers["x-request-id"]), `${method} ${bare} ${status} of ${owner}`);
    const [oldest] = answered.size > ANSWERED_MAX ? answered.keys() : [];
    if (oldest !== undefined) answered.delete(oldest);
  };
  return { owners, answered, remember };
}

function patternOf(path: string): RegExp {
  const words = path
    .replace(/\/$/, "")
    .replace(/[.]/g, "\\.")
    .replace(/\{\w+\}/g, "[^/?]+");
  return new RegExp(`^${words}/?(\\?|$)`);
}
