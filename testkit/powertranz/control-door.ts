/**
 * The control door, which tests and people use beside the API: `POST /control` with any of the
 * properties of `ControlRequest`, `GET /control/calls`, `/control/transactions` and
 * `/control/settlement.csv`. It holds the truth; the API may lie about it.
 */

import { FAULT_KINDS, isFaultKind, type Page } from "./fault-kinds.ts";
import { ENDPOINTS, type Endpoint, type Fault, type Faults, type RandomFaults } from "./faults.ts";
import { parseJson } from "./fields.ts";
import type { Journal, Sale, Switches } from "./journal.ts";
import { settle, settlementReport } from "./settlement.ts";

export interface ControlRequest {
  /** Beside those that still wait. */
  readonly faults?: readonly Fault[];
  /** Those that wait, and those by chance. */
  readonly clearFaults?: true;
  readonly random?: RandomFaults | null;
  readonly advanceSeconds?: number;
  readonly switches?: Partial<Switches>;
  readonly settle?: true;
  readonly forgetCalls?: true;
  /** What a slow fault holds goes on. */
  readonly release?: true;
}

export interface ControlState {
  readonly now: string;
  readonly switches: Switches;
  readonly waitingFaults: readonly Fault[];
}

export interface RecordedCall {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** `elsewhere`: outside of the API, where a redirect leads. */
  readonly endpoint: Endpoint | "unknown" | "elsewhere";
  readonly transactionIdentifier: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly fault: string | undefined;
  /** Absent until there is one. */
  status?: number;
  /** The truth, whatever a fault made of it. */
  code?: string;
}

/** What truly happened to one sale. */
export interface TransactionTruth {
  readonly transactionIdentifier: string;
  readonly orderIdentifier: string;
  readonly externalIdentifier: string | undefined;
  readonly merchantId: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly card: string;
  readonly authentication: string;
  /** Absent while it is only prepared. */
  readonly code: string | undefined;
  readonly isApproved: boolean;
  readonly chargeCount: number;
  readonly isVoided: boolean;
  readonly isSettled: boolean;
  readonly refunds: readonly {
    readonly transactionIdentifier: string;
    readonly externalIdentifier: string | undefined;
    readonly amountMinor: number;
  }[];
}

export interface Controlled {
  readonly journal: Journal;
  /** Calls that a slow fault holds at this moment. */
  readonly holds: Set<AbortController>;
  readonly faults: Faults;
  readonly calls: RecordedCall[];
}

const PROPERTIES = [
  "faults",
  "clearFaults",
  "random",
  "advanceSeconds",
  "switches",
  "settle",
  "forgetCalls",
  "release",
];

export function answerControl(
  controlled: Controlled,
  { method, path, text }: { method: string; path: string; text: string },
): Page {
  const { journal, calls } = controlled;
  if (method === "GET" && path === "/control") return json(stateOf(controlled));
  if (method === "GET" && path === "/control/calls") return json(calls);
  if (method === "GET" && path === "/control/transactions")
    return json([...journal.sales.values()].map(truthOf));
  if (method === "GET" && path === "/control/settlement.csv")
    return {
      status: 200,
      headers: { "content-type": "text/csv; charset=utf-8" },
      body: settlementReport(journal),
    };
  if (method !== "POST" || path !== "/control") return json({ message: "No such door." }, 404);
  const request = parseJson(text);
  const mistake = mistakeIn(request, journal);
  if (mistake !== undefined) return json({ message: mistake }, 400);
  apply(controlled, request as ControlRequest);
  return json(stateOf(controlled));
}

function apply({ journal, faults, calls, holds }: Controlled, request: ControlRequest): void {
  if (request.clearFaults) faults.clear();
  if (request.faults !== undefined) faults.add(request.faults);
  if (request.random !== undefined) faults.setRandom(request.random);
  if (request.switches !== undefined) Object.assign(journal.switches, request.switches);
  if (request.advanceSeconds !== undefined) journal.advance(request.advanceSeconds);
  if (request.settle) settle(journal);
  if (request.forgetCalls) calls.length = 0;
  if (request.release) for (const hold of holds) hold.abort();
}

/** A sentence for a person at a terminal: a misspelt fault would otherwise do nothing. */
function mistakeIn(request: unknown, { switches }: Journal): string | undefined {
  if (typeof request !== "object" || request === null) return "Send a JSON object.";
  const { faults = [], random, switches: set = {} } = request as ControlRequest;
  const unknown = Object.keys(request).find((name) => !PROPERTIES.includes(name));
  if (unknown !== undefined) return `There is no "${unknown}"; there are ${PROPERTIES.join(", ")}.`;
  const kinds = [...faults.map(({ kind }) => kind), ...(random?.kinds ?? [])];
  const kind = kinds.find((one) => !isFaultKind(one));
  if (kind !== undefined)
    return `There is no fault "${kind}"; there are ${FAULT_KINDS.join(", ")}.`;
  const named = [...faults.map(({ endpoint }) => endpoint), ...(random?.endpoints ?? [])];
  const endpoint = named.find((one) => one !== undefined && !ENDPOINTS.includes(one));
  if (endpoint !== undefined)
    return `There is no endpoint "${endpoint}"; there are ${ENDPOINTS.join(", ")}.`;
  const name = Object.keys(set).find((one) => !Object.hasOwn(switches, one));
  if (name !== undefined)
    return `There is no switch "${name}"; there are ${Object.keys(switches).join(", ")}.`;
  return undefined;
}

function stateOf({ journal, faults }: Controlled): ControlState {
  return {
    now: new Date(journal.now()).toISOString(),
    switches: journal.switches,
    waitingFaults: faults.waiting,
  };
}

function truthOf(sale: Sale): TransactionTruth {
  return {
    transactionIdentifier: sale.identifier,
    orderIdentifier: sale.orderIdentifier,
    externalIdentifier: sale.externalIdentifier,
    merchantId: sale.merchantId,
    amountMinor: sale.amountMinor,
    currencyCode: sale.currencyCode,
    card: sale.card.masked,
    authentication:
      sale.authentication.stage === "ended"
        ? sale.authentication.status
        : sale.authentication.stage,
    code: sale.decision?.code,
    isApproved: sale.decision?.isApproved ?? false,
    chargeCount: sale.chargeCount,
    isVoided: sale.voided !== undefined,
    isSettled: sale.settledAt !== undefined,
    refunds: sale.refunds.map((one) => ({
      transactionIdentifier: one.identifier,
      externalIdentifier: one.externalIdentifier,
      amountMinor: one.amountMinor,
    })),
  };
}

function json(value: unknown, status = 200): Page {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  };
}
