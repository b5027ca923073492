/**
 * What the test does with the functions that a guide has the reader write: shows them a result that
 * was changed in transit, and deliveries, a good one and a changed one.
 */

import type { Language } from "./snippets.ts";

export interface Facts {
  /** Where the browser was sent with the result. */
  address: string;
  /** The same with another total. */
  changed: string;
  /** The same of another payment, for less, under the same order: as good as ours, and signed. */
  other: string;
  /** A delivery as it arrived. */
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** `piece` is the one of the guide that checks a result. */
type Probe = (facts: Facts, piece: string) => string;

const inPhp = (text: string) => `base64_decode('${Buffer.from(text).toString("base64")}')`;
const inPython = (text: string) =>
  `base64.b64decode("${Buffer.from(text).toString("base64")}").decode()`;

/** Prints `refused` for each: the changed one, the other one, a signature that is no ASCII. */
export const CHANGED_RESULT: Readonly<Record<Exclude<Language, "sh">, Probe>> = {
  ts: (_facts, piece) => `
for (const given of [guide.facts.changed, guide.facts.other, guide.facts.other + "%C3%A9"])
  try {
    ${piece.replace("guide.facts.address", "given")}
    console.log("taken");
  } catch {
    console.log("refused");
  }`,
  php: ({ changed, other }) => `
foreach ([${inPhp(changed)}, ${inPhp(other)}, ${inPhp(`${other}%C3%A9`)}] as $each) {
    $said = verified($each, 'sandbox-signing-secret', $asked['transaction_id']);
    echo $said === null ? 'refused' : 'taken', ' ';
}`,
  python: ({ changed, other }) => `
for each in [${inPython(changed)}, ${inPython(other)}, ${inPython(`${other}%C3%A9`)}]:
    said = verified(each, "sandbox-signing-secret", asked["transaction_id"])
    print("taken" if said else "refused")`,
};

/** Prints the name of the event, and then `refused` for a body with one more space. */
export const DELIVERIES: Readonly<Record<Exclude<Language, "sh">, Probe>> = {
  ts: () => `
console.log((await onDelivery(guide.facts.body, guide.facts.headers)).event);
await onDelivery(guide.facts.body + " ", guide.facts.headers).then(
  () => console.log("taken"),
  () => console.log("refused"),
);`,
  php: ({ body, headers }) => `
$headers = json_decode(${inPhp(JSON.stringify(headers))}, true);
echo onDelivery(${inPhp(body)}, $headers, $secret)['event'], ' ';
echo onDelivery(${inPhp(`${body} `)}, $headers, $secret) === null ? 'refused' : 'taken';`,
  python: ({ body, headers }) => `
headers = json.loads(${inPython(JSON.stringify(headers))})
print(on_delivery(${inPython(body)}.encode(), headers, secret)["event"])
print("taken" if on_delivery(${inPython(`${body} `)}.encode(), headers, secret) else "refused")`,
};
