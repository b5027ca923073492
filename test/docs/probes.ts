/**
 * What the test does with the functions that a guide has the reader write: shows them a result that
 * was changed on its way, and deliveries, a good one and a changed one.
 */

import type { Language } from "./snippets.ts";

export interface Facts {
  /** Where the browser was sent with the result. */
  address: string;
  /** The same with another total. */
  changed: string;
  /** A delivery as it arrived. */
  body: string;
  headers: Readonly<Record<string, string>>;
}

type Probe = (facts: Facts) => string;

const inPhp = (text: string) => `base64_decode('${Buffer.from(text).toString("base64")}')`;
const inPython = (text: string) =>
  `base64.b64decode("${Buffer.from(text).toString("base64")}").decode()`;

/** Prints `refused`. */
export const CHANGED_RESULT: Readonly<Record<Exclude<Language, "sh">, Probe>> = {
  ts: () => `
await verifyRedirect(guide.facts.changed, { signingSecret: "sandbox-signing-secret" }).then(
  () => console.log("taken"),
  () => console.log("refused"),
);`,
  php: ({ changed }) =>
    `echo verified(${inPhp(changed)}, 'sandbox-signing-secret') === null ? 'refused' : 'taken';`,
  python: ({ changed }) =>
    `print("taken" if verified(${inPython(changed)}, "sandbox-signing-secret") else "refused")`,
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
