/** One client: whose it is, what it chooses by, and the one way in which it writes. */

import type { Chance } from "../random.ts";
import type { AnswerWatch } from "./answer-watch.ts";
import type { Diary } from "./diary.ts";
import type { Tab } from "./tab.ts";
import type { Outcome, Wire, WireRequest } from "./wire.ts";

export interface Merchant {
  readonly accountNumber: string;
  readonly email: string;
  readonly password: string;
  readonly countryCode: "TT" | "JM";
  readonly currency: "TTD" | "JMD";
  /** A sign-in that lasts for the whole run. */
  token: string;
  /** A key for the sandbox, which lasts as well. */
  key: string;
  /** Of its first endpoint, whose description its first client writes. */
  endpointId: string;
  /** Of that key, whose name its first client writes. */
  kid: string;
}

interface Paid {
  readonly id: string;
  /** Whole dollars that may still be asked back. */
  left: number;
  readonly environment: Environment;
}

export type Environment = "live" | "sandbox";

export interface Client {
  readonly name: string;
  readonly me: Merchant;
  /** Whether it alone writes what its merchant has one of. */
  readonly isFirst: boolean;
  readonly others: readonly Merchant[];
  /** Nothing is wrong around it that would raise an alarm. */
  readonly isEveryDay: boolean;
  /** Live payments are served by the fake of a real acquirer. */
  readonly hasAcquirer: boolean;
  readonly chance: Chance;
  readonly wire: Wire;
  readonly diary: Diary;
  readonly watch: AnswerWatch;
  readonly paid: Paid[];
  readonly cards: string[];
  /** Its browser, in the console. */
  readonly tab: Tab;
  /** The last event of the feed that it has read. */
  sequence: number;
  /** A word that nobody has said before. */
  word(): string;
  /** Its credential for a request: mostly the token, sometimes the key, which is the sandbox's. */
  credential(environment?: Environment): { token: string } | { key: string };
}

const KEPT_PERCENT = 8;

export function openClient(
  given: Pick<
    Client,
    | "name"
    | "me"
    | "isFirst"
    | "isEveryDay"
    | "hasAcquirer"
    | "others"
    | "chance"
    | "wire"
    | "watch"
    | "diary"
  >,
): Client {
  let words = 0;
  return {
    ...given,
    paid: [],
    cards: [],
    tab: { jar: new Map(), provenAt: 0 },
    sequence: 0,
    word: () => `${given.name}-${++words}`,
    credential: (environment = "sandbox") =>
      environment === "live" || given.me.key === "" || given.chance.percent(70)
        ? { token: given.me.token }
        : { key: given.me.key },
  };
}

/** Insists, and counts what was acknowledged: a yes to something that changes something. */
export async function write(client: Client, kind: string, asked: WireRequest): Promise<Outcome> {
  const { diary, chance, wire } = client;
  if (asked.idempotencyKey !== undefined) diary.onceOnly.add(asked.idempotencyKey);
  const outcome = await wire.insist(asked);
  const { answer } = outcome;
  if (answer === undefined || answer.status >= 400) return outcome;
  diary.acknowledge(kind);
  // Not those of a sign-in that ends: who is not signed in is told nothing again.
  const { token = client.me.token } = asked;
  const isLasting = asked.idempotencyKey !== undefined && token === client.me.token;
  if (isLasting && chance.percent(KEPT_PERCENT))
    diary.keyed.push({ owner: client.me, asked, status: answer.status, text: answer.text });
  return outcome;
}

/** An answer that neither a fault nor the traffic itself explains. */
export function expectStatus(
  { diary }: Client,
  asked: WireRequest,
  { answer }: Outcome,
  expected: readonly number[],
): void {
  if (answer === undefined || expected.includes(answer.status)) return;
  const said = `${answer.status} ${answer.text.slice(0, 160)}`;
  diary.complain("unexpected answers", `${asked.method} ${asked.path}: ${said}`);
}
