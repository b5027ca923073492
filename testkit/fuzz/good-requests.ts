/**
 * Requests as their callers mean them: the route's own method, somebody who may, and nothing odd.
 * They are for routes that no request of chance was good for yet, so that a run gets past the first
 * check of each.
 */

import fc from "fast-check";
import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { fixture, multipart } from "../pictures.ts";
import { routeName } from "../route-requests.ts";
import { goodValues } from "../schema-values.ts";
import { isBrowser } from "./browsers.ts";
import { type FormPlan, formPlans } from "./form-plans.ts";
import { GOOD_BODIES } from "./good-bodies.ts";
import { withLeads } from "./leads.ts";
import { textOf } from "./odd-values.ts";
import {
  cardForms,
  encoded,
  type FuzzRequest,
  KNOWN_FIELDS,
  KNOWN_PARAMETERS,
  uploads,
  usualHeaders,
  visitorsOf,
} from "./requests.ts";

const LOGO = multipart([{ name: "logo", content: fixture("netpbm.png") }]);
type Fields = NonNullable<Route<AppContext>["body"]>;

export interface GoodRequests {
  /** Each route as likely as the others. */
  readonly requests: fc.Arbitrary<FuzzRequest>;
  readonly routeCount: number;
}

/** To the routes that are named, and to those that lead to them; undefined when none is. */
export function goodRequestsTo(routes: readonly Route<AppContext>[]) {
  const leadingTo = withLeads(routes);
  // Made once for each: what can make its values takes long to make.
  const made = new Map<string, fc.Arbitrary<FuzzRequest>>();
  return (names: ReadonlySet<string>): GoodRequests | undefined => {
    const all = leadingTo(names);
    const wanted = routes.filter((route) => all.has(routeName(route)));
    const requests = wanted.map((route) => {
      const one = made.get(routeName(route)) ?? goodRequestsToOne(route);
      made.set(routeName(route), one);
      return one;
    });
    if (requests.length === 0) return undefined;
    return { requests: fc.oneof(...requests), routeCount: requests.length };
  };
}

function goodRequestsToOne(route: Route<AppContext>): fc.Arbitrary<FuzzRequest> {
  const { usual, others } = visitorsOf(route);
  return fc.record({
    route: fc.constant(routeName(route)),
    path: queriesOf(route).map((query) => route.path + query),
    method: fc.constant(route.method as string),
    who: fc.oneof(
      { weight: 3, arbitrary: fc.constant(usual) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
    ),
    body: bodiesOf(route),
    form: plansFor(route),
    // From one address, guesses at a password are soon too many.
    headers: fc.ipV4().map((from) => ({ ...usualHeaders(route), "x-forwarded-for": from })),
    pick: fc.nat({ max: 9_999 }),
  });
}

function queriesOf({ query = {} }: Route<AppContext>): fc.Arbitrary<string> {
  return valuesOf(query, KNOWN_PARAMETERS).map((values) => {
    const pairs = Object.entries(values).map(([name, value]) => [name, textOf(value)] as const);
    return pairs.length === 0 ? "" : `?${encoded(pairs)}`;
  });
}

function plansFor(route: Route<AppContext>): fc.Arbitrary<FormPlan> {
  const plans = formPlans.map((plan) => ({ ...plan, odd: [] }));
  const bodies = GOOD_BODIES[routeName(route)] ?? [];
  if (bodies.length === 0) return plans;
  const good = fc.tuple(plans, fc.constantFrom(...bodies.map(textsOf)));
  return fc.oneof(
    good.map(([plan, typed]) => ({ ...plan, typed })),
    plans,
  );
}

function bodiesOf(route: Route<AppContext>): fc.Arbitrary<FuzzRequest["body"]> {
  const bodies = GOOD_BODIES[routeName(route)] ?? [];
  const made = madeBodiesOf(route);
  if (bodies.length === 0) return made;
  const isPage = isBrowser(visitorsOf(route).usual) || route.path.startsWith("/checkout/");
  const good = bodies.map((json) => (isPage ? { form: textsOf(json) } : { json }));
  return fc.oneof(fc.constantFrom(...good), made);
}

function madeBodiesOf(route: Route<AppContext>): fc.Arbitrary<FuzzRequest["body"]> {
  if (route.method === "GET") return fc.constant({});
  if (route.path === "/user/logo") return fc.constant({ raw: LOGO });
  if (route.upload !== undefined) return uploads;
  if (route.body === undefined && route.path.startsWith("/checkout/"))
    return cardForms.map((fields) => ({ form: textsOf(fields) }));
  if (route.body === undefined) return fc.constant({});
  const fields = valuesOf(route.body, KNOWN_FIELDS);
  return fc.oneof(
    fields.map((json) => ({ json })),
    fields.map((json) => ({ form: textsOf(json) })),
  );
}

/** What is required, and now and then some of the rest. */
function valuesOf(
  fields: Fields,
  known: Readonly<Record<string, string>>,
): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([name, { schema }]) => {
    const here = known[name];
    const good = goodValues(schema);
    if (here === undefined && good === undefined) return [];
    return [[name, here === undefined ? good : fc.constant(here)] as const];
  });
  const record = Object.fromEntries(entries) as Record<string, fc.Arbitrary<unknown>>;
  const requiredKeys = Object.keys(record).filter((name) => fields[name]?.required);
  return fc.oneof(
    { weight: 1, arbitrary: fc.record(record, { requiredKeys }) },
    {
      weight: 1,
      arbitrary: fc.record(
        Object.fromEntries(requiredKeys.map((name) => [name, record[name] ?? fc.constant("x")])),
      ),
    },
  );
}

function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
}
