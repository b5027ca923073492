/**
 * What exists and a path can name, for random requests: it begins with records of one merchant,
 * grows by what answers tell of, and what is deleted is made anew.
 */

import { type Holder, keepRecords, type Records } from "../records.ts";
import type { TestService } from "../service.ts";
import { renewRecords } from "./renew-records.ts";

const KEPT_MAX = 300;

interface Pools {
  readonly all: Map<string, string[]>;
  /** The newest that were made here: they are the owner's, and little has happened to them. */
  readonly own: Map<string, string>;
}

interface Made {
  readonly place: string;
  readonly named: RegExp;
  /** Only answers to what is asked for there. */
  readonly at?: string;
}

const TRANSACTION = /"transaction_id":"((?:SB-)?[A-Z]{2}-\w+)"/;
/** Where an answer names something that a path can name. */
const MADE: readonly Made[] = [
  { place: "/transactions/{transaction_id}", named: TRANSACTION },
  { place: "/withdrawals/{transaction_id}", named: TRANSACTION, at: "/withdrawals" },
  { place: "/trusted-cards/{uuid}", named: /"uuid":"([0-9a-f-]{36})"/ },
  { place: "/webhooks/{id}", named: /"id":"([0-9a-f-]{36})","url"/ },
  { place: "/auth/keys/{kid}", named: /"kid":"([0-9a-f]{18})"/ },
  { place: "/accounts/{account_number}", named: /"account_number":"(\d{10})"/ },
  { place: "/checkout/assets/{name}", named: /\/checkout\/assets\/([\w.-]+)/ },
  { place: "/checkout/{token}", named: /\/checkout\/([\w-]{20,64})/ },
  // A form of the page leads back to it, or the page shows the bank's.
  {
    place: "/checkout/{token}/challenge",
    named: /\/checkout\/([\w-]{20,64})(?:\n|\/challenge)/,
    at: "/checkout/",
  },
  { place: "/sandbox/acs/{token}", named: /\/sandbox\/acs\/([\w-]{20,64})/ },
  { place: "/pay/{slug}", named: /\/pay\/([2-9a-z]{14})\b/ },
  { place: "/pictures/{picture_id}", named: /\/pictures\/([\w-]{20,64})/ },
];

export interface KnownRecords {
  /** One of each, by a number. */
  chosen(pick: number): Records;
  takeUp(path: string, text: string): void;
  /** Makes some more, unless some are being made. */
  renew(pick: number): void;
  /** Places of which none was made again. */
  neverRenewed(): string[];
  settled(): Promise<void>;
}

export async function knowRecords(service: TestService, owner: Holder): Promise<KnownRecords> {
  const pools: Pools = {
    all: new Map([["/user/banks/{type}", ["local", "foreign"]]]),
    own: new Map(),
  };
  // An acquirer would not know of payments that nobody made there.
  const isOurs = service.ctx.config.liveGateway === "simulator";
  for (const environment of ["sandbox", isOurs ? "live" : "sandbox", "sandbox"] as const)
    keepAll(pools, await keepRecords(service, owner, environment));
  const never = new Set(pools.own.keys());
  let renewing: Promise<void> | undefined;
  return {
    chosen: (pick) => chosen(pools, pick),
    settled: async () => renewing,
    takeUp(path, text) {
      for (const { place, named, at = "/" } of MADE) {
        const id = path.startsWith(at) ? named.exec(text)?.[1] : undefined;
        if (id !== undefined) keep(pools, place, id);
      }
    },
    renew(pick) {
      renewing ??= renewRecords(service, owner, isOurs && pick % 2 === 1 ? "live" : "sandbox")
        .then((records) => {
          keepAll(pools, records);
          for (const place of Object.keys(records)) never.delete(place);
        })
        .catch(() => {})
        .finally(() => {
          renewing = undefined;
        });
    },
    neverRenewed: () => [...never],
  };
}

function keepAll(pools: Pools, records: Records): void {
  for (const [place, id] of Object.entries(records)) {
    keep(pools, place, id);
    pools.own.set(place, id);
  }
}

function keep({ all }: Pools, place: string, id: string): void {
  const pool = all.get(place) ?? [];
  all.set(place, pool);
  if (pool.includes(id)) return;
  // The oldest goes; the first three stay, because their parts belong together.
  if (pool.length >= KEPT_MAX) pool.splice(3, 1);
  pool.push(id);
}

function chosen({ all, own }: Pools, pick: number): Records {
  const entries = [...all].map(([place, ids]) => {
    const newest = pick % 2 === 1 ? (own.get(place) ?? ids.at(-1)) : undefined;
    return [place, newest ?? ids[Math.floor(pick / 2) % ids.length] ?? ""] as const;
  });
  // One place may begin as another does, and means fewer.
  return Object.fromEntries(entries.toSorted(([one], [two]) => two.length - one.length));
}
