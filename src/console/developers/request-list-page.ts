/** The request log: filters, the box that leads to one request, and the list. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { BrowsedRequests } from "../../modules/request-log/browse-requests.ts";
import type { ListedRequest } from "../../modules/request-log/logged-request.ts";
import { METHODS } from "../../modules/request-log/routes.ts";
import { badge } from "../../parts/badge.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { dateField, selectField, textField } from "../../parts/field.ts";
import { filterForm } from "../../parts/filter-form.ts";
import { linkButton } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import {
  type RequestFilterName,
  requestsHref,
  type TypedRequestFilters,
} from "./request-filters.ts";
import { inDevelopers, REQUESTS } from "./tabs.ts";

export const REQUESTS_SHOWN = 25;

export interface RequestList {
  readonly typed: TypedRequestFilters;
  /** Undefined when a filter was refused. */
  readonly found?: BrowsedRequests;
  /** Whether it begins at the end of the log. */
  readonly isNewest: boolean;
  readonly keptDays: number;
  readonly refused?: RefusedForm;
  /** What was typed into the box and is no request of the account. */
  readonly missing?: string;
}

export function requestListPage(visitor: Visitor, list: RequestList): Answer {
  const { found, missing } = list;
  return consolePage(visitor, {
    title: "Requests",
    ...inDevelopers(visitor, "Requests"),
    problem: list.refused?.summary,
    content: [
      filters(list),
      missing !== undefined &&
        notice({
          tone: "warn",
          heading: "There is no such request",
          text: html`No request of this account in the last ${list.keptDays} days has the id
<code>${missing}</code>. It stands in the header <code>X-Request-Id</code> of every answer.`,
        }),
      found !== undefined && foundPanel(visitor, { ...list, found }),
    ],
  });
}

function filters({ typed, refused, missing }: RequestList): Html {
  const of = (name: RequestFilterName) => ({
    name,
    value: typed[name] ?? "",
    error: refused?.errorOf(name),
  });
  const methods = METHODS.map((value) => ({ value, text: value }));
  const isAny = Object.keys(typed).length > 0 || missing !== undefined;
  return filterForm({
    action: REQUESTS,
    search: {
      name: "id",
      label: "Go to a request by its id",
      value: missing ?? "",
      placeholder: "Request id",
    },
    filtersSet: Object.keys(typed).length,
    clearHref: isAny ? REQUESTS : undefined,
    filters: [
      selectField({ ...of("method"), label: "Method", options: methods, empty: "Any" }),
      textField({ ...of("path"), label: "Path begins with", isCode: true }),
      textField({ ...of("status"), label: "Status", inputmode: "numeric" }),
      textField({ ...of("code"), label: "Error code", isCode: true }),
      textField({ ...of("order_id"), label: "Order", isCode: true }),
      textField({ ...of("credential"), label: "Key (kid)", isCode: true }),
      dateField({ ...of("since"), label: "From" }),
      dateField({ ...of("until"), label: "To" }),
    ],
  });
}

function foundPanel(
  { timeZone }: Visitor,
  list: RequestList & { readonly found: BrowsedRequests },
): Html {
  const { found } = list;
  return panel({
    isFlush: true,
    content: [
      table<ListedRequest>({
        caption: "Requests",
        rows: found.rows,
        href: ({ request_id }) => `${REQUESTS}/${request_id}`,
        columns: [
          {
            label: "Request",
            phone: "lead",
            cell: ({ method, path }) => html`<code>${method} ${path}</code>`,
          },
          { label: "Status", phone: "side", cell: statusBadge },
          { label: "Time", phone: "note", cell: ({ at }) => timeHtml(at, timeZone, "seconds") },
          { label: "Error", cell: ({ code }) => code !== null && html`<code>${code}</code>` },
          { label: "Took", align: "end", cell: ({ duration_ms }) => `${duration_ms} ms` },
          { label: "By", cell: ({ credential }) => credentialHtml(credential) },
        ],
        empty: nothingFound(list),
      }),
      pages(list),
    ],
  });
}

export function statusBadge({ status }: Pick<ListedRequest, "status">): Html {
  if (status >= 500) return badge("bad", `${status}`);
  if (status >= 400) return badge("warn", `${status}`);
  return badge("good", `${status}`);
}

export function credentialHtml(credential: string | null): HtmlValue {
  if (credential === null) return "No credential";
  if (credential.startsWith("grant ")) return "A sign-in";
  if (credential.startsWith("person ")) return "A member";
  return html`<code>${credential}</code>`;
}

function nothingFound({ typed, keptDays }: RequestList): Html {
  if (Object.keys(typed).length === 0)
    return emptyState({
      heading: "No requests yet",
      text: [
        "Requests of your programs show here about a second after their answers, ",
        `for ${keptDays} days.`,
      ],
    });
  return emptyState({
    heading: "Nothing found",
    text: "No request that was looked at fits these filters.",
    icon: "search",
    action: linkButton({ text: "Show all requests", href: REQUESTS }),
  });
}

function pages(list: RequestList & { readonly found: BrowsedRequests }): HtmlValue {
  const { found, typed, isNewest } = list;
  const { rows, older } = found;
  if (isNewest && older === undefined) return undefined;
  return pager({
    shown: rows.length === 1 ? "1 request" : `${rows.length} requests`,
    newer: isNewest ? undefined : requestsHref(typed),
    older: older && requestsHref(typed, { before: older }),
  });
}
