/**
 * `environment` may be given in the query or in the body, on every protected route that has it
 * (Decision 0074): clients that set it once for all their calls put it in one of the two. The route
 * declares it in one place and reads it there; what stands in the other is brought over, so the use
 * case and the fingerprint of an Idempotency-Key see no difference.
 *
 * The public payment request is not among them: what is in its query was never looked at.
 */

import { FieldsConflict } from "../../../kit/errors.ts";
import { type Field, isAbsent, type Shape } from "../../../kit/fields/field.ts";
import { BadBody } from "../body/bad-body.ts";
import type { Route } from "../route.ts";

const NAME = "environment";

export class EnvironmentsDiffer extends FieldsConflict {
  constructor() {
    super("The environment must be the same in the query and in the body.", NAME);
  }
}

export class EnvironmentRepeated extends BadBody {
  constructor() {
    super("The environment field is given more than once.", {
      code: "field_given_twice",
      field: NAME,
    });
  }
}

/** Where a route declares it; undefined: nowhere, or it is taken in that place only. */
export function environmentPlace({
  access,
  query,
  body,
}: Pick<Route<never>, "access" | "query" | "body">): "query" | "body" | undefined {
  if (access === "public") return undefined;
  if (query?.[NAME] !== undefined) return "query";
  return body?.[NAME] === undefined ? undefined : "body";
}

export function environmentInQuery(url: string): unknown {
  const start = url.indexOf("?");
  if (start === -1) return undefined;
  // Nothing else of the query counts here, so a malformed rest of it is no reason to refuse.
  const given = new URLSearchParams(url.slice(start + 1)).getAll(NAME);
  if (given.length > 1) throw new EnvironmentRepeated();
  return given[0];
}

export function environmentInBody(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, NAME)) return undefined;
  return (body as Record<string, unknown>)[NAME];
}

/** The fields of the declared place, with `elsewhere`: what the other place says. */
export function withEnvironment(shape: Shape, elsewhere: unknown): Shape {
  const own = shape[NAME];
  if (own === undefined || isAbsent(elsewhere)) return shape;
  const either: Field<unknown> = {
    ...own,
    read(value, name, earlier) {
      const here = own.read(value, name, earlier);
      if (own.read(elsewhere, name, earlier) !== here) throw new EnvironmentsDiffer();
      return here;
    },
    absent: (name, earlier) => own.read(elsewhere, name, earlier),
  };
  // At the same position, because the first field that fails is the one that is named.
  return { ...shape, [NAME]: either };
}
