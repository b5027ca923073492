/** Who acts for the account, who is invited, and the form to invite somebody. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { mayManage, ROLES, type Role } from "../../kit/roles.ts";
import type { OpenInvitation } from "../../modules/people/invite-member.ts";
import type { Member } from "../../modules/people/member.ts";
import { badge } from "../../parts/badge.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { selectField, textField } from "../../parts/field.ts";
import { button, postButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { inSettings } from "./tabs.ts";

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: "Owner: everything",
  admin: "Admin: everything but withdrawals and security",
  finance: "Finance: payments, refunds, withdrawals, bank details",
  developer: "Developer: payments, keys, webhooks, request log",
  support: "Support: payments, cards, refunds up to a limit",
  viewer: "Viewer: sees payments and balances, changes nothing",
};

/** "Owner". */
export function roleName(role: Role): string {
  return role.replace(/^./, (first) => first.toUpperCase());
}

export function roleChoices(manager: Role) {
  return ROLES.filter((role) => mayManage(manager, role)).map((role) => ({
    value: role,
    text: ROLE_WORDS[role],
  }));
}

export interface MembersView {
  readonly members: readonly Member[];
  readonly invitations: readonly OpenInvitation[];
  readonly canSendMail: boolean;
  readonly sent?: { readonly email: string; readonly role: string };
  readonly refused?: RefusedForm;
}

export function membersPage(visitor: Visitor, view: MembersView): Answer {
  return consolePage(visitor, {
    title: "Members",
    ...inSettings(visitor, "Members"),
    problem: view.refused?.summary,
    content: [
      memberTable(visitor, view),
      invitationTable(visitor, view),
      inviteForm(visitor, view),
    ],
  });
}

function memberTable(visitor: Visitor, { members }: MembersView) {
  return panel({
    heading: "Members",
    isFlush: true,
    content: table<Member>({
      caption: "Members",
      rows: members,
      href: ({ personId }) => `/console/settings/members/${personId}`,
      columns: [
        { label: "Name", phone: "lead", cell: ({ name }) => name },
        { label: "E-mail", cell: ({ email }) => email },
        { label: "Role", cell: ({ role }) => roleName(role) },
        {
          label: "Second factor",
          cell: ({ hasSecondFactor }) =>
            hasSecondFactor ? badge("good", "On") : badge("plain", "Off"),
        },
        {
          label: "You",
          isUnlabelled: true,
          phone: "side",
          cell: ({ personId }) => personId === visitor.person.personId && "You",
        },
      ],
      empty: html``,
    }),
  });
}

function invitationTable(visitor: Visitor, { invitations }: MembersView) {
  return panel({
    heading: "Open invitations",
    isFlush: true,
    content: table<OpenInvitation>({
      caption: "Open invitations",
      rows: invitations,
      columns: [
        { label: "E-mail", phone: "lead", cell: ({ email }) => email },
        { label: "Role", cell: ({ role }) => roleName(role) },
        { label: "Invited by", cell: ({ invited_by_name }) => invited_by_name },
        { label: "Good until", cell: (row) => timeHtml(row.expires_at, visitor.timeZone) },
        {
          label: "Cancel",
          isUnlabelled: true,
          cell: ({ invitation_id, email, role }) =>
            mayManage(visitor.role, role) &&
            postButton({
              action: `/console/settings/invitations/${invitation_id}/withdraw`,
              csrf: visitor.formToken,
              text: "Cancel invitation",
              about: `of ${email}`,
              isSmall: true,
            }),
        },
      ],
      empty: emptyState({ heading: "No open invitations" }),
    }),
  });
}

function inviteForm(visitor: Visitor, { canSendMail, sent, refused }: MembersView) {
  const form = postForm({
    action: "/console/settings/members",
    csrf: visitor.formToken,
    content: html`${textField({
      name: "email",
      label: "E-mail",
      type: "email",
      value: sent?.email ?? "",
      error: refused?.errorOf("email"),
      required: true,
    })}
${selectField({
  name: "role",
  label: "Role",
  options: roleChoices(visitor.role),
  value: sent?.role ?? "viewer",
  error: refused?.errorOf("role"),
  hint: "Support cannot refund until an owner sets a limit on their page, once they have joined.",
})}
${button({ text: "Send the invitation", kind: "primary" })}`,
  });
  return panel({
    heading: "Invite somebody",
    text: "They get a link by e-mail. It works once, within seven days.",
    content: canSendMail
      ? form
      : notice({
          tone: "warn",
          heading: "E-mail is not set up",
          text: "Nobody can be invited until the operator of this service has set it up.",
        }),
  });
}
