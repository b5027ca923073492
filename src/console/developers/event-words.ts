/** What an event is about, and where its page is. */

import type { Right } from "../../kit/roles.ts";
import type { ListedEvent } from "../../modules/events/list-events.ts";
import type { Visitor } from "../visitor.ts";
import { WEBHOOKS } from "./tabs.ts";

interface Subject {
  readonly name: string;
  readonly right: Right;
  href(resource: string): string;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  payment: {
    name: "Payment",
    right: "payments",
    href: (id) => `/console/payments/${id}`,
  },
  withdrawal: {
    name: "Withdrawal",
    right: "withdrawals",
    href: (id) => `/console/withdrawals/${id}`,
  },
  trusted_card: { name: "Card", right: "cards", href: () => "/console/cards" },
  webhook: { name: "Endpoint", right: "keys", href: (id) => `${WEBHOOKS}/${id}` },
};

/** Undefined where the visitor's role has no such page. */
export function subjectOf(
  visitor: Visitor,
  { event, resource }: Pick<ListedEvent, "event" | "resource">,
): { readonly name: string; readonly href: string } | undefined {
  const subject = SUBJECTS[event.slice(0, event.indexOf("."))];
  if (subject === undefined || !visitor.mayDo(subject.right)) return undefined;
  return { name: subject.name, href: subject.href(resource) };
}
