/**
 * A route is data: what it is called, who may call it and how often, what it reads, what it
 * answers, and the function that does it. The server, OpenAPI, the reference page and the access
 * test all read this one object, so they cannot disagree (Decision 0016).
 */

import type { ServiceError } from "../../kit/errors.ts";
import type { Shape, Values } from "../../kit/fields/field.ts";
import type { JsonSchema } from "../../kit/schema.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { AccountType } from "../../kit/vocabulary.ts";
import type { LimitName } from "../config.ts";
import type { Read } from "../db/standby.ts";
import type { Tx } from "../db/transaction.ts";
import type { Answer } from "./answer.ts";
import type { Caller } from "./caller.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Rights {
  /** Only accounts of this type; others are 403, whatever their scopes. */
  readonly accountType?: AccountType;
  /** Any one of these is enough; none: every credential of that kind will do. */
  readonly anyScope?: readonly Scope[];
}

/**
 * What a request with an API key can change (Decision 0071). `shared`: something that live uses
 * too, so a key of the sandbox gets 403. `environment`: data of the key's own environment.
 * `nothing`: an API key is always refused by the use case.
 */
type Changes = "shared" | "environment" | "nothing";

type BearerAccess = Rights & { readonly credentials: "bearer" };
/** A bearer token or an API key. */
type KeyAccess = Rights & { readonly credentials: "either" };

type ReadingAccess = BearerAccess | KeyAccess;
/** `changes` is required, so that a new route cannot forget to say what it touches. */
type ChangingAccess = BearerAccess | (KeyAccess & { readonly changes: Changes });

export type Access = "public" | BearerAccess | (KeyAccess & { readonly changes?: Changes });

interface Limit {
  readonly name: LimitName;
  readonly per: "address" | "account" | "credential";
}

/**
 * The refusal itself, its sentence, or a call that throws it, made only when the documents are
 * asked for.
 */
export type Refusal = ServiceError | string | (() => unknown);

export interface AnswerDoc {
  readonly about: string;
  /** The body; without it, an error's `{message}`. */
  readonly body?: JsonSchema;
  readonly contentType?: string;
  /** Sent instead of the body, as text of this type, when the client asks for it. */
  readonly alsoAs?: string;
  /** The body to show, where the examples of its parts do not make a good one. */
  readonly example?: unknown;
  /** What it may be: each is an example. */
  readonly refusals?: readonly Refusal[];
  /** How a refusal looks here, when it is more than its message. */
  readonly showRefusal?: (message: string) => object;
  /** Beyond those that every answer may have. */
  readonly headers?: readonly string[];
}

/** A request to show: what it is for, and its body. */
export interface RequestExample {
  readonly about: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A file in a multipart form. */
export interface UploadRules {
  readonly field: string;
  readonly bytesMax: number;
}

/** A form that was sent with a file. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: Buffer;
  /** Why the body is refused, as a sentence for its sender. */
  readonly problem?: string;
  /** It was not read to its end: the connection cannot be used for another request. */
  readonly tooLarge?: true;
}

export interface Call<Body, Query, Params> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** Empty unless the route takes one. */
  readonly upload: Upload;
  /** What the client likes to read; empty when it does not say. */
  readonly accept: string;
  /** The client's address, folded to its plain form. */
  readonly address: string;
  /** The address that was asked for, as callers see it, with its query. */
  readonly url: string;
  /** Any other header, for routes that meet browsers. The name is in lower case. */
  header(name: string): string | undefined;
  /** Every text of the body by its name, for routes whose sender chooses the names. */
  texts(): Readonly<Record<string, string>>;
  /** The body's fields as they were sent, unknown ones among them: for what signs all of them. */
  sentFields(): Readonly<Record<string, unknown>>;
  /** From the standby where the route says `readsFromStandby`, otherwise from the primary. */
  readonly read: Read;
  /** Runs the effect in one tx, at most once per Idempotency-Key. */
  once(work: (tx: Tx) => Promise<Answer>): Promise<Answer>;
  /** The same, with what has to be read or counted before the tx. */
  onceReady<T>(
    ready: () => Promise<T>,
    work: (tx: Tx, made: T) => Promise<Answer>,
  ): Promise<Answer>;
}

