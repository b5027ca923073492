/**
 * An address as it was typed, of the service or of a shop. One with a user name or a password is
 * refused, because `fetch` takes none, and is not printed.
 */

import { WrongUsage } from "./tool-error.ts";

/** What stands before an `@`, with or without a scheme in front of it. */
const CREDENTIALS = /^([a-z][a-z\d+.-]*:)?[/\\]*[^/\\?#]*@/i;

export function readAddress(
  typed: string,
  /** Of the option, and what it should look like. */
  { name, example }: { readonly name: string; readonly example: string },
): URL {
  const next = `Write it like ${example}.`;
  const address = URL.canParse(typed) ? new URL(typed) : undefined;
  if (CREDENTIALS.test(typed.trim()) || address?.username || address?.password)
    throw new WrongUsage(`${name} takes no user name and no password.`, next);
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address;
  throw new WrongUsage(`${name} is not an address: ${typed}`, next);
}
