/** One call of the interface, typed by its method and path; what it takes and what it answers. */

import type {
  Client,
  ClientPathsWithMethod,
  MaybeOptionalInit,
  MethodResponse,
} from "openapi-fetch";
import type { paths } from "./api-types.ts";

export type Method = "get" | "post" | "patch" | "delete";
type PathsOf<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;
type InitArguments<Init> =
  Record<never, never> extends Init
    ? [init?: Init & Record<string, unknown>]
    : [init: Init & Record<string, unknown>];

/** Answers with the body of a success; anything else is thrown as a `WindwardError`. */
export type Call<M extends Method> = <
  P extends PathsOf<M>,
  Init extends MaybeOptionalInit<paths[P], M>,
>(
  path: P,
  ...init: InitArguments<Init>
) => Promise<MethodResponse<Client<paths>, M, P, Init>>;
