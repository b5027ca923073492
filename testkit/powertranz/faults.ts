/**
 * Which fault a call gets: one that was ordered for its identifier or its endpoint, else one by
 * chance, else the one its cents stand for. Chance follows from a seed.
 */

import { randomNumbers } from "../random-numbers.ts";
import { faultByCents } from "./cents.ts";
import type { FaultKind } from "./fault-kinds.ts";

/** The calls that can be named; `lookup` is all three of `Transactions/…`. */
export const ENDPOINTS = [
  "alive",
  "spi/sale",
  "spi/payment",
  "sale",
  "void",
  "refund",
  "lookup",
  "spi/conductor",
  "bank",
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Absent: any. */
  readonly endpoint?: Endpoint;
  /** That of the sale; absent: any. */
  readonly transactionIdentifier?: string;
  /** How many calls get it, once when absent. */
  readonly times?: number | "always";
  /** Of slow kinds, and of Retry-After. */
  readonly seconds?: number;
}

export interface RandomFaults {
  /** From 0 to 1. */
  readonly rate: number;
  readonly kinds: readonly FaultKind[];
  readonly seed: number;
  /** Absent: all financial calls and lookups. */
  readonly endpoints?: readonly Endpoint[];
  readonly seconds?: number;
}

interface Call {
  readonly endpoint: Endpoint;
  /** In small letters. */
  readonly transactionIdentifier: string | undefined;
  /** Of charge, void or refund, when cents may decide. */
  readonly amountMinor: number | undefined;
}

export interface ChosenFault {
  readonly kind: FaultKind;
  readonly seconds?: number;
}

export interface Faults {
  add(faults: readonly Fault[]): void;
  clear(): void;
  setRandom(random: RandomFaults | null): void;
  /** Takes one from those ordered. */
  choose(call: Call): ChosenFault | undefined;
  readonly waiting: readonly Fault[];
}

const FINANCIAL: readonly Endpoint[] = [
  "spi/sale",
  "spi/payment",
  "sale",
  "void",
  "refund",
  "lookup",
];

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  let random: { readonly faults: RandomFaults; readonly next: () => number } | undefined;
  const takeOrdered = (call: Call) => {
    const fault = waiting.find((one) => isFor(one, call));
    if (fault === undefined || fault.times === "always") return fault;
    const left = (fault.times ?? 1) - 1;
    waiting = waiting.flatMap((one) =>
      one !== fault ? [one] : left > 0 ? [{ ...fault, times: left }] : [],
    );
    return fault;
  };
  const drawRandom = ({ endpoint }: Call): ChosenFault | undefined => {
    if (random === undefined) return undefined;
    const { faults, next } = random;
    if (!(faults.endpoints ?? FINANCIAL).includes(endpoint) || next() >= faults.rate)
      return undefined;
    const kind = faults.kinds[Math.floor(next() * faults.kinds.length)];
    if (kind === undefined) return undefined;
    return { kind, ...(faults.seconds === undefined ? {} : { seconds: faults.seconds }) };
  };
  return {
    get waiting() {
      return waiting;
    },
    add(faults) {
      waiting = [...waiting, ...faults];
    },
    clear() {
      waiting = [];
      random = undefined;
    },
    setRandom(faults) {
      random = faults === null ? undefined : { faults, next: randomNumbers(faults.seed) };
    },
    choose(call) {
      const byCents = call.amountMinor === undefined ? undefined : faultByCents(call.amountMinor);
      return takeOrdered(call) ?? drawRandom(call) ?? byCents;
    },
  };
}

function isFor(fault: Fault, call: Call): boolean {
  const wanted = fault.transactionIdentifier?.toLowerCase();
  const isEndpoint = fault.endpoint === undefined || fault.endpoint === call.endpoint;
  return isEndpoint && (wanted === undefined || wanted === call.transactionIdentifier);
}
