/**
 * Random requests to the routes of the service: half of what they hold is right, so that they get
 * past the first check, and the rest is what the world sends.
 *
 * A request is a plan that can be made again from its seed: `{kid}` in a path, or `{password}` as a
 * value, stands for one that exists, and the cast fills it in when it is sent.
 */

import fc from "fast-check";
import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { CARDS } from "../checkout-sessions.ts";
import { fixture, pictureForm } from "../pictures.ts";
import { usableCards } from "../powertranz/usable-cards.ts";
import { routeName } from "../route-requests.ts";
import { goodValues } from "../schema-values.ts";
import type { RequestOptions } from "../service.ts";
import { type BrowserPerson, CONSOLE_PEOPLE, OPERATOR_PEOPLE } from "./browsers.ts";
import { type FormPlan, formPlans } from "./form-plans.ts";
import { garbage, headers, METHODS, odd, oddName, textOf } from "./odd-values.ts";

export interface FuzzRequest {
  /** The one that it is meant for. */
  readonly route: string;
  readonly path: string;
  readonly method: string;
  readonly who: Who;
  readonly body: Pick<RequestOptions, "json" | "form" | "raw">;
  /** If a page with a form for the route was seen, the form is sent instead of the body. */
  readonly form: FormPlan | undefined;
  readonly headers: Record<string, string>;
  /** Which of those that exist. */
  readonly pick: number;
}
export type Who = (typeof WHO)[number] | BrowserPerson;

const WHO = [
  ...(["nobody", "owner", "merchant", "person", "stranger", "narrow"] as const),
  ...(["key", "liveKey", "narrowKey", "both", "garbage"] as const),
] as const;
const BODILESS = ["GET", "HEAD"];
/** Fields that a stranger could not fill in well, by the names of their values that exist. */
export const KNOWN_FIELDS: Readonly<Record<string, string>> = {
  account_number: "{account_number}",
  email: "{email}",
  password: "{password}",
  old_password: "{password}",
  refresh_token: "{refresh_token}",
  transaction_id: "{transaction_id}",
  uuid: "{uuid}",
};
/** The same in a query: there an account is asked about. */
export const KNOWN_PARAMETERS: typeof KNOWN_FIELDS = {
  ...KNOWN_FIELDS,
  account_number: "{managed_account}",
};

const CHANGING_WEIGHT = 4;
/** Money moves only when both come together, one after the other. */
const PAYING = ["POST /plugins/payments/request", "POST /checkout/{token}"];
const PAYING_WEIGHT = 12;

function weightOf(route: Route<AppContext>): number {
  if (PAYING.includes(routeName(route))) return PAYING_WEIGHT;
  return route.method === "GET" ? 1 : CHANGING_WEIGHT;
}

export function requestsTo(routes: readonly Route<AppContext>[]): fc.Arbitrary<FuzzRequest> {
  // Pages take little that could go wrong, and there are many: what changes something comes more
  // often.
  return fc.oneof(
    ...routes.map((route) => ({
      weight: weightOf(route),
      arbitrary: requestsToOne(route),
    })),
  );
}

function requestsToOne(route: Route<AppContext>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      route: fc.constant(routeName(route)),
      path: pathsOf(route),
      method: fc.oneof(
        { weight: 5, arbitrary: fc.constant(route.method as string) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      who: whoAsks(route),
      body: bodiesOf(route),
      form: fc.oneof(
        { weight: 6, arbitrary: formPlans },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      headers: fc.oneof(
        { weight: 4, arbitrary: fc.constant(usualHeaders(route)) },
        { weight: 1, arbitrary: headers },
      ),
      pick: fc.nat({ max: 9_999 }),
    })
    .map((made) => (BODILESS.includes(made.method) ? { ...made, body: {} } : made));
}

/** Who asks for the pages of a path most often, and who else does. */
const VISITORS: readonly (readonly [start: string, usual: Who, others: readonly Who[]])[] = [
  ["/operator/sign-in/code", "operatorHalfway", OPERATOR_PEOPLE],
  ["/operator/set-up", "operatorWithoutFactor", OPERATOR_PEOPLE],
  ["/operator/sign-in", "nobody", OPERATOR_PEOPLE],
  ["/operator", "anAdmin", OPERATOR_PEOPLE],
  ["/sign-in/code", "halfway", CONSOLE_PEOPLE],
  ["/sign-in", "nobody", CONSOLE_PEOPLE],
  ["/console", "anOwner", CONSOLE_PEOPLE],
  ["/", "owner", WHO],
];

export function visitorsOf({ path }: Route<AppContext>): { usual: Who; others: readonly Who[] } {
  const [, usual = "owner", others = WHO] =
    VISITORS.find(([start]) => path.startsWith(start)) ?? [];
  return { usual, others };
}

/** Mostly somebody who may: the rest is what `test/access.test.ts` asks one by one. */
function whoAsks(route: Route<AppContext>): fc.Arbitrary<Who> {
  const { usual, others } = visitorsOf(route);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 4, arbitrary: fc.constantFrom<Who[]>(...others, "nobody") },
  );
}

/** A form of the payment page is believed only from the page itself. */
export function usualHeaders({ path }: Route<AppContext>): Record<string, string> {
  return path.startsWith("/checkout/") ? { origin: "{origin}", accept: "text/html" } : {};
}

