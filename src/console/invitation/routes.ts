/**
 * The page of an invitation, `/invite/{token}`. Somebody new chooses a name and a password there;
 * somebody who has a sign-in uses it first, then accepts.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type Call, publicRoute, type Route } from "../../infra/http/route.ts";
import { ServiceError } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { withoutLink } from "../../kit/fields/link-inside.ts";
import { text } from "../../kit/fields/text.ts";
import {
  acceptAsKnownPerson,
  acceptAsNewPerson,
  hasPasswordOfMaker,
  InvitationInvalid,
} from "../../modules/people/accept-invitation.ts";
import { findInvitation, type OpenInvitation } from "../../modules/people/invite-member.ts";
import { findPersonByEmail } from "../../modules/people/person.ts";
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

type PageRequest = Pick<Call<never, never, never>, "address" | "header" | "url">;

/** Who is to accept: somebody new, or somebody known, signed in or not. */
async function invitedOf(ctx: ConsoleContext, token: string, call: PageRequest) {
  const invitation = await findInvitation(ctx.db, token);
  if (invitation === undefined) throw new InvitationInvalid("no such invitation");
  const person = await findPersonByEmail(ctx.db, invitation.email);
  const visitor = await visitorOf(ctx, call);
  const isSignedIn = person !== undefined && visitor?.person.personId === person.personId;
  const isOwnPassword = person === undefined || !(await hasPasswordOfMaker(ctx.db, person));
  return { invitation, person, isSignedIn, isOwnPassword };
}

function viewOf(
  ctx: ConsoleContext,
  token: string,
  { invitation, person, isSignedIn, isOwnPassword }: Awaited<ReturnType<typeof invitedOf>>,
): InvitationView {
  const known = isSignedIn ? "signed in" : "known";
  return {
    invitation,
    passwords: ctx.config.passwords,
    csrf: pageFormToken(ctx.config, `invite ${token}`),
    action: `/invite/${token}`,
    who: person === undefined ? "new" : isOwnPassword ? known : "without own password",
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
    const { person, isSignedIn, isOwnPassword, invitation } = invited;
    if (person === undefined) return joinAsNew(ctx, invitation, call.texts(), { from, token });
    if (!isOwnPassword) return redirect(`/invite/${token}`);
    if (!isSignedIn) return redirect(withNext("/sign-in", `/invite/${token}`));
    await acceptAsKnownPerson(ctx, invitation, { ...from, ...person });
    return redirect("/console?done=joined");
  },
});

async function joinAsNew(
  ctx: ConsoleContext,
  invitation: OpenInvitation,
  sent: SentForm,
  { from, token }: { readonly from: { address: string; browser: string }; readonly token: string },
): Promise<Answer> {
  const nobody = { person: undefined, isSignedIn: false, isOwnPassword: true };
  const view = viewOf(ctx, token, { invitation, ...nobody });
  const passwords = {
    new_password: sent.new_password ?? "",
    confirm_password: sent.confirm_password ?? "",
  };
  try {
    const { name } = readFields(NAME, sent);
    const problem = passwordProblem(ctx, invitation, passwords);
    if (problem !== undefined) return invitationPage({ ...view, name, problem });
    const password = await ctx.passwords.digest(passwords.new_password);
    await acceptAsNewPerson(ctx, invitation, { ...from, name, password });
    return redirect("/sign-in?done=joined");
  } catch (error) {
    if (!(error instanceof ServiceError) || error.field !== "name") throw error;
    const problem = { field: "name", sentence: error.message } as const;
    return invitationPage({ ...view, name: sent.name ?? "", problem });
  }
}

export const invitationRoutes: readonly Route<ConsoleContext>[] = [show, accept];
