/** Made-up data for the gallery: fixed, so that pictures of it differ only when a part does. */

import { type Money, money } from "../../kit/money.ts";
import type { Tone } from "../../parts/badge.ts";
import type { ChartPoint } from "../../parts/chart-frame.ts";
import { timeText } from "../../parts/time.ts";

export const ZONE = "America/Port_of_Spain";
export const NOW = new Date("2026-11-20T14:05:09Z");
const DAY_MS = 86_400_000;

export interface SamplePayment {
  readonly order: string;
  readonly reference: string;
  readonly email: string;
  readonly card: string;
  readonly amount: Money;
  readonly status: keyof typeof STATUSES;
  readonly at: Date;
}

export const STATUSES = {
  paid: { tone: "good", text: "Paid" },
  refunded: { tone: "plain", text: "Refunded" },
  declined: { tone: "bad", text: "Declined" },
  disputed: { tone: "warn", text: "Disputed" },
  pending: { tone: "progress", text: "Pending" },
} as const satisfies Readonly<Record<string, { tone: Tone; text: string }>>;

const ORDERS: readonly [string, string, bigint, SamplePayment["status"]][] = [
  ["order-1042", "maya.joseph@example.com", 10_520n, "paid"],
  ["order-1041", "d.ramlogan@example.com", 124_000n, "pending"],
  ["order-1040", "sarah.williams@example.com", 8_999n, "declined"],
  ["order-1039", "kofi@example.com", 2_450_000n, "paid"],
  ["order-1038-a-long-name-that-some-shop-chose", "a@example.com", 45_000n, "refunded"],
  ["order-1037", "the.library.of.san.fernando@example.com", 310_075n, "disputed"],
  ["order-1036", "nadia@example.com", 74n, "paid"],
];

export const PAYMENTS: readonly SamplePayment[] = ORDERS.map(
  ([order, email, minor, status], index) => ({
    order,
    reference: `SB-TT-01JCZ8Q7W3K5V9H2M4N6P8R0S${index}`,
    email,
    card: `Visa ${1111 + index * 1111}`,
    amount: money("TTD", minor),
    status,
    at: new Date(NOW.getTime() - index * 5_400_000),
  }),
);

/** Days up to now, with values that look like a shop's. */
export function sampleDays(
  count: number,
  measure: (index: number) => number | undefined,
): ChartPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(NOW.getTime() - (count - 1 - index) * DAY_MS);
    return { label: timeText(at, ZONE, "day"), value: measure(index) };
  });
}

/** In minor units. */
export function volumeOf(index: number): number {
  const week = [0.55, 0.6, 0.7, 0.8, 1, 0.9, 0.3][index % 7] ?? 1;
  return Math.round((150_000 + ((index * 7919) % 83) * 900) * week);
}

export function rateOf(index: number): number | undefined {
  return index % 31 === 6 ? undefined : 0.93 + Math.sin(index / 5) / 40 + ((index * 31) % 17) / 900;
}

export const REASONS: readonly ChartPoint[] = [
  { label: "Insufficient funds", value: 42 },
  { label: "The bank declined without a reason", value: 23 },
  { label: "Wrong security code", value: 11 },
  { label: "Expired card", value: 4 },
  { label: "Authentication with the bank failed", value: 1 },
];
