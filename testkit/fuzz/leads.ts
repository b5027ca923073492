/**
 * What has to be asked for before there is anything to ask for, so that a route that no request was
 * good for yet is not asked for alone.
 */

import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { routeName } from "../route-requests.ts";

const MAILS = ["GET /dev/mail", "GET /dev/mail/{id}"];
const CARD = ["POST /plugins/payments/request", "POST /checkout/{token}"];
/** Beside the page that a form or a record of a console stands on. */
export const LEADS: Readonly<Record<string, readonly string[]>> = {
  "DELETE /user/logo": ["POST /user/logo"],
  "GET /docs/{page}": ["GET /docs"],
  "GET /docs/{page}/{below}": ["GET /docs/{page}"],
  "GET /console/withdrawals/payees/{list_id}": ["POST /console/withdrawals/payees"],
  "GET /invite/{token}": ["POST /console/settings/members", ...MAILS],
  "GET /logos/{logo_id}": ["POST /user/logo", "GET /user/"],
  "GET /pay/{slug}/done": ["POST /payment-links", "POST /pay/{slug}", "POST /checkout/{token}"],
  "GET /pictures/{picture_id}": ["POST /user/picture", "GET /user/"],
  "GET /reset/{token}": ["POST /forgot", ...MAILS],
  "GET /sandbox/acs/{token}": [...CARD, "GET /checkout/{token}/challenge"],
  "PATCH /user/banks/{type}": ["POST /user/banks/{type}"],
  "PATCH /user/picture": ["POST /user/picture"],
  "POST /console/me/recovery-codes": ["POST /console/me/authenticator"],
  "POST /console/payments/filters/remove": ["POST /console/payments/filters"],
  "POST /console/settings/invitations/{invitation_id}/withdraw": [
    ...["POST /console/settings/members", "GET /console/settings/members"],
  ],
  "POST /invite/{token}": ["GET /invite/{token}"],
  "POST /reset/{token}": ["GET /reset/{token}"],
  "POST /sandbox/acs/{token}": ["GET /sandbox/acs/{token}"],
};

/** These routes, and all that lead to them. */
export function withLeads(
  routes: readonly Route<AppContext>[],
): (names: ReadonlySet<string>) => ReadonlySet<string> {
  const pages = routes.filter(({ method }) => method === "GET");
  const leads = new Map(
    routes.map((route) => {
      const name = routeName(route);
      const page = pageBefore(route, pages);
      return [name, [...(LEADS[name] ?? []), ...(page === undefined ? [] : [routeName(page)])]];
    }),
  );
  return (names) => {
    const all = new Set(names);
    // What is added on the way is visited as well.
    for (const name of all) for (const lead of leads.get(name) ?? []) all.add(lead);
    return all;
  };
}

const IN_CONSOLE = /^\/(?:console|operator)\//;

/** The nearest page of a console that leads there: with its form, or with a link to the record. */
function pageBefore(
  { method, path }: Route<AppContext>,
  pages: readonly Route<AppContext>[],
): Route<AppContext> | undefined {
  const needsOne = method === "POST" || path.includes("{");
  if (!IN_CONSOLE.test(path) || !needsOne) return undefined;
  const isBefore = (page: string) =>
    path.startsWith(`${page}/`) || (path === page && method === "POST");
  return pages
    .filter((page) => isBefore(page.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
}
