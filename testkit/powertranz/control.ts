/** The control door's client, typed: the same for a fake in this process and in another. */

import type {
  ControlRequest,
  ControlState,
  RecordedCall,
  TransactionTruth,
} from "./control-door.ts";
import type { Endpoint, Fault } from "./faults.ts";
import type { Switches } from "./journal.ts";

export interface Control {
  /** Anything that the door takes. */
  send(request: ControlRequest): Promise<ControlState>;
  fault(...faults: readonly Fault[]): Promise<ControlState>;
  set(switches: Partial<Switches>): Promise<ControlState>;
  /** Moves its clock. */
  advance(seconds: number): Promise<ControlState>;
  settle(): Promise<ControlState>;
  /** All, or those of one endpoint, in the order they came. */
  calls(endpoint?: Endpoint | "elsewhere"): Promise<readonly RecordedCall[]>;
  transactions(): Promise<readonly TransactionTruth[]>;
  /** What truly happened to one; throws for an unknown one. */
  transaction(identifier: string): Promise<TransactionTruth>;
  settlementReport(): Promise<string>;
}

export function createControl(controlUrl: string): Control {
  const get = async (path: string) => {
    const response = await fetch(controlUrl + path);
    if (!response.ok) throw new Error(`the fake's control door: ${await response.text()}`);
    return response;
  };
  const send = async (request: ControlRequest): Promise<ControlState> => {
    const body = JSON.stringify(request);
    const headers = { "content-type": "application/json" };
    const response = await fetch(controlUrl, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`the fake's control door: ${await response.text()}`);
    return (await response.json()) as ControlState;
  };
  const transactions = async () =>
    (await (await get("/transactions")).json()) as readonly TransactionTruth[];
  return {
    send,
    fault: (...faults) => send({ faults }),
    set: (switches) => send({ switches }),
    advance: (advanceSeconds) => send({ advanceSeconds }),
    settle: () => send({ settle: true }),
    async calls(endpoint) {
      const calls = (await (await get("/calls")).json()) as readonly RecordedCall[];
      return calls.filter((call) => endpoint === undefined || call.endpoint === endpoint);
    },
    transactions,
    async transaction(identifier) {
      const id = identifier.toLowerCase();
      const found = (await transactions()).find(
        (one) => one.transactionIdentifier.toLowerCase() === id,
      );
      if (found === undefined) throw new Error(`the fake has no sale ${identifier}`);
      return found;
    },
    settlementReport: async () => (await get("/settlement.csv")).text(),
  };
}
