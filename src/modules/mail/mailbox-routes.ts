/**
 * `/dev/mail`: what the development stage would have sent. Its mails have links that sign people
 * in, so no other stage has these routes.
 */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { type Answer, plainJson } from "../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { UUID } from "../../kit/ids.ts";
import { timestampSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { findInMailbox, type MailboxMail, readMailbox } from "./mailbox.ts";
import { mailboxPage, mailDocument, mailPage } from "./mailbox-page.ts";

const PAGE = { 200: { about: "The page", contentType: "text/html" } };
const PAGE_OF_MAIL = { ...PAGE, 404: { about: "There is no such mail" } };
const MAILS = Type.Array(
  Type.Object({
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
    at: timestampSchema("When it was sent."),
  }),
);
const ID_LENGTH_MAX = 64;

export function mailboxRoutes({ mail }: Pick<Config, "mail">): readonly Route<Infra>[] {
  return mail.transport.kind === "mailbox" ? ROUTES : [];
}

const ROUTES: readonly Route<Infra>[] = [
  publicRoute({
    method: "GET",
    path: "/dev/mail.json",
    summary: "The mails that would have been sent, newest first",
    isHidden: true,
    answers: { 200: { about: "At most the last 200", body: MAILS } },
    async run(ctx: Infra) {
      const mails = await readMailbox(ctx);
      return plainJson(
        mails.map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at })),
      );
    },
  }),
  publicRoute({
    method: "GET",
    path: "/dev/mail",
    summary: "The mailbox",
    isHidden: true,
    answers: PAGE,
    async run(ctx: Infra) {
      return mailboxPage(await readMailbox(ctx));
    },
  }),
  mailRoute("/dev/mail/{id}", "One mail", mailPage),
  mailRoute("/dev/mail/{id}/html", "The HTML part of a mail", mailDocument),
];

function mailRoute(
  path: string,
  summary: string,
  show: (mail: MailboxMail) => Answer,
): Route<Infra> {
  return publicRoute({
    method: "GET",
    path,
    summary,
    isHidden: true,
    params: { id: text({ max: ID_LENGTH_MAX }) },
    answers: PAGE_OF_MAIL,
    async run(ctx: Infra, { params: { id } }) {
      const mail = UUID.test(id) ? await findInMailbox(ctx, id) : undefined;
      if (mail === undefined) throw new NotFound("no such mail in the mailbox");
      return show(mail);
    },
  });
}
