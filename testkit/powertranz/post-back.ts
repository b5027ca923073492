/**
 * What a browser posts to the merchant, honest or not: the fields as the gateway gave them, forged
 * ones, broken ones, too many. Nothing of it is signed, so anybody can send any of it.
 */

import type { PlayedBrowser, PostBackFields } from "./play-browser.ts";

export interface Forgery {
  /** Another AuthenticationStatus inside Response. */
  readonly status?: string;
  /** The whole Response instead, which need not be JSON. */
  readonly response?: string;
  readonly transactionIdentifier?: string;
  readonly spiToken?: string;
  /** Response gets a property that makes it this long. */
  readonly responseBytes?: number;
}

export interface PostBackOptions {
  readonly method?: "POST" | "GET";
  /** `null` unless given, as from a frame without an origin. */
  readonly origin?: string;
  /** Sent beside the fields: the same name again makes a repeated field. */
  readonly more?: readonly (readonly [name: string, value: string])[];
  /** At the same moment. */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function forge(played: PlayedBrowser, forgery: Forgery): PlayedBrowser {
  const { fields } = played;
  const response = forgery.response ?? forgedResponse(fields.Response, forgery);
  return {
    ...played,
    fields: {
      Response: response,
      TransactionIdentifier: forgery.transactionIdentifier ?? fields.TransactionIdentifier,
      SpiToken: forgery.spiToken ?? fields.SpiToken,
    },
  };
}

/** What somebody who never went to the bank would post: all of it is made up or was seen. */
export function fabricate(made: {
  returnUrl: string;
  transactionIdentifier: string;
  spiToken: string;
  status: string;
}): PlayedBrowser {
  const { returnUrl, transactionIdentifier, spiToken, status } = made;
  const response = {
    TransactionType: 2,
    Approved: false,
    TransactionIdentifier: transactionIdentifier,
    IsoResponseCode: "3D0",
    ResponseMessage: "3DS complete",
    RiskManagement: { ThreeDSecure: { AuthenticationStatus: status, ResponseCode: "3D0" } },
    SpiToken: spiToken,
  };
  const fields = {
    Response: JSON.stringify(response),
    TransactionIdentifier: transactionIdentifier,
    SpiToken: spiToken,
  };
  return { returnUrl, fields, pages: [] };
}

/** Posts to the merchant; redirects are not followed. */
export function postBack(
  { returnUrl, fields }: { returnUrl: string; fields: PostBackFields },
  options: PostBackOptions = {},
): Promise<Response[]> {
  const { method = "POST", origin = "null", more = [], times = 1 } = options;
  const form = new URLSearchParams(fields);
  for (const [name, value] of more) form.append(name, value);
  const headers = { origin, ...options.headers };
  const target = method === "GET" ? `${returnUrl}?${form}` : returnUrl;
  const post = () =>
    fetch(target, {
      method,
      headers,
      redirect: "manual",
      ...(method === "GET" ? {} : { body: form }),
    });
  return Promise.all(Array.from({ length: times }, post));
}

function forgedResponse(text: string, { status, responseBytes = 0 }: Forgery): string {
  const response = JSON.parse(text);
  if (status !== undefined) response.RiskManagement.ThreeDSecure.AuthenticationStatus = status;
  if (responseBytes === 0) return JSON.stringify(response);
  const missing = responseBytes - JSON.stringify({ ...response, Filler: "" }).length;
  return JSON.stringify({ ...response, Filler: "x".repeat(Math.max(0, missing)) });
}
