/** What the recipes of `trigger` share. */

import type { Api, Json } from "../api.ts";
import { ToolError } from "../tool-error.ts";

export interface TriggerContext {
  readonly url: string;
  readonly api: Api;
  /** With the owner's sign-in, for what takes no API key. */
  ownerApi(): Promise<Api>;
  readonly account: { readonly number: string; readonly country: string };
  /** Progress. */
  note(line: string): void;
}

/**
 * How an event is brought about. `make` makes the object in the state before it; `force` does it to
 * an object. Both answer with the id that the event carries.
 */
export interface Recipe {
  readonly make: (ctx: TriggerContext) => Promise<string>;
  /** Absent: the event is the object's beginning, or needs the page it was made with. */
  readonly force?: (ctx: TriggerContext, id: string) => Promise<unknown>;
  /** What is left to tidy up. */
  readonly after?: (ctx: TriggerContext, id: string) => Promise<unknown>;
}

/** The platform's own currency, and an amount above its least. */
export async function amountOf(
  { api }: TriggerContext,
  wanted: number,
): Promise<{ currency: string; amount: string }> {
  const { data } = await api.call("GET", "/withdrawals/meta");
  const [[currency, minimum] = ["TTD", "1.00"]] = Object.entries(data.minimums as Json);
  return { currency, amount: Math.max(wanted, Math.ceil(Number(minimum))).toFixed(2) };
}

/** Development stage only. */
export async function moveClock({ api }: TriggerContext, seconds: number): Promise<void> {
  await api.call("POST", "/sandbox/clock", { body: { advance: seconds } }).catch((error) => {
    if (error.status !== 404) throw error;
    throw new ToolError(
      "This event takes a day, and the service's clock cannot be moved.",
      "Only a service in the development stage has a clock to move: run npm start on your machine.",
    );
  });
}
