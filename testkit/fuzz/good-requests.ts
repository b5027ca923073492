/**
 * Requests as their callers mean them: the route's own method, somebody who may, and nothing odd.
 * They are for routes that no request of chance was good for yet, so that a run gets past the first
 * check of each.
 */

import fc from "fast-check";
import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { GOOD } from "../banks.ts";
import { minimal } from "../payment-requests.ts";
import { fixture, multipart } from "../pictures.ts";
import { routeName } from "../route-requests.ts";
import { goodValues } from "../schema-values.ts";
import { newCharge } from "../trusted-cards.ts";
import { isBrowser } from "./browsers.ts";
import { formPlans } from "./form-plans.ts";
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

/** Where fields go together in a way that their schemas do not tell. */
const GOOD_BODIES: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "POST /plugins/payments/request": [
    { ...minimal("{account_number}"), order_id: "{order_id}" },
    { ...minimal("{account_number}"), order_id: "{order_id}", environment: "live" },
  ],
  "POST /payment-links": ["sandbox", "live"].map((environment) => ({
    ...{ environment, title: "Classes", currency: "TTD", amount: "50.00" },
    fee_structure: "customer_pay",
  })),
  "POST /trusted-cards/{uuid}/charge": [newCharge()],
  "POST /sandbox/transactions/{transaction_id}/simulate": [
    { outcome: "chargeback_pending" },
    { outcome: "fraud_confirmed" },
    { outcome: "approve" },
  ],
  "POST /sandbox/withdrawals/{transaction_id}/simulate": [
    { outcome: "hold" },
    { outcome: "process" },
  ],
  "POST /console/payments/filters": [{ name: "Mine" }],
  "POST /console/payments/filters/remove": [{ name: "Mine" }],
  "POST /console/account": [{ account_number: "{account_number}" }],
  "POST /user/banks/{type}": [GOOD.local, GOOD.foreign],
  "PATCH /user/banks/{type}": [GOOD.local, GOOD.foreign],
};
const LOGO = multipart([{ name: "logo", content: fixture("netpbm.png") }]);
/** What has to be asked for before there is anything to ask for. */
const LEADS: Readonly<Record<string, readonly string[]>> = {
  "GET /sandbox/acs/{token}": [
    ...["POST /plugins/payments/request", "POST /checkout/{token}"],
    "GET /checkout/{token}/challenge",
  ],
  "DELETE /user/logo": ["POST /user/logo"],
  "POST /console/payments/filters/remove": ["POST /console/payments/filters"],
  "POST /console/me/recovery-codes": [
    "GET /console/me/authenticator",
    "POST /console/me/authenticator",
  ],
  "POST /console/me/sessions/{session_id}/end": ["GET /console/me"],
  "POST /operator/me/sessions/{session_id}/end": ["GET /operator/me"],
  "POST /console/settings/members/{person_id}/limits": [
    ...["GET /console/settings/members", "GET /console/settings/members/{person_id}"],
  ],
  "GET /docs/{page}": ["GET /docs"],
  "GET /docs/{page}/{below}": ["GET /docs", "GET /docs/{page}"],
  "PATCH /user/picture": ["POST /user/picture"],
  "GET /pictures/{picture_id}": ["POST /user/picture", "GET /user/"],
  "GET /logos/{logo_id}": ["POST /user/logo", "GET /user/"],
  "PATCH /user/banks/{type}": ["POST /user/banks/{type}"],
  "GET /reset/{token}": ["POST /forgot", "GET /dev/mail", "GET /dev/mail/{id}"],
  "POST /reset/{token}": [
    "POST /forgot",
    "GET /dev/mail",
    "GET /dev/mail/{id}",
    "GET /reset/{token}",
  ],
  "GET /pay/{slug}/done": ["POST /pay/{slug}", "POST /checkout/{token}"],
};

type Fields = NonNullable<Route<AppContext>["body"]>;

/** Of the routes that are named: each as likely as the others; undefined when none is. */
export function goodRequestsTo(routes: readonly Route<AppContext>[]) {
  // Made once for each: what can make its values takes long to make.
  const made = new Map<string, fc.Arbitrary<FuzzRequest>>();
  return (names: ReadonlySet<string>): fc.Arbitrary<FuzzRequest> | undefined => {
    const leads = new Set([...names].flatMap((name) => LEADS[name] ?? []));
    const isWanted = (name: string) => names.has(name) || leads.has(name);
    const wanted = routes.filter((route) => isWanted(routeName(route)));
    const all = wanted.map((route) => {
      const one = made.get(routeName(route)) ?? goodRequestsToOne(route);
      made.set(routeName(route), one);
      return one;
    });
    return all.length === 0 ? undefined : fc.oneof(...all);
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
    form: formPlans.map((plan) => ({ ...plan, odd: [] })),
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

function bodiesOf(route: Route<AppContext>): fc.Arbitrary<FuzzRequest["body"]> {
  const bodies = GOOD_BODIES[routeName(route)] ?? [];
  const made = madeBodiesOf(route);
  if (bodies.length === 0) return made;
  const isPage = isBrowser(visitorsOf(route).usual);
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
