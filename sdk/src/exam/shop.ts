/**
 * The shop under examination, from outside: what it is sent, what it answers and how fast, and what
 * it reports about an order where it has a report.
 */

import { firstLine, readText } from "../tool/read-text.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { Pair } from "../verify/form-text.ts";
import { addressWith } from "./result.ts";
import type { Delivery } from "./webhook.ts";

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  readonly ms: number;
  /** Why there is none. */
  readonly trouble?: "too late" | "no connection";
  /** The first line of an answer that is no success; none of a page. */
  readonly words?: string;
}

const STATES = ["unpaid", "paid", "refunded", "disputed"] as const;

export interface OrderReport {
  readonly state: (typeof STATES)[number];
  readonly shipped: number;
}

export interface ShopAddresses {
  readonly responseUrl: string;
  readonly webhookUrl: string;
  readonly reportUrl?: string | undefined;
}

export interface Shop {
  readonly hasReport: boolean;
  /** Throws when nothing listens at one of the addresses. */
  expectOpen(): Promise<void>;
  /** As a browser comes: the shop's own answer counts, wherever it leads. */
  sendResult(pairs: readonly Pair[]): Promise<Answer>;
  deliver(delivery: Delivery, patienceMs: number): Promise<Answer>;
  /** Undefined when the shop has no report. */
  report(orderId: string): Promise<OrderReport | undefined>;
}

const PAGE_MS_MAX = 15_000;
const REPORT_MS_MAX = 15_000;
const REPORT_BYTES_MAX = 64 * 1024;

export function openShop({ responseUrl, webhookUrl, reportUrl }: ShopAddresses): Shop {
  return {
    hasReport: reportUrl !== undefined,
    async expectOpen() {
      for (const url of [responseUrl, webhookUrl]) {
        const { origin } = new URL(url);
        const { trouble } = await send(origin, { method: "HEAD" }, PAGE_MS_MAX);
        if (trouble !== undefined)
          throw new ToolError(
            `${origin} does not answer.`,
            "Start your shop, or correct the address.",
          );
      }
    },
    sendResult: (pairs) =>
      send(addressWith(responseUrl, pairs), { headers: { accept: "text/html" } }, PAGE_MS_MAX),
    deliver: (delivery, patienceMs) =>
      send(webhookUrl, { method: "POST", ...delivery }, patienceMs),
    async report(orderId) {
      if (reportUrl === undefined) return undefined;
      return readReport(reportUrl, orderId);
    },
  };
}

async function send(url: string, init: RequestInit, patienceMs: number): Promise<Answer> {
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { redirect: "manual", signal, ...init });
    const answer = { status: response.status, ms: elapsed() };
    const line = response.status >= 400 ? await firstLine(response) : "";
    await response.body?.cancel().catch(() => {});
    return line === "" || line.startsWith("<") ? answer : { ...answer, words: line };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { status: 0, ms: elapsed(), trouble: isLate ? "too late" : "no connection" };
  }
}

async function readReport(reportUrl: string, orderId: string): Promise<OrderReport> {
  const url = new URL(reportUrl);
  url.searchParams.set("order_id", orderId);
  const next =
    `GET ${url.href} has to answer with {"state": "unpaid", "shipped": 0}; ` +
    `state is one of ${STATES.join(", ")}.`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(REPORT_MS_MAX) });
  } catch {
    throw new ToolError("The shop's report does not answer.", next);
  }
  if (!answer.ok)
    throw new ToolError(`The shop's report of order ${orderId} answered ${answer.status}.`, next);
  const report = await readJson(answer);
  const state = STATES.find((each) => each === report?.state);
  const shipped = Number(report?.shipped);
  if (state === undefined || !Number.isInteger(shipped) || shipped < 0)
    throw new ToolError(`The shop's report of order ${orderId} is not readable.`, next);
  return { state, shipped };
}

/** Undefined for what is no JSON, or too long to be an order. */
async function readJson(answer: Response): Promise<Partial<OrderReport> | undefined> {
  try {
    return JSON.parse(await readText(answer, REPORT_BYTES_MAX));
  } catch {
    return undefined;
  }
}
