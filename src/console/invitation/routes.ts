/**
 * The page of an invitation, `/invite/{token}`. Somebody new chooses a name and a password there;
 * somebody who has a sign-in uses it first, then accepts. Whose sign-in leads nowhere chooses a new
 * password there; and whose password another company may know, by a mailed link before.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type CallHead, publicRoute, type Route } from "../../infra/http/route.ts";
import { ServiceError } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { withoutLink } from "../../kit/fields/link-inside.ts";
import { text } from "../../kit/fields/text.ts";
import { acceptAgain, actsForNobody } from "../../modules/people/accept-again.ts";
import {
  acceptAsKnownPerson,
  acceptAsNewPerson,
  hasPasswordOfMaker,
  InvitationInvalid,
} from "../../modules/people/accept-invitation.ts";
import { findInvitation } from "../../modules/people/invite-member.ts";
import { findPersonByEmail, type SigningPerson } from "../../modules/people/person.ts";
import { passwordProblem } from "../../modules/people/reset-password.ts";
import { redirect } from "../answers.ts";
import { PAGE_ROUTE, withNext } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandOwnPost, pageFormToken } from "../form-token.ts";
import type { SentForm } from "../refused.ts";
import { browserName, visitorOf } from "../visitor.ts";
import { type InvitationView, invitationGonePage, invitationPage } from "./page.ts";

const params = { token: text({ max: 1_024 }) };
const NAME = { name: withoutLink(text({ max: 100 })) };

async function invitedOf(ctx: ConsoleContext, token: string, call: CallHead) {
  const invitation = await findInvitation(ctx.db, token);
  if (invitation === undefined) throw new InvitationInvalid("no such invitation");
  const person = await findPersonByEmail(ctx.db, invitation.email);
  if (person === undefined) return { invitation, who: "new" } as const;
  return { invitation, person, who: await whoIs(ctx, person, call) };
}

async function whoIs(
  ctx: ConsoleContext,
  person: SigningPerson,
  call: CallHead,
): Promise<Exclude<InvitationView["who"], "new">> {
  if (await actsForNobody(ctx.db, person)) return "returning";
  if (await hasPasswordOfMaker(ctx.db, person)) return "without own password";
  const visitor = await visitorOf(ctx, call);
  return visitor?.person.personId === person.personId ? "signed in" : "known";
}

function viewOf(
  ctx: ConsoleContext,
  token: string,
  { invitation, who }: Pick<InvitationView, "invitation" | "who">,
): InvitationView {
  return {
    invitation,
    passwords: ctx.config.passwords,
    csrf: pageFormToken(ctx.config, `invite ${token}`),
    action: `/invite/${token}`,
    who,
    signInHref: withNext("/sign-in", `/invite/${token}`),
  };
}

const show = publicRoute({
  ...PAGE_ROUTE,
  method: "GET",
  path: "/invite/{token}",
  summary: "The page of an invitation",
  errorPage: invitationGonePage,
  params,
  async run(ctx: ConsoleContext, call): Promise<Answer> {
    const { token } = call.params;
    return invitationPage(viewOf(ctx, token, await invitedOf(ctx, token, call)));
  },
});

const accept = publicRoute({
  ...PAGE_ROUTE,
  method: "POST",
  path: "/invite/{token}",
  summary: "Accept an invitation",
  errorPage: invitationGonePage,
  limit: { name: "password", per: "address" },
  refuseWhenFull: (ctx: ConsoleContext) => ctx.passwords.demandRoom(),
  params,
  async run(ctx: ConsoleContext, call): Promise<Answer> {
    const { token } = call.params;
    demandOwnPost(ctx.config, call, `invite ${token}`);
    const invited = await invitedOf(ctx, token, call);
    const from = { address: call.address, browser: browserName(call.header("user-agent")) };
    const view = viewOf(ctx, token, invited);
    if (invited.who === "new") return joinAsNew(ctx, view, { ...from, sent: call.texts() });
    const { invitation, person } = invited;
    switch (invited.who) {
      case "returning": {
        const given = { ...from, passwords: passwordsIn(call.texts()) };
        const problem = await acceptAgain(ctx, invitation, person, given);
        return problem === undefined ? JOINED : invitationPage({ ...view, problem });
      }
      case "without own password":
        return redirect(view.action);
      case "known":
        return redirect(view.signInHref);
      case "signed in":
        await acceptAsKnownPerson(ctx, invitation, { ...from, ...person });
        return redirect("/console?done=joined");
    }
  },
});

const JOINED = redirect("/sign-in?done=joined");

function passwordsIn({ new_password = "", confirm_password = "" }: SentForm) {
  return { new_password, confirm_password };
}

async function joinAsNew(
  ctx: ConsoleContext,
  view: InvitationView,
  { sent, ...from }: { address: string; browser: string; sent: SentForm },
): Promise<Answer> {
  const { invitation } = view;
  const passwords = passwordsIn(sent);
  try {
    const { name } = readFields(NAME, sent);
    const problem = passwordProblem(ctx, invitation, passwords);
    if (problem !== undefined) return invitationPage({ ...view, name, problem });
    const password = await ctx.passwords.digest(passwords.new_password);
    await acceptAsNewPerson(ctx, invitation, { ...from, name, password });
    return JOINED;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.field !== "name") throw error;
    const problem = { field: "name", sentence: error.message } as const;
    return invitationPage({ ...view, name: sent.name ?? "", problem });
  }
}

export const invitationRoutes: readonly Route<ConsoleContext>[] = [show, accept];
