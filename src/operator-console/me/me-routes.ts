/** An operator's own page: second factors and sessions; and the fresh proof that factors need. */

import { redirect } from "../../console/answers.ts";
import { browserWords } from "../../console/me/browser-words.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import { UUID } from "../../kit/ids.ts";
import { endOtherSessions, endOwnSession } from "../../modules/people/end-own-sessions.ts";
import { listOperatorSessions } from "../../modules/people/operators/operator-session.ts";
import { passkeysOf } from "../../modules/people/passkeys.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { badge } from "../../parts/badge.ts";
import { linkButton, postButton } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { type Column, table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { type OperatorRoute, operatorRoute } from "../operator-route.ts";
import { operatorPage } from "../page.ts";
import type { OperatorVisitor } from "../visitor.ts";
import { factorRoutes } from "./factor-routes.ts";
import { ownPasswordRoutes } from "./own-password-routes.ts";
import { proveRoutes } from "./prove-routes.ts";

type ListedSession = Awaited<ReturnType<typeof listOperatorSessions>>[number];
type Passkey = Awaited<ReturnType<typeof passkeysOf>>[number];

const TIME_ZONE = "UTC";

function sessionColumns({ sessionId, formToken }: OperatorVisitor): Column<ListedSession>[] {
  return [
    { label: "Browser", phone: "lead", cell: ({ browser }) => browserWords(browser) },
    { label: "Address", cell: ({ address }) => address },
    { label: "Signed in", cell: ({ created_at }) => timeHtml(created_at, TIME_ZONE) },
    {
      label: "Action",
      isUnlabelled: true,
      phone: "side",
      align: "end",
      cell: (row) =>
        row.session_id === sessionId
          ? badge("good", "This one")
          : postButton({
              action: `/operator/me/sessions/${row.session_id}/end`,
              csrf: formToken,
              text: "Sign out",
              about: `${browserWords(row.browser)}, ${row.address}`,
              isSmall: true,
            }),
    },
  ];
}

const PASSKEY_COLUMNS: readonly Column<Passkey>[] = [
  { label: "Name", phone: "lead", cell: ({ name }) => name },
  { label: "Added", cell: ({ created_at }) => timeHtml(created_at, TIME_ZONE, "date") },
];

const me = operatorRoute({
  method: "GET",
  path: "/operator/me",
  summary: "An operator's own page",
  right: "self",
  async run(ctx, _call, visitor): Promise<Answer> {
    const { person, formToken } = visitor;
    const factors = await secondFactorsOf(ctx.db, person.personId);
    const passkeys = await passkeysOf(ctx.db, person.personId);
    const sessions = await listOperatorSessions(ctx.db, person.personId);
    return operatorPage(visitor, {
      title: "Your profile",
      content: [
        panel({
          heading: person.name,
          text: person.email,
          actions: linkButton({ text: "Change password", href: "/operator/me/password" }),
          content: html`<p>Your role is ${visitor.role}.</p>`,
        }),
        panel({
          heading: "Authenticator app",
          actions: linkButton({
            text: factors.totp ? "Remove" : "Set up an app",
            href: "/operator/me/authenticator",
          }),
          content: html`<p>
${factors.totp ? badge("good", "Set up") : badge("plain", "Not set up")}</p>`,
        }),
        panel({
          heading: "Passkeys",
          actions: linkButton({ text: "Add a passkey", href: "/operator/me/passkeys/new" }),
          isFlush: passkeys.length > 0,
          content: table({
            caption: "Passkeys",
            columns: PASSKEY_COLUMNS,
            rows: passkeys,
            href: ({ passkey_id }) => `/operator/me/passkeys/${passkey_id}`,
            empty: html`<p class="soft">None yet. A passkey is your fingerprint, face or device
PIN.</p>`,
          }),
        }),
        panel({
          heading: "Sessions",
          isFlush: true,
          ...(sessions.length < 2
            ? {}
            : {
                actions: postButton({
                  action: "/operator/me/sessions/end-others",
                  csrf: formToken,
                  text: "Sign out everywhere else",
                }),
              }),
          content: table({
            caption: "Sessions",
            columns: sessionColumns(visitor),
            rows: sessions,
            empty: html``,
          }),
        }),
      ],
    });
  },
});

const endOne = operatorRoute({
  method: "POST",
  path: "/operator/me/sessions/{session_id}/end",
  summary: "End another session of one's own",
  right: "self",
  params: { session_id: text({ max: 64 }) },
  async run(ctx, { params: { session_id } }, visitor): Promise<Answer> {
    if (!UUID.test(session_id)) throw new NotFound("not an id");
    await endOwnSession(ctx, visitor, session_id);
    return redirect("/operator/me");
  },
});

const endOthers = operatorRoute({
  method: "POST",
  path: "/operator/me/sessions/end-others",
  summary: "Sign out everywhere else",
  right: "self",
  async run(ctx, _call, visitor): Promise<Answer> {
    await endOtherSessions(ctx, visitor);
    return redirect("/operator/me");
  },
});

export const meRoutes: readonly OperatorRoute[] = [
  me,
  endOne,
  endOthers,
  ...factorRoutes,
  ...ownPasswordRoutes,
  ...proveRoutes,
];
