/** What an answer of PowerTranz, or its absence, means to an operator who is setting it up. */

import { type Answer, describeCodes } from "./answer.ts";
import { isDecline, leavesUnknown, NOT_ENROLLED, PREPARED } from "./codes.ts";
import { GatewayProblem } from "./problem.ts";

export interface Finding {
  /** Unclear: it may be wrong, and only the acquirer can say. */
  readonly result: "good" | "unclear" | "wrong";
  /** It answered, whatever it said. */
  readonly isReached: boolean;
  readonly words: string;
}

const ERRORS: ReadonlyMap<string, string> = new Map([
  ["310", "the merchant id is wrong: POWERTRANZ_ID, or that of the currency"],
  ["311", "the password is wrong: POWERTRANZ_PASSWORD, or that of the currency"],
  ["312", "the gateway key is wrong: POWERTRANZ_GATEWAY_KEY must be the one they gave, or empty"],
  ["315", "the currency is not enabled: ask PowerTranz, or leave it out of POWERTRANZ_CURRENCIES"],
  ["316", "the card brand is not enabled: ask PowerTranz, or leave it out of POWERTRANZ_BRANDS"],
]);

const CODES: ReadonlyMap<string, string> = new Map([
  ["03", "the merchant id is wrong or not active"],
  ["3", "the merchant id is wrong or not active"],
  ["89", "the id, the password or the gateway key is wrong"],
  ["57", "this kind of sale is not enabled: ask PowerTranz"],
  ["58", "this kind of sale is not enabled: ask PowerTranz"],
  ["97", "it calls our request malformed"],
]);

export function describeAnswer(answer: Answer): Finding {
  const { code, errors } = answer;
  const wrong = (words: string): Finding => ({
    result: "wrong",
    isReached: true,
    words: `${words} (${describeCodes(answer)})`,
  });
  if (code === PREPARED) return { result: "good", isReached: true, words: "it would take a sale" };
  const known = errors.flatMap((error) => ERRORS.get(error) ?? [])[0] ?? CODES.get(code);
  if (known !== undefined) return wrong(known);
  if (leavesUnknown(code, errors)) return wrong("it has trouble of its own: try again later");
  // It went as far as the card, which is a test card.
  if (code === NOT_ENROLLED || isDecline(code))
    return { result: "good", isReached: true, words: "it answers about the card" };
  return wrong("it answers what we do not know");
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [401, "it refuses the id, the password or the gateway key"],
  [403, "the proxy in front of PowerTranz blocks this machine: ask them to allow its address"],
  [404, "there is no API at POWERTRANZ_URL"],
  [429, "the proxy in front of PowerTranz limits this machine: try again later"],
]);

const CONNECTIONS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the host name of POWERTRANZ_URL is not found"],
  [/^ECONNREFUSED$/, "nothing listens there, or a firewall refuses"],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    "a firewall may be in the way",
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "its certificate is out of date: is the clock right?"],
  [/ALTNAME/, "its certificate is for another host name"],
  [/(SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED)/, "its certificate is not trusted: who is in between?"],
  [/^(EPROTO|ERR_SSL)/, "it does not speak TLS as we do"],
];

/** Our own errors are thrown on. */
export function describeProblem(problem: unknown): Finding {
  if (!(problem instanceof GatewayProblem)) throw problem;
  const { reason, status, code = "", message } = problem;
  const hint =
    status === undefined
      ? CONNECTIONS.find(([pattern]) => pattern.test(code))?.[1]
      : (STATUSES.get(status) ?? statusHint(status));
  const words = hint === undefined ? message : `${hint} (${message})`;
  return { result: "wrong", isReached: reason === "not_an_answer" && status !== 403, words };
}

function statusHint(status: number): string | undefined {
  if (status >= 300 && status < 400) return "POWERTRANZ_URL leads elsewhere";
  return status >= 500 ? "PowerTranz or the proxy in front of it is in trouble" : undefined;
}
