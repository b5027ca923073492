/** One member: the role, what support may refund, and the end of it. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { type Currency, formatMoney, type Money } from "../../kit/money.ts";
import { mayManage } from "../../kit/roles.ts";
import type { Member } from "../../modules/people/member.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { moneyField, selectField } from "../../parts/field.ts";
import { button, confirmForm, linkButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { roleChoices, roleName } from "./members-page.ts";
import { inSettings } from "./tabs.ts";

export interface MemberView {
  readonly member: Member;
  readonly limits: readonly Money[];
  readonly currencies: readonly Currency[];
  readonly refused?: RefusedForm;
}

/** The field of a refund limit. */
export function limitField(currency: Currency): string {
  return `limit_${currency}`;
}

export function memberPage(visitor: Visitor, view: MemberView): Answer {
  const { member } = view;
  const isHolder = isHolderOf(visitor, member);
  const mayChange = mayChangeMember(visitor, member);
  return consolePage(visitor, {
    title: member.name,
    ...inSettings(visitor, "Members"),
    back: { name: "Members", href: "/console/settings/members" },
    problem: view.refused?.summary,
    content: [
      panel({
        content: definitionList([
          { term: "E-mail", value: member.email },
          { term: "Role", value: roleName(member.role) },
          { term: "Second factor", value: member.hasSecondFactor ? "On" : "Off" },
        ]),
      }),
      isHolder &&
        notice({
          tone: "plain",
          text: "This is the holder of the account, who is always an owner.",
        }),
      mayChange && roleForm(visitor, view),
      member.role === "support" && visitor.mayDo("refund_limits") && limitForm(visitor, view),
      mayChange && removePanel(member),
    ],
  });
}

function isHolderOf({ account }: Visitor, { holderOf }: Member): boolean {
  return holderOf === account.accountNumber;
}

export function mayChangeMember(visitor: Visitor, member: Member): boolean {
  return mayManage(visitor.role, member.role) && !isHolderOf(visitor, member);
}

function roleForm(visitor: Visitor, { member, refused }: MemberView) {
  return panel({
    heading: "Change the role",
    text: "They are signed out of this account and have to sign in again.",
    content: postForm({
      action: `/console/settings/members/${member.personId}/role`,
      csrf: visitor.formToken,
      content: html`${selectField({
        name: "role",
        label: "Role",
        options: roleChoices(visitor.role),
        value: member.role,
        error: refused?.errorOf("role"),
      })}
${button({ text: "Change the role", kind: "primary" })}`,
    }),
  });
}

function limitForm(visitor: Visitor, { member, limits, currencies, refused }: MemberView) {
  const fields = currencies.map((currency) => {
    const limit = limits.find((each) => each.currency === currency);
    return moneyField({
      name: limitField(currency),
      label: `Limit in ${currency}`,
      currency,
      value: limit === undefined ? "" : formatMoney(limit),
      error: refused?.errorOf(limitField(currency)),
    });
  });
  return panel({
    heading: "What they may refund",
    text: "The most of one payment, over all its refunds. Empty means nothing.",
    content: postForm({
      action: `/console/settings/members/${member.personId}/limits`,
      csrf: visitor.formToken,
      content: html`${fields}${button({ text: "Save the limits", kind: "primary" })}`,
    }),
  });
}

function removePanel({ personId, name }: Member) {
  return panel({
    heading: "Remove from the account",
    content: linkButton({
      text: `Remove ${name}`,
      href: `/console/settings/members/${personId}/remove`,
      kind: "danger",
    }),
  });
}

export function removeMemberPage(visitor: Visitor, { personId, name, email }: Member): Answer {
  const href = `/console/settings/members/${personId}`;
  return consolePage(visitor, {
    title: `Remove ${name}?`,
    ...inSettings(visitor, "Members"),
    back: { name, href },
    content: panel({
      content: confirmForm({
        action: `${href}/remove`,
        csrf: visitor.formToken,
        text: html`<p><strong>${email}</strong> is signed out at once and no longer acts for this
account. API keys that they made work until you revoke them.</p>`,
        button: "Remove member",
        isDangerous: true,
        cancelHref: href,
      }),
    }),
  });
}
