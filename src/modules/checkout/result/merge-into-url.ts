/**
 * Sets our parameters into the merchant's response_url (Interface §2.5, Decision 0039).
 *
 * Whatever a result can be called stands there once and is ours. A caller can plant
 * `status=success` in the address it names, and merchants' parsers differ in which of two they
 * believe; so planted names are taken out in every spelling that some parser takes for ours, even
 * those that this result does not use. All else stays as it was written, byte for byte, which is
 * why URLSearchParams, which would write it anew, is not asked.
 */

export type Parameter = [name: string, value: string];

/** Every name that a result may have, of a payment or of a card. */
const RESERVED = new Set([
  "status",
  "transaction_id",
  "message",
  "reasondescription",
  "order_id",
  "total",
  "currency",
  "date",
  "card",
  "data",
  "hash",
  "signature",
  "uuid",
]);

/** Ours come last of the query, before the fragment. */
export function mergeIntoUrl(responseUrl: string, parameters: readonly Parameter[]): string {
  const url = new URL(responseUrl);
  const theirs = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !isOurs(pair))
    .map(heldTogether);
  const ours = new URLSearchParams(parameters).toString();
  return `${url.origin}${url.pathname}?${[...theirs, ours].join("&")}${url.hash}`;
}

function isOurs(pair: string): boolean {
  return RESERVED.has(plainName(pair));
}

/** Some parsers part pairs at `;` as well; beside a name of ours it is encoded, so none does. */
function heldTogether(pair: string): string {
  return pair.split(";").reduce((before, piece) => {
    const isParting = isOurs(piece) || isOurs(before);
    return `${before}${isParting ? "%3B" : ";"}${piece}`;
  });
}

/**
 * As the most generous parser reads it: PHP takes `order.id` for `order_id` and `status[]` for
 * `status`, and ends a name at NUL; ASP.NET takes no notice of case.
 */
function plainName(pair: string): string {
  const name = pair.split("=", 1)[0] ?? "";
  return (decoded(name).split("\0", 1)[0] ?? "")
    .trimStart()
    .toLowerCase()
    .replace(/(?<=.)\[.*\].*$/s, "")
    .replace(/[ .[]/g, "_");
}

/** Byte by byte, so that one that is no UTF-8 hides nothing: our names are ASCII. */
function decoded(text: string): string {
  return text
    .replaceAll("+", " ")
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
