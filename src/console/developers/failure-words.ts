/**
 * Why a delivery did not arrive, in words, and what its receiver has to mend. The words of failures
 * are those that attempts are kept with (`infra/outbound/outbound-failure.ts`).
 */

import type { FailureWord } from "../../infra/outbound/outbound-failure.ts";

export interface AttemptOutcome {
  readonly duration_ms: number | null;
  readonly response_status: number | null;
  readonly failure: string | null;
}

export interface Reason {
  readonly what: string;
  readonly todo: string;
}

const FIREWALL =
  "Check that the server runs, listens on this port, and that no firewall blocks it.";
const CERTIFICATE =
  "Check the certificate: it must be valid today, made for this name, and sent with its " +
  "intermediate certificates.";

const FAILURES: Readonly<Record<FailureWord, Reason>> = {
  bad_url: {
    what: "Events may not be sent to this address any more.",
    todo: "Give the endpoint a public https address.",
  },
  address_refused: {
    what: "The name leads to an address that is not public.",
    todo: "Point the name to a public address, or use a tunnel while you develop.",
  },
  dns_failed: {
    what: "The name of the server is not known.",
    todo: "Check the spelling of the address, and the DNS records of the name.",
  },
  dns_timeout: {
    what: "The name servers of the domain did not answer.",
    todo: "Check that the domain's name servers are reachable.",
  },
  connect_failed: { what: "The connection failed.", todo: FIREWALL },
  connect_timeout: { what: "The server did not accept the connection in time.", todo: FIREWALL },
  tls_failed: { what: "The certificate or the encryption was not accepted.", todo: CERTIFICATE },
  tls_timeout: { what: "Agreeing on the encryption took too long.", todo: CERTIFICATE },
  connection_lost: {
    what: "The connection was closed before there was an answer.",
    todo: "Look at this moment in the logs of the server and of any proxy before it.",
  },
  bad_answer: {
    what: "What came back is not HTTP.",
    todo: "Check that a web server listens on this port, and that it speaks TLS if it is https.",
  },
  headers_too_large: {
    what: "The headers of the answer are too large.",
    todo: "Answer without cookies and long headers.",
  },
  timeout: {
    what: "There was no answer within 15 seconds.",
    todo: "Answer at once with 200 and do the work afterwards, in a queue of your own.",
  },
  stopped: {
    what: "We stopped this attempt ourselves.",
    todo: "There is nothing to do: it does not count.",
  },
};

const STATUSES: Readonly<Record<number, Reason>> = {
  400: {
    what: "Your server says that it cannot read the request (400).",
    todo: "Take the body as it comes, as JSON, before anything changes it.",
  },
  401: {
    what: "Your server asks for a sign-in (401).",
    todo: "Leave this path out of the sign-in: the signature proves who sends.",
  },
  403: {
    what: "Your server forbids it (403).",
    todo: "Let this path through firewalls and checks of origins, or check your signature code.",
  },
  404: {
    what: "Your server has nothing at this address (404).",
    todo: "Check the path of the endpoint, and that the route takes POST.",
  },
  405: { what: "Your server takes no POST here (405).", todo: "Let the route take POST." },
  410: {
    what: "Your server says that the address is gone for good (410).",
    todo: "The endpoint was disabled for it. Give it the new address and enable it.",
  },
  429: {
    what: "Your server says that it gets too many requests (429).",
    todo: "Allow more requests, or send Retry-After: the next attempt waits for it.",
  },
};

/** Undefined where nothing went wrong, or it is not over yet. */
export function reasonOf({ failure, response_status: status }: AttemptOutcome): Reason | undefined {
  if (failure !== null) return failureReason(failure);
  if (status === null || (status >= 200 && status < 300)) return undefined;
  const known = STATUSES[status];
  if (known !== undefined) return known;
  if (status < 400)
    return {
      what: `Your server answered with a redirect (${status}), which is not followed.`,
      todo: "Give the endpoint the address to which it redirects.",
    };
  if (status < 500)
    return {
      what: `Your server refused it (${status}).`,
      todo: "Look at its answer below, and into its logs.",
    };
  return {
    what: `Your server failed (${status}).`,
    todo: "Look at this moment in its logs.",
  };
}

function failureReason(failure: string): Reason {
  const word = Object.keys(FAILURES).find((each) => failure.startsWith(`${each}:`));
  const known = isFailureWord(word) ? FAILURES[word] : undefined;
  if (known === undefined) return { what: failure, todo: "Look into the logs of the server." };
  if (failure.includes("ECONNREFUSED"))
    return { ...known, what: "The server refused the connection: nothing listens there." };
  return known;
}

function isFailureWord(word: string | undefined): word is FailureWord {
  return word !== undefined && Object.hasOwn(FAILURES, word);
}
