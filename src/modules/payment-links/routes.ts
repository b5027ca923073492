/** Making, listing, reading and changing payment links (Decision 0100). */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { type Caller, environmentOf, reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { flag } from "../../kit/fields/flag.ts";
import { text } from "../../kit/fields/text.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import { EXAMPLE, saidWith } from "../../kit/response-schema.ts";
import { scopes } from "../../kit/scopes.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { fieldsForAccount } from "../checkout/request/account-limits.ts";
import { type FieldRules, rulesOf } from "../checkout/request/request-fields.ts";
import { changeLink, NOTHING_TO_CHANGE, tooFewSlots } from "./change-link.ts";
import { createLink, inThePast, UNFIT_FIELDS } from "./create-link.ts";
import {
  environmentField,
  linkChangeFields,
  newLinkFields,
  ONLY_HTTPS_SUCCESS,
} from "./link-fields.ts";
import { findLink, listLinks, type WantedLink } from "./payment-link.ts";
import { linkView, viewLink } from "./view-link.ts";

const group = "Payment links";
const params = { id: described(text({ max: 64 }), "Of the link.", EXAMPLE.uuid) };
const access = (action: "create" | "retrieve" | "update") =>
  ({
    credentials: "either",
    changes: "environment",
    anyScope: scopes("links", action),
  }) as const;
const unknown = { about: "No such payment link of this account within the credential's reach" };

function wantedOf(
  { accountNumber, credential }: Caller,
  id: string,
  environment: Environment | undefined,
): WantedLink {
  return { id, accountNumber, environment: reachOf(credential, environment) };
}

const createRoute = (rules: FieldRules): Route<Infra> =>
  protectedRoute({
    method: "POST",
    path: "/payment-links",
    group,
    summary: "Make a payment link",
    about:
      "An address at which customers pay without a shop: send it, print its QR code, or put it " +
      "on a site. Each payment is an ordinary one, with an order of its own. `max_payments` and " +
      "`expires_at` hold whatever happens at once: a card takes a slot when it is submitted and " +
      "gives it back when it fails.",
    access: access("create"),
    idempotent: true,
    body: newLinkFields(rules),
    bodyFor: ({ countryCode }) => newLinkFields(rules, countryCode),
    bodyAfterRefusal: fieldsForAccount({
      rules,
      payeeOf: (_refused, caller) => caller,
      fields: (by, { countryCode }) => newLinkFields(by, countryCode),
    }),
    answers: {
      201: { about: "The link", body: saidWith(linkView, "Created") },
      400: {
        about: "A field is invalid, or the amounts do not go together",
        refusals: UNFIT_FIELDS,
      },
    },
    run: ({ config }: Infra, { body, once }, caller) =>
      once(async (tx) =>
        created({ data: viewLink(config, await createLink(tx, caller, body, rules)) }),
      ),
  });

const listRoute: Route<Infra> = protectedRoute({
  method: "GET",
  path: "/payment-links",
  group,
  summary: "List payment links",
  access: access("retrieve"),
  query: {
    environment: described(environmentField, "Absent: that of the API key, or live.", "sandbox"),
    label: described(optional(text({ max: 60 })), "Only those with this label.", "Classes"),
    active: described(optional(flag()), "Only those that are switched on, or off.", true),
    ...pageFields,
  },
  answers: { 200: { about: "The links, newest first", body: pageAnswer(linkView) } },
  async run({ config, db }: Infra, { query, url }, caller) {
    const environment = environmentOf(caller, query.environment);
    const { rows, total } = await listLinks(db, caller, { ...query, environment });
    const shown = rows.map((row) => viewLink(config, row));
    return plainJson(pageBody(query, { rows: shown, total }, url));
  },
});

const readRoute: Route<Infra> = protectedRoute({
  method: "GET",
  path: "/payment-links/{id}",
  group,
  summary: "Read one payment link",
  access: access("retrieve"),
  params,
  query: { environment: environmentField },
  answers: { 200: { about: "The link", body: saidWith(linkView) }, 404: unknown },
  async run({ config, db }: Infra, { params: { id }, query }, caller) {
    const found = await findLink(db, wantedOf(caller, id, query.environment));
    return ok({ data: viewLink(config, found) });
  },
});

const changeRoute = (rules: FieldRules): Route<Infra> =>
  protectedRoute({
    method: "PATCH",
    path: "/payment-links/{id}",
    group,
    summary: "Change a payment link, or switch it off",
    about:
      "What is left out stays; null or an empty text clears a field. What it costs cannot be " +
      "changed: the link may already be printed or sent.",
    access: access("update"),
    params,
    body: linkChangeFields(rules),
    answers: {
      200: { about: "The link as it is now", body: saidWith(linkView) },
      400: {
        about: "A field is invalid or cannot be changed, or there is none",
        refusals: [
          new NothingToChange(NOTHING_TO_CHANGE),
          () => linkChangeFields(rules).amount.read("1.00", "amount"),
          tooFewSlots(7),
          inThePast(),
          ONLY_HTTPS_SUCCESS,
        ],
      },
      404: unknown,
    },
    run: ({ config }: Infra, { params: { id }, body, once }, caller) =>
      once(async (tx) => {
        const { environment, ...change } = body;
        const wanted = wantedOf(caller, id, environment);
        const changed = await changeLink(tx, caller, wanted, { change, rules });
        return ok({ data: viewLink(config, changed) });
      }),
  });

export function paymentLinkRoutes(config: Config): readonly Route<Infra>[] {
  const rules = rulesOf(config);
  return [createRoute(rules), listRoute, readRoute, changeRoute(rules)];
}
