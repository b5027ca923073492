/**
 * Routes of 1.x, made from the table of 1.x paths and the routes of today (Decision 0051). A 1.x
 * route has no code of its own: with the same access and the same limit, the route of today
 * answers. All that is added is a note of who still uses it.
 */

import assert from "node:assert/strict";
import type { AnswerDoc, Route } from "../../infra/http/route.ts";
import { optional, type Shape } from "../../kit/fields/field.ts";
import { Type } from "../../kit/schema.ts";
import { V1_PATHS, type V1Path } from "./v1-paths.ts";
import type { V1CompatContext } from "./v1-use.ts";

export function v1Routes<Ctx extends V1CompatContext>(
  routes: readonly Route<Ctx>[],
): readonly Route<Ctx>[] {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return V1_PATHS.map((path) => {
    const [first, ...others] = path.is.map((name) => {
      const found = byName.get(name);
      assert(found !== undefined, `${path.was} became ${name}, which is not there`);
      return found;
    });
    assert(first !== undefined);
    for (const other of others) assert.deepEqual(other.access, first.access);
    return v1Route(path, [first, ...others]);
  });
}

function v1Route<Ctx extends V1CompatContext>(
  { was, is, idIn }: V1Path,
  successors: readonly [Route<Ctx>, ...Route<Ctx>[]],
): Route<Ctx> {
  const [method, path] = was.split(" ") as [Route<Ctx>["method"], string];
  const { params, query, body, bodyFor, examples, ...rest } = successors[0];
  const isChoice = successors.length > 1;
  const ids = Object.fromEntries(
    Object.entries(params ?? {}).map(([name, id]) => [name, isChoice ? optional(id) : id]),
  );
  return {
    ...rest,
    method,
    path,
    summary: `Now ${is.join(" or ")}`,
    about: `Answered as ${is.join(" or ")} is, which you should call instead.`,
    ...present(
      "query",
      Object.assign({}, idIn === "query" ? ids : {}, ...successors.map((one) => one.query)),
    ),
    ...present("body", { ...(idIn === "body" ? ids : {}), ...body }),
    answers: answersOf(successors),
    successors: successors.map((route) => noting(was, route)),
  };
}

function present<Name extends string>(name: Name, shape: Shape) {
  return Object.keys(shape).length === 0 ? {} : ({ [name]: shape } as Record<Name, Shape>);
}

/** Success is one of theirs; the refusals are those of the first. */
function answersOf<Ctx>(successors: readonly [Route<Ctx>, ...Route<Ctx>[]]): Route<Ctx>["answers"] {
  const [{ answers }] = successors;
  const bodies = successors
    .map((one) => one.answers[200]?.body)
    .filter((body) => body !== undefined);
  const success: Record<number, AnswerDoc> =
    bodies.length > 1 ? { 200: { about: "One, or all of them", body: Type.Union(bodies) } } : {};
  return { ...answers, ...success };
}

/**
 * Only calls that reach the use case are noted: those refused earlier would be refused by the new
 * path as well. On a public route the answer says which account it served.
 */
function noting<Ctx extends V1CompatContext>(was: string, route: Route<Ctx>): Route<Ctx> {
  return {
    ...route,
    async run(ctx, call, caller) {
      const credential = caller?.credential.kind === "key" ? caller.credential.kid : undefined;
      const note = (accountNumber: string | undefined) => {
        if (accountNumber !== undefined) ctx.v1Use.note({ accountNumber, credential, name: was });
      };
      note(caller?.accountNumber);
      const answer = await route.run(ctx, call, caller);
      note(answer.servedAccount);
      return answer;
    },
  };
}
