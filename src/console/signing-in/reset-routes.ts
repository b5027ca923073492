/**
 * The page of a password reset link (Decision 0070). Not in the documents: it is for a person's
 * browser. The token in the path is the only secret, so a forged post from another site, which
 * does not know it, changes nothing. Reading the page never uses the link up.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type AnswerDoc, publicRoute, type Route } from "../../infra/http/route.ts";
import { text } from "../../kit/fields/text.ts";
import type { PeopleContext } from "../../modules/people/context.ts";
import {
  demandResetLink,
  ResetLinkInvalid,
  resetPassword,
} from "../../modules/people/reset-password.ts";
import { FORM_PAGE_ANSWERS } from "../../parts/page-answers.ts";
import { resetDone, resetErrorPage, resetForm } from "./reset-page.ts";

/** More than a token has: a longer one is an unknown link like any other. */
const PARAM_LENGTH_MAX = 1_024;

const { 303: _, ...STAYING } = FORM_PAGE_ANSWERS;
const PAGES: Readonly<Record<number, AnswerDoc>> = {
  ...STAYING,
  404: {
    about: "The link is unknown, used or over",
    alsoAs: "text/html",
    refusals: [new ResetLinkInvalid()],
  },
};
const page = {
  path: "/reset/{token}",
  isHidden: true,
  params: { token: text({ max: PARAM_LENGTH_MAX }) },
  answers: PAGES,
  errorPage: resetErrorPage,
} as const;

export const resetRoutes: readonly Route<PeopleContext>[] = [
  publicRoute({
    ...page,
    method: "GET",
    summary: "The page of a password reset link",
    async run(ctx: PeopleContext, { params: { token } }): Promise<Answer> {
      const { email } = await demandResetLink(ctx, token);
      return resetForm(ctx.config.passwords, { email });
    },
  }),
  publicRoute({
    ...page,
    method: "POST",
    summary: "Set the password of a reset link's account",
    limit: { name: "password", per: "address" },
    refuseWhenFull: ({ passwords }: PeopleContext) => passwords.demandRoom(),
    async run(ctx: PeopleContext, { params: { token }, address, texts }): Promise<Answer> {
      const { new_password = "", confirm_password = "" } = texts();
      // Again: it may have filled while the request was counted and its body read.
      ctx.passwords.demandRoom();
      const holder = await demandResetLink(ctx, token);
      const reset = { token, new_password, confirm_password, address };
      const problem = await resetPassword(ctx, holder, reset);
      if (problem === undefined) return resetDone();
      return resetForm(ctx.config.passwords, { email: holder.email, problem });
    },
  }),
];
