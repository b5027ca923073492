/** Which mails the visitor wants for this account; those about security are always sent. */

import type { Answer } from "../../infra/http/answer.ts";
import { type HtmlValue, html } from "../../kit/html.ts";
import { isBouncing } from "../../modules/mail/bounces.ts";
import { canSendMail } from "../../modules/mail/queue-mail.ts";
import {
  type NotificationChoices,
  notificationChoices,
  PAYMENT_CHOICES,
  type PaymentChoice,
  setNotificationChoices,
} from "../../modules/notifications/notification-choices.ts";
import { setWantsStatements, wantsStatements } from "../../modules/people/statement-mail.ts";
import { type Choice, checkboxField, selectField } from "../../parts/field.ts";
import { button, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { inSettings } from "./tabs.ts";

const PAGE = "/console/settings/notifications";

function membershipOf({ account, person }: Visitor) {
  return { accountNumber: account.accountNumber, personId: person.personId };
}

const PAYMENT_OPTIONS: readonly Choice[] = [
  { value: "none", text: "None" },
  { value: "by_link", text: "Paid by a payment link" },
  { value: "all", text: "Every payment" },
] satisfies readonly (Choice & { value: PaymentChoice })[];

function fields(
  { mayDo }: Visitor,
  wanted: NotificationChoices & { readonly statements: boolean },
): readonly HtmlValue[] {
  return [
    selectField({
      name: "payments",
      label: "A payment came in",
      options: PAYMENT_OPTIONS,
      value: wanted.payments,
    }),
    checkboxField({
      name: "disputes",
      label: "A customer disputes a payment",
      isChecked: wanted.disputes,
    }),
    mayDo("withdrawals") &&
      checkboxField({
        name: "withdrawals",
        label: "A withdrawal is held, has failed or came back",
        isChecked: wanted.withdrawals,
      }),
    checkboxField({
      name: "statements",
      label: "The monthly statement, on the first of the next month",
      isChecked: wanted.statements,
    }),
  ];
}

const show = consoleRoute({
  method: "GET",
  path: PAGE,
  summary: "Notifications",
  right: "balances",
  async run({ db, config }: ConsoleContext, _call, visitor): Promise<Answer> {
    const membership = membershipOf(visitor);
    const statements = await wantsStatements(db, membership);
    const choices = await notificationChoices(db, membership, visitor.role);
    return consolePage(visitor, {
      title: "Notifications",
      ...inSettings(visitor, "Notifications"),
      content: [
        !canSendMail(config) &&
          notice({
            tone: "warn",
            heading: "E-mail is not set up",
            text: "Nothing is sent until the operator of this service has set it up.",
          }),
        (await isBouncing(db, visitor.person.email)) &&
          notice({
            tone: "warn",
            heading: "We cannot reach you by e-mail",
            text: `The mail server for ${visitor.person.email} refused our last e-mail.`,
          }),
        panel({
          heading: "By e-mail",
          text: `To ${visitor.person.email}`,
          content: postForm({
            action: PAGE,
            csrf: visitor.formToken,
            content: html`${fields(visitor, { ...choices, statements })}
${button({ text: "Save", kind: "primary" })}`,
          }),
        }),
        panel({
          heading: "Always sent to owners",
          content: html`<ul><li>a sign-in from a browser not seen before</li>
<li>changed bank details</li><li>a new API key</li>
<li>replaced payment keys</li><li>a new member</li>
<li>a changed password</li><li>another e-mail to sign in with</li>
<li>a changed sign-in to the API</li></ul>`,
        }),
      ],
    });
  },
});

const save = consoleRoute({
  method: "POST",
  path: PAGE,
  summary: "Say which mails are wanted",
  right: "balances",
  async run({ db }: ConsoleContext, { texts }, visitor): Promise<Answer> {
    const sent = texts();
    const membership = membershipOf(visitor);
    // Absent from a form of before there was this choice, which then stays as it is.
    const payments = PAYMENT_CHOICES.find((choice) => choice === sent.payments);
    await db.transaction(async (tx) => {
      await setWantsStatements(tx, membership, sent.statements === "yes");
      if (payments === undefined) return;
      await setNotificationChoices(tx, membership, {
        payments,
        disputes: sent.disputes === "yes",
        withdrawals: visitor.mayDo("withdrawals") ? sent.withdrawals === "yes" : null,
      });
    });
    return redirect(`${PAGE}?done=saved`);
  },
});

export const notificationRoutes: readonly ConsoleRoute<ConsoleContext>[] = [show, save];
