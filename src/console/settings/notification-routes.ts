/** Which mails the visitor wants for this account; those about security are always sent. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { isBouncing } from "../../modules/mail/bounces.ts";
import { canSendMail } from "../../modules/mail/queue-mail.ts";
import { setWantsStatements, wantsStatements } from "../../modules/people/statement-mail.ts";
import { checkboxField } from "../../parts/field.ts";
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

const show = consoleRoute({
  method: "GET",
  path: PAGE,
  summary: "Notifications",
  right: "balances",
  async run({ db, config }: ConsoleContext, _call, visitor): Promise<Answer> {
    const isChecked = await wantsStatements(db, membershipOf(visitor));
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
            content: html`${checkboxField({
              name: "statements",
              label: "The monthly statement, on the first of the next month",
              isChecked,
            })}
${button({ text: "Save", kind: "primary" })}`,
          }),
        }),
        panel({
          heading: "Always sent to owners",
          content: html`<ul><li>a sign-in from a browser not seen before</li>
<li>changed bank details</li><li>a new API key</li>
<li>replaced payment keys</li><li>a new member</li>
<li>a changed password</li><li>a changed sign-in to the API</li></ul>`,
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
    await setWantsStatements(db, membershipOf(visitor), texts().statements === "yes");
    return redirect(`${PAGE}?done=saved`);
  },
});

export const notificationRoutes: readonly ConsoleRoute<ConsoleContext>[] = [show, save];
