/** The link by which a payment was made, and what the customer typed for it. */

import { type HtmlValue, html } from "../../kit/html.ts";
import { findLink, type LinkRow } from "../../modules/payment-links/payment-link.ts";
import type { PaidRow } from "../../modules/transactions/refund.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { panel } from "../../parts/panel.ts";
import type { ConsoleContext } from "../context.ts";
import { linkHref } from "../links/link-words.ts";
import type { Visitor } from "../visitor.ts";

export async function linkOf(
  { db }: ConsoleContext,
  { account: { accountNumber } }: Visitor,
  { payment_link: id, environment }: PaidRow,
): Promise<LinkRow | undefined> {
  return id === null ? undefined : findLink(db, { id, accountNumber, environment });
}

export function linkPanel(visitor: Visitor, paid: PaidRow, link: LinkRow | undefined): HtmlValue {
  if (link === undefined) return undefined;
  const { title, reference_label: label } = link;
  const name = visitor.mayDo("links") ? html`<a href="${linkHref(link)}">${title}</a>` : title;
  const content = definitionList([
    { term: "Link", value: name },
    { term: label ?? "Customer's reference", value: paid.link_reference ?? undefined },
  ]);
  return panel({ heading: "Payment link", content });
}