function pathsOf(route: Route<AppContext>): fc.Arbitrary<string> {
  const text = fc
    .oneof(
      fc.constant("0".repeat(18)),
      fc.string({ unit: "binary", minLength: 1, maxLength: 80 }).map((one) => one.toWellFormed()),
    )
    .map((id) => route.path.replace(/\{\w+\}/g, encodeURIComponent(id)));
  const path = fc.oneof(
    { weight: 3, arbitrary: fc.constant(route.path) },
    { weight: 1, arbitrary: text },
  );
  const tail = fc.oneof(
    { weight: 9, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.constantFrom("/", "//", "/x", "%", ";x=1", "%2F", "/../x") },
  );
  return fc.tuple(path, tail, queriesOf(route)).map((parts) => parts.join(""));
}

function queriesOf({ query = {} }: Route<AppContext>): fc.Arbitrary<string> {
  const asText = odd.map(textOf);
  const good = Object.entries(query).map(([field, { schema, required }]) => ({
    required,
    pair: fc.tuple(
      fc.constant(field),
      fc.oneof(
        ...[KNOWN_PARAMETERS[field]].flatMap((known) =>
          known === undefined ? [] : [fc.constant(known)],
        ),
        goodValues(schema)?.map(textOf) ?? asText,
      ),
    ),
  }));
  const needed = fc.tuple(...good.filter(({ required }) => required).map(({ pair }) => pair));
  const others = good.filter(({ required }) => !required).map(({ pair }) => pair);
  const bad = fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(query), "x"), oddName), asText);
  const more =
    others.length === 0 ? bad : fc.oneof({ weight: 6, arbitrary: fc.oneof(...others) }, bad);
  return fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: needed }, fc.constant([])),
      fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, fc.array(more, { maxLength: 3 })),
    )
    .map((parts) => parts.flat())
    .map((pairs) => (pairs.length === 0 ? "" : `?${encoded(pairs)}`));
}

function bodiesOf(route: Route<AppContext>): fc.Arbitrary<FuzzRequest["body"]> {
  if (route.upload !== undefined)
    return fc.oneof(
      uploads,
      garbage.map((raw) => ({ raw })),
    );
  const some = fieldsOf(route);
  const more = fc.dictionary(oddName, odd, { maxKeys: 3 });
  const object = fc.oneof(
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: fc.tuple(more, some).map(([extra, own]) => ({ ...extra, ...own })) },
  );
  return fc.oneof(
    { weight: 5, arbitrary: object.map((json) => ({ json })) },
    { weight: 4, arbitrary: object.map((fields) => ({ form: asForm(fields) })) },
    { weight: 1, arbitrary: odd.map((json) => ({ json: json ?? null })) },
    { weight: 1, arbitrary: garbage.map((raw) => ({ raw })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

function fieldsOf(route: Route<AppContext>): fc.Arbitrary<Record<string, unknown>> {
  if (route.body === undefined && route.path.startsWith("/checkout/")) return cardForms;
  const fields = Object.entries(route.body ?? {});
  const arbitraries = fields.map(([field, { schema }]) => {
    const known = KNOWN_FIELDS[field];
    const good = goodValues(schema) ?? odd;
    return [
      field,
      fc.oneof(
        { weight: known === undefined ? 0 : 12, arbitrary: fc.constant(known) },
        { weight: 12, arbitrary: good },
        { weight: 1, arbitrary: odd },
      ),
    ] as const;
  });
  const required = fields.filter(([, { required: is }]) => is).map(([field]) => field);
  const record = Object.fromEntries(arbitraries);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(record, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(record, { requiredKeys: [] }) },
  );
}

/** Without the spaces that the sandbox's page shows some of them with, to everybody. */
const CARD_NUMBERS = [
  ...Object.values(CARDS).map((number) => number.replaceAll(" ", "")),
  ...usableCards().map(({ number }) => number),
];
const mostly = (good: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: odd });

/** What the payment page sends, and its bank. */
export const cardForms: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    form_token: fc.constant("{form_token}"),
    number: mostly(fc.constantFrom(...CARD_NUMBERS)),
    expiry: fc.constantFrom("12/39", "1/40", "12/39", "13/39", "12/20", ""),
    cvv: fc.constantFrom("739", "739", "739", "1234", "12", "x"),
    holder: mostly(fc.constant("Anika Mohammed")),
    attempts: fc.constantFrom("0", "0", "0", "1", "2", "x"),
    do: fc.constantFrom("pay", "states"),
    country: fc.constantFrom("TT", "JM", "XX"),
    addr1: odd,
    city: odd,
    zipcode: odd,
    phone: odd,
    result: fc.constantFrom("passed", "refused", "x"),
    token: odd,
  },
  { requiredKeys: ["form_token", "number", "expiry", "cvv", "holder", "attempts"] },
);

export const uploads = fc
  .record({
    file: fc.oneof(
      fc.constantFrom(...["netpbm.png", "interlaced-gifsicle.gif", "librsvg.svg"].map(fixture)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    ),
    method: fc.constantFrom(undefined, undefined, "PATCH", "x"),
  })
  .map(({ file, method }) => pictureForm(file, method));

function asForm(object: Record<string, unknown>): Record<string, string> {
  const pairs = Object.entries(object).map(([field, value]) => [field, textOf(value)]);
  return Object.fromEntries(pairs);
}

export function encoded(pairs: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams();
  for (const [field, value] of pairs) query.append(field.toWellFormed(), value.toWellFormed());
  return query.toString();
}
