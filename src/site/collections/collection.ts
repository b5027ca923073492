/**
 * A collection before it is written in the form of one program: requests in the order in which
 * they work, what each expects, and what it keeps for those after it.
 *
 * Values may hold `{{variable}}`, which Postman, Bruno and the readers of `.http` files write
 * alike.
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
  /** With the variable of the server in front. */
  readonly url: string;
  readonly query: readonly QueryPart[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CollectionBody | undefined;
  /**
   * Instead of `body` where there are no scripts: one whose signature is fixed, of the demo world.
   * With scripts the body is signed when it is sent.
   */
  readonly signedBody?: CollectionBody | undefined;
  /** With the token of the sign-in. */
  readonly isSigned: boolean;
  readonly expects: number;
  readonly keeps: readonly Kept[];
  /** What a person does, where the reader of a file cannot: pay on a page. */
  readonly byHand?: string;
  /** The run ends before it: whoever wants it sends it. */
  readonly isApart: boolean;
}

interface QueryPart {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly isSent: boolean;
}

export type CollectionBody =
  | { readonly kind: "json"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, string>> }
  /** Written out with its parts, so that the collection needs no file beside it. */
  | { readonly kind: "multipart"; readonly lines: readonly string[] };

/** What an answer has that later requests need. */
export interface Kept {
  readonly variable: string;
  readonly from:
    | { readonly json: string }
    /** The first group of this pattern in the text. */
    | { readonly text: string }
    /** A parameter of the address that the browser is led to. */
    | { readonly redirect: string };
}

/** Set anew at the start of a run, so that orders and e-mails are new ones. */
export const RUN_VARIABLE = "run";
