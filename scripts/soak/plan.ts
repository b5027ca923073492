/**
 * Which faults come when: a pure function of the seed, so that a run that failed can be run again
 * (Decision 0055). How quickly the machine carries it out is the machine's own.
 *
 * Faults overlap, as they do on a bad night, and every fault ends by itself.
 */

import { type Chance, chanceOf } from "./random.ts";

export type FaultKind = keyof typeof FAULTS;

export interface Fault {
  /** Since the faults began. */
  readonly atMs: number;
  readonly kind: FaultKind;
  /** From 0 up to 1: which of those that it may hit. */
  readonly which: number;
  /** How long it goes on; 0 for what happens in one moment. */
  readonly lastsMs: number;
  /** Seconds by which the clock is set, for a clock step. */
  readonly seconds: number;
}

interface FaultFacts {
  readonly weight: number;
  readonly lastsMs?: readonly [number, number];
}

/** How likely each is, and how long it lasts. */
const FAULTS = {
  "kill web": { weight: 30 },
  "kill worker": { weight: 14 },
  "kill backend": { weight: 7 },
  "kill postgres": { weight: 6 },
  "pause web": { weight: 5, lastsMs: [500, 6_000] },
  "pause worker": { weight: 5, lastsMs: [500, 14_000] },
  "pause backend": { weight: 3, lastsMs: [300, 3_000] },
  "cut database": { weight: 5 },
  "reset database": { weight: 3 },
  "delay database": { weight: 3, lastsMs: [500, 3_000] },
  "half-open database": { weight: 3, lastsMs: [500, 4_000] },
  "cut clients": { weight: 5 },
  "reset clients": { weight: 4 },
  "delay clients": { weight: 3, lastsMs: [500, 3_000] },
  "half-open clients": { weight: 3, lastsMs: [500, 4_000] },
  "full disk": { weight: 3, lastsMs: [300, 2_000] },
  "clock step": { weight: 4 },
} satisfies Record<string, FaultFacts>;

const GAP_MS = { min: 500, max: 5_000 };
/** Forward more than back, as clocks are set. */
const STEP_SECONDS = { min: -90, max: 240 };
/** Each kind comes once before chance alone decides: a short run has met them all. */
const FIRST_ROUND_GAP_MS = { min: 700, max: 1_500 };

export function isKill(kind: FaultKind): boolean {
  return kind.startsWith("kill ");
}

/** Without end: the run takes as many as fit into its time. */
export function* planFaults(seed: number): Generator<Fault, never> {
  const chance = chanceOf(seed, "faults");
  let atMs = 0;
  let shift = 0;
  const next = (kind: FaultKind): Fault => {
    const fault = oneOf(chance, kind, atMs);
    if (kind !== "clock step") return fault;
    // Never behind the beginning: sign-ins that are to last would be of the future.
    const seconds = shift + fault.seconds < 0 ? -fault.seconds : fault.seconds;
    shift += seconds;
    return { ...fault, seconds };
  };
  for (const kind of shuffled(chance, Object.keys(FAULTS) as FaultKind[])) {
    atMs += chance.between(FIRST_ROUND_GAP_MS.min, FIRST_ROUND_GAP_MS.max);
    yield next(kind);
  }
  const weights = Object.fromEntries(
    Object.entries(FAULTS).map(([kind, { weight }]) => [kind, weight]),
  ) as Record<FaultKind, number>;
  for (;;) {
    atMs += chance.between(GAP_MS.min, GAP_MS.max);
    yield next(chance.weigh(weights));
  }
}

function oneOf(chance: Chance, kind: FaultKind, atMs: number): Fault {
  const { lastsMs: [min, max] = [0, 1] }: FaultFacts = FAULTS[kind];
  return {
    atMs,
    kind,
    which: chance.part(),
    lastsMs: chance.between(min, max),
    seconds: chance.between(STEP_SECONDS.min, STEP_SECONDS.max),
  };
}

function shuffled<T>(chance: Chance, all: readonly T[]): T[] {
  const left = [...all];
  return all.map(() => left.splice(chance.between(0, left.length), 1)[0] as T);
}

export function describeFault({ atMs, kind, which, lastsMs, seconds }: Fault): string {
  const when = `${(atMs / 1_000).toFixed(1).padStart(6)} s`;
  const more = lastsMs > 0 ? ` for ${(lastsMs / 1_000).toFixed(1)} s` : "";
  const step = kind === "clock step" ? ` by ${seconds} s` : "";
  return `${when}  ${kind} (${which.toFixed(2)})${more}${step}`;
}