interface RouteParts<B extends Shape, Q extends Shape, P extends Shape> {
  readonly method: Method;
  /** Parameters in braces; a trailing slash is equal to none. */
  readonly path: string;
  /** Where it differs from the others' base: that of the payment request and its page. */
  readonly base?: "payments";
  /** Under which heading the reference shows it; absent: with those of the service itself. */
  readonly group?: string;
  readonly summary: string;
  readonly about?: string;
  /**
   * Absent: the general limit, per credential, or per address on a public route. `none`: unlimited.
   */
  readonly limit?: Limit | "none";
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** By their names; absent: one of all fields that have an example. */
  readonly examples?: Readonly<Record<string, RequestExample>>;
  /**
   * Where `body` is refused: as it reads for the account that it is about. Undefined: it stays
   * refused. Only then is anything looked up, so a request that is good at once pays nothing.
   */
  bodyAfterRefusal?(
    ctx: never,
    refused: RefusedBody,
    caller: Caller | undefined,
  ): Promise<B | undefined>;
  /** A field that comes twice must have one value; elsewhere the last one counts. */
  readonly repeatsMustAgree?: true;
  /** Instead of `body`: the use case decides when to report what is wrong with it. */
  readonly upload?: UploadRules;
  /** On POST: a field `_method` of an upload may name the route of this path to take instead. */
  readonly overridableBy?: "PATCH";
  /**
   * What it reads through `read` is a list, a statement or a file of what happened: nothing is
   * decided by it, so a standby may serve it (Decision 0125).
   */
  readonly readsFromStandby?: true;
  /** Honours `Idempotency-Key` through `once`. */
  readonly idempotent?: boolean;
  /** Whose key it is on a public route: two callers may choose the same one. */
  readonly keyOwnerOf?: (body: Values<B>) => KeyOwner;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  /**
   * Not in the documents: a page for a person's browser, or it only refuses, in better words than a
   * path that does not exist.
   */
  readonly isHidden?: true;
  /** Answered in place of an error's usual JSON: to a browser, or as the sender expects it. */
  readonly errorPage?: ErrorPage;
  /** In the request log although it asks for no credential (Decision 0087). */
  readonly isLogged?: true;
  /** A customer is paying: still served when other requests are refused for want of room. */
  readonly highPriority?: true;
}

export interface RefusedBody {
  readonly error: unknown;
  readonly sent: Readonly<Record<string, unknown>>;
}

export type ErrorPage = (status: number, refused: RefusedCall) => Answer;

/** What is known of a request that was refused, perhaps before anything of it was read. */
export interface RefusedCall {
  readonly refusal: { readonly message: string };
  /** As they stood in the path. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  header(name: string): string | undefined;
}

export interface KeyOwner {
  readonly accountNumber: string;
  readonly environment: string;
}

type Empty = Record<never, never>;

interface PublicParts<Ctx, B extends Shape, Q extends Shape, P extends Shape>
  extends RouteParts<B, Q, P> {
  /** A good credential names the caller; without one the request is served all the same. */
  readonly optionalCaller?: boolean;
  /** Throws the 503 when there is no room for its costly part, before anything is done. */
  readonly refuseWhenFull?: (ctx: Ctx) => void;
  /** Answers or refuses whom the route is not for before their upload is read. */
  readonly beforeUpload?: BeforeUpload<Ctx>;
  run(
    ctx: Ctx,
    call: Call<Values<B>, Values<Q>, Values<P>>,
    caller: Caller | undefined,
  ): Promise<Answer>;
}

/** What is known of a request whose body has not been read. */
export type CallHead = Pick<Call<never, never, never>, "address" | "header" | "url">;

/** Undefined: the body is read, and the route runs. */
export type BeforeUpload<Ctx> = (ctx: Ctx, head: CallHead) => Promise<Answer | undefined>;

type AccessByMethod =
  | { readonly method: "GET"; readonly access: ReadingAccess }
  | { readonly method: Exclude<Method, "GET">; readonly access: ChangingAccess };

interface ProtectedParts<Ctx, B extends Shape, Q extends Shape, P extends Shape>
  extends RouteParts<B, Q, P> {
  /** `body` as it reads for this caller, where the platform has a say in it. */
  readonly bodyFor?: (caller: Caller) => B;
  run(ctx: Ctx, call: Call<Values<B>, Values<Q>, Values<P>>, caller: Caller): Promise<Answer>;
}

/** A route with the types of its own fields forgotten, as the server and the documents see it. */
export interface Route<Ctx> extends RouteParts<Shape, Shape, Shape> {
  readonly access: Access;
  /** Of a path of an earlier version: the routes of today, one of which answers in its place. */
  readonly successors?: readonly Route<Ctx>[];
  readonly optionalCaller?: boolean;
  readonly refuseWhenFull?: (ctx: Ctx) => void;
  readonly beforeUpload?: BeforeUpload<Ctx>;
  readonly bodyFor?: (caller: Caller) => Shape;
  run(ctx: Ctx, call: Call<never, never, never>, caller: Caller | undefined): Promise<Answer>;
}

export function publicRoute<
  Ctx,
  B extends Shape = Empty,
  Q extends Shape = Empty,
  P extends Shape = Empty,
>(parts: PublicParts<Ctx, B, Q, P>): Route<Ctx> {
  return { ...parts, access: "public" } as unknown as Route<Ctx>;
}

export function protectedRoute<
  Ctx,
  B extends Shape = Empty,
  Q extends Shape = Empty,
  P extends Shape = Empty,
>(parts: ProtectedParts<Ctx, B, Q, P> & AccessByMethod): Route<Ctx> {
  return parts as unknown as Route<Ctx>;
}
