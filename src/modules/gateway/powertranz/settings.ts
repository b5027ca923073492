/** How this service is known to PowerTranz: which credentials go with which order. */

import type { Config } from "../../../infra/config.ts";
import type { Currency } from "../../../kit/money.ts";

export type PowertranzSettings = NonNullable<Config["powertranz"]>;
export type Credentials = PowertranzSettings["credentials"];

export function credentialsFor(
  { credentials, credentialsByCurrency }: PowertranzSettings,
  currency: Currency,
): Credentials {
  return credentialsByCurrency[currency] ?? credentials;
}

/** Those that a sale was made with; an id that is gone from the settings is an operator's case. */
export function credentialsOf(settings: PowertranzSettings, id: string): Credentials {
  const { credentials, credentialsByCurrency } = settings;
  const all = [credentials, ...Object.values(credentialsByCurrency)];
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`the settings have no PowerTranz id ${id}`);
  return found;
}
