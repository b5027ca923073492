/**
 * A collection independent of the program that reads it: requests in the order in which they work,
 * the status each expects, and the values it keeps for later ones.
 *
 * Values may contain `{{variable}}`, which Postman, Bruno and the readers of `.http` files share.
 */

export interface Collection {
  readonly name: string;
  readonly version: string;
  readonly about: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly CollectionRequest[];
}

export interface CollectionRequest {
  readonly folder: string;
  readonly name: string;
  readonly about: string;
  readonly method: string;
  /** Begins with the variable of the server. */
  readonly url: string;
  readonly query: readonly QueryPart[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CollectionBody | undefined;
  /**
   * For programs without scripts: an example of the demo account with a fixed signature. With
   * scripts the body is signed when it is sent.
   */
  readonly signedBody?: CollectionBody | undefined;
  /** Sent with the token of the sign-in. */
  readonly isSigned: boolean;
  readonly expects: number;
  readonly keeps: readonly Kept[];
  /** What a person does instead, where the program cannot: pay on a page. */
  readonly byHand?: string;
  readonly isFirst: boolean;
  /** The last request of a run; those after it are sent by hand. */
  readonly isLast: boolean;
}

interface QueryPart {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly isSent: boolean;
}

export type CollectionBody =
  | { readonly kind: "json"; readonly text: string }
  /** Written out with its parts, so that the collection needs no other file. */
  | { readonly kind: "multipart"; readonly text: string }
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, string>> };

/** A value of an answer that later requests need. */
export interface Kept {
  readonly variable: string;
  readonly from:
    | { readonly json: string }
    /** The first group of this pattern in the text. */
    | { readonly text: string }
    /** A parameter of the address in `Location`. */
    | { readonly redirect: string };
}

/** Set anew at the start of a run, so that orders and e-mails are unique. */
export const RUN_VARIABLE = "run";

/** The address with the query that is sent. */
export function addressOf({ url, query }: CollectionRequest): string {
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return sent.length === 0 ? url : `${url}?${sent.join("&")}`;
}
