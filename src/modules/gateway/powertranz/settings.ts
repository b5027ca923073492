/** How this service is known to PowerTranz, and what was agreed with it. */

import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Currency } from "../../../kit/money.ts";
import type { CardCheckWay } from "./sale-body.ts";

export interface Credentials {
  readonly id: string;
  readonly password: string;
}

export interface PowertranzSettings {
  /** The root of its API, with a slash at the end. */
  readonly url: string;
  readonly gatewayKey: string | undefined;
  readonly credentials: Credentials;
  /** Where a currency has an id of its own. */
  readonly credentialsByCurrency: Readonly<Partial<Record<Currency, Credentials>>>;
  readonly currencies: readonly Currency[];
  readonly brands: readonly CardNetwork[];
  /** Whether transactions can be looked up; otherwise a lost answer stays unknown. */
  readonly hasLookup: boolean;
  /** After a sale, until when a void is tried before a refund. */
  readonly voidWindowMinutes: number;
  readonly cardCheck: CardCheckWay;
  /** Whether a card is charged whose bank could not or would not authenticate the customer. */
  readonly takesUnauthenticated: boolean;
  /** Beside the gateway's own: where the frame of a challenge may lead. */
  readonly challengeOrigins: readonly string[];
}

export function credentialsFor(
  { credentials, credentialsByCurrency }: PowertranzSettings,
  currency: Currency,
): Credentials {
  return credentialsByCurrency[currency] ?? credentials;
}

/** Those that a sale was made with; an id that is gone from the settings is an operator's case. */
export function credentialsOf(settings: PowertranzSettings, id: string): Credentials {
  const { credentials, credentialsByCurrency } = settings;
  const found = [credentials, ...Object.values(credentialsByCurrency)].find(
    (one) => one.id === id,
  );
  if (found === undefined) throw new Error(`the settings have no PowerTranz id ${id}`);
  return found;
}
