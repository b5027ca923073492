/** The pages about members of the account, and what they send. */

import type { Queryable } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { amount } from "../../kit/fields/amount.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { optional, readFields } from "../../kit/fields/field.ts";
import { email } from "../../kit/fields/text.ts";
import { type Money, money } from "../../kit/money.ts";
import { type Right, ROLES } from "../../kit/roles.ts";
import { canSendMail } from "../../modules/mail/queue-mail.ts";
import { changeRole, removeMember, setRefundLimits } from "../../modules/people/change-member.ts";
import {
  inviteMember,
  openInvitations,
  withdrawInvitation,
} from "../../modules/people/invite-member.ts";
import { type Member, membersOf, refundLimitsOf } from "../../modules/people/member.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandId, idParam } from "../id-param.ts";
import { orRefused, type RefusedForm, type SentForm } from "../refused.ts";
import { withoutGrouping } from "../typed-amount.ts";
import type { Visitor } from "../visitor.ts";
import { limitField, mayChangeMember, memberPage, removeMemberPage } from "./member-page.ts";
import { type MembersView, membersPage } from "./members-page.ts";

const LIST = "/console/settings/members";
const right = "members" as const;

async function showMembers(
  { db, config }: ConsoleContext,
  visitor: Visitor,
  more: Pick<MembersView, "sent" | "refused"> = {},
): Promise<Answer> {
  const { accountNumber } = visitor.account;
  return membersPage(visitor, {
    members: await membersOf(db, accountNumber),
    invitations: await openInvitations(db, accountNumber),
    canSendMail: canSendMail(config),
    ...more,
  });
}

async function memberOf(db: Queryable, { account }: Visitor, personId: string): Promise<Member> {
  const members = await membersOf(db, account.accountNumber);
  const member = members.find((each) => each.personId === personId);
  if (member === undefined) throw new NotFound("no such member");
  return member;
}

async function showMember(
  { db }: ConsoleContext,
  visitor: Visitor,
  personId: string,
  refused?: RefusedForm,
): Promise<Answer> {
  const { accountNumber, countryCode } = visitor.account;
  return memberPage(visitor, {
    member: await memberOf(db, visitor, personId),
    limits: await refundLimitsOf(db, { accountNumber, personId }),
    currencies: platformOf(countryCode).currencies,
    ...(refused === undefined ? {} : { refused }),
  });
}

interface MemberForm {
  readonly personId: string;
  readonly sent: SentForm;
  readonly visitor: Visitor;
}

/** What is done to one member; refused, the member's page says why. */
function memberRoute(parts: {
  readonly act: "role" | "limits" | "remove";
  readonly right?: Right;
  readonly summary: string;
  /** Gives the page to go on to. */
  work(tx: Tx, form: MemberForm): Promise<string>;
}): ConsoleRoute<ConsoleContext> {
  return consoleRoute({
    method: "POST",
    path: `${LIST}/{person_id}/${parts.act}`,
    summary: parts.summary,
    right: parts.right ?? right,
    needsProof: true,
    params: { person_id: idParam },
    run: (ctx: ConsoleContext, { params, texts }, visitor) => {
      const personId = demandId(params.person_id);
      const form = { personId, visitor, sent: texts() };
      return orRefused(
        async () => redirect(await ctx.db.transaction((tx) => parts.work(tx, form))),
        (refused) => showMember(ctx, visitor, personId, refused),
      );
    },
  });
}

const TOO_MANY =
  "Too many invitations were sent. Try again in an hour; if that does not work, tomorrow.";

const list = consoleRoute({
  method: "GET",
  path: LIST,
  summary: "Members of the account",
  right,
  run: (ctx: ConsoleContext, _call, visitor) => showMembers(ctx, visitor),
});

const invite = consoleRoute({
  method: "POST",
  path: LIST,
  summary: "Invite somebody",
  right,
  needsProof: true,
  run: (ctx: ConsoleContext, { texts }, visitor) => {
    const sent = texts();
    return orRefused(
      async () => {
        const shape = { email: email({ max: 320 }), role: oneOf(ROLES) };
        const given = readFields(shape, sent);
        const { caller, person: inviter } = visitor;
        await ctx.db.transaction((tx) => inviteMember(ctx, tx, { caller, inviter }, given));
        return redirect(`${LIST}?done=invited`);
      },
      (refused) =>
        showMembers(ctx, visitor, {
          sent: { email: sent.email ?? "", role: sent.role ?? "" },
          refused,
        }),
      { "Too Many Attempts.": TOO_MANY },
    );
  },
});

const withdraw = consoleRoute({
  method: "POST",
  path: "/console/settings/invitations/{invitation_id}/withdraw",
  summary: "Cancel an invitation",
  right,
  needsProof: true,
  params: { invitation_id: idParam },
  async run(ctx: ConsoleContext, { params }, visitor): Promise<Answer> {
    const id = demandId(params.invitation_id);
    await ctx.db.transaction((tx) => withdrawInvitation(tx, visitor.caller, id));
    return redirect(`${LIST}?done=withdrawn`);
  },
});

const one = consoleRoute({
  method: "GET",
  path: `${LIST}/{person_id}`,
  summary: "One member",
  right,
  params: { person_id: idParam },
  run: (ctx: ConsoleContext, { params }, visitor) =>
    showMember(ctx, visitor, demandId(params.person_id)),
});

const role = memberRoute({
  act: "role",
  summary: "Change a member's role",
  async work(tx, { personId, sent, visitor }) {
    const given = readFields({ role: oneOf(ROLES) }, sent);
    await changeRole(tx, visitor.caller, { personId, role: given.role });
    return `${LIST}/${personId}?done=member`;
  },
});

const limits = memberRoute({
  act: "limits",
  right: "refund_limits",
  summary: "Say how much a support member may refund",
  async work(tx, { personId, sent, visitor }) {
    await setRefundLimits(tx, visitor.caller, { personId, limits: readLimits(visitor, sent) });
    return `${LIST}/${personId}?done=member`;
  },
});

function readLimits(visitor: Visitor, sent: SentForm): Money[] {
  return platformOf(visitor.account.countryCode).currencies.flatMap((currency) => {
    const name = limitField(currency);
    const typed = withoutGrouping(sent[name] ?? "");
    const { [name]: minor } = readFields({ [name]: optional(amount("a cent")) }, { [name]: typed });
    return minor === undefined || minor === 0n ? [] : [money(currency, minor)];
  });
}

const removeForm = consoleRoute({
  method: "GET",
  path: `${LIST}/{person_id}/remove`,
  summary: "Whether to remove a member",
  right,
  needsProof: true,
  params: { person_id: idParam },
  async run({ db }: ConsoleContext, { params }, visitor): Promise<Answer> {
    const member = await memberOf(db, visitor, demandId(params.person_id));
    if (!mayChangeMember(visitor, member)) throw new NotFound("not theirs to remove");
    return removeMemberPage(visitor, member);
  },
});

const remove = memberRoute({
  act: "remove",
  summary: "Remove a member",
  async work(tx, { personId, visitor }) {
    await removeMember(tx, visitor.caller, personId);
    return `${LIST}?done=removed`;
  },
});

export const memberRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  list,
  invite,
  withdraw,
  one,
  role,
  limits,
  removeForm,
  remove,
];
