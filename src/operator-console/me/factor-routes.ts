/** An operator's second factors: set up, added and removed; one always stays (Decision 0118). */

import { redirect } from "../../console/answers.ts";
import { WRONG_APP_CODE } from "../../console/code-field.ts";
import { passkeyForm } from "../../console/passkey-form.ts";
import { orRefused, type RefusedForm } from "../../console/refused.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { line, text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import { UUID } from "../../kit/ids.ts";
import {
  addPasskey,
  findPasskey,
  PasskeyNotAdded,
  registrationOptions,
  removePasskey,
} from "../../modules/people/passkeys.ts";
import { relyingPartyOf } from "../../modules/people/relying-party.ts";
import {
  beginTotp,
  confirmTotp,
  type Enrolment,
  pendingTotp,
  removeTotp,
} from "../../modules/people/totp.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { textField } from "../../parts/field.ts";
import { confirmForm } from "../../parts/form.ts";
import { notice, problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { type OperatorRoute, operatorRoute } from "../operator-route.ts";
import { operatorPage } from "../page.ts";
import { enrolmentForm } from "../signing-in/set-up-routes.ts";
import type { OperatorVisitor } from "../visitor.ts";

const ME = "/operator/me";
const APP = `${ME}/authenticator`;
const NEW = `${ME}/passkeys/new`;
const ONE = `${ME}/passkeys/{passkey_id}`;
const BACK = { name: "Your profile", href: ME };
const NAME = { name: line(60) };
const params = { passkey_id: text({ max: 64 }) };

/** Changes what signs the person in. */
const security = { right: "self", needsProof: true } as const;

function appPage(visitor: OperatorVisitor, enrolment: Enrolment, problem?: string): Answer {
  const form = { action: APP, csrf: visitor.formToken, next: ME };
  return operatorPage(visitor, {
    title: "Set up an authenticator app",
    back: BACK,
    status: problem === undefined ? 200 : 422,
    problem: problem !== undefined && problemSummary([{ field: "code", message: problem }]),
    content: panel({ content: enrolmentForm(enrolment, form, problem) }),
  });
}

function removePage(
  visitor: OperatorVisitor,
  about: { readonly title: string; readonly action: string; readonly refused?: RefusedForm },
): Answer {
  return operatorPage(visitor, {
    title: about.title,
    back: BACK,
    problem: about.refused?.summary,
    content: panel({
      content: confirmForm({
        action: about.action,
        csrf: visitor.formToken,
        text: html`<p>It will no longer sign you in. Your last second factor cannot be
removed.</p>`,
        button: "Remove",
        isDangerous: true,
        cancelHref: ME,
      }),
    }),
  });
}

async function addPage(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  { host, name = "", refused }: { host: string | undefined; name?: string; refused?: RefusedForm },
): Promise<Answer> {
  const party = relyingPartyOf(ctx.config, host);
  const options = party && (await registrationOptions(ctx, visitor, party));
  const unable = notice({
    tone: "warn",
    heading: "Passkeys do not work here",
    text: "Open the console by its name, not its IP address, in a browser with scripts.",
  });
  return operatorPage(visitor, {
    title: "Add a passkey",
    back: BACK,
    scripts: [passkeyScript],
    problem: refused?.summary,
    content: panel({
      content: html`<div data-no-passkey>${unable}</div>
${
  options !== undefined &&
  passkeyForm({
    ceremony: "create",
    options,
    action: NEW,
    csrf: visitor.formToken,
    fields: textField({
      name: "name",
      label: "Name",
      hint: "To recognise it by, such as the name of the device.",
      value: name,
      required: true,
      maxlength: 60,
      autocomplete: "off",
      error: refused?.errorOf("name"),
    }),
    button: "Add passkey",
    isPrimary: true,
  })
}`,
    }),
  });
}

async function own(ctx: OperatorConsoleContext, visitor: OperatorVisitor, passkeyId: string) {
  const { personId } = visitor.person;
  const found = UUID.test(passkeyId) ? await findPasskey(ctx.db, personId, passkeyId) : undefined;
  if (found === undefined) throw new NotFound("no such passkey of the person");
  return found;
}

const appRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    ...security,
    method: "GET",
    path: APP,
    summary: "Set up an authenticator app, or remove it",
    async run(ctx, _call, visitor): Promise<Answer> {
      const begun = await beginTotp(ctx, visitor);
      if (begun !== undefined) return appPage(visitor, begun);
      return removePage(visitor, { title: "Remove the app", action: `${APP}/remove` });
    },
  }),
  operatorRoute({
    ...security,
    method: "POST",
    path: APP,
    summary: "Take the first code of an authenticator app",
    async run(ctx, { texts }, visitor): Promise<Answer> {
      if (await confirmTotp(ctx, visitor, texts().code ?? "")) return redirect(ME);
      const pending = await pendingTotp(ctx, visitor.person);
      if (pending === undefined) return redirect(APP);
      return { ...appPage(visitor, pending, WRONG_APP_CODE), error: "second_factor_refused" };
    },
  }),
  operatorRoute({
    ...security,
    method: "POST",
    path: `${APP}/remove`,
    summary: "Remove the authenticator app",
    run: (ctx, _call, visitor) =>
      orRefused(
        async () => {
          await removeTotp(ctx, visitor);
          return redirect(ME);
        },
        (refused) =>
          removePage(visitor, { title: "Remove the app", action: `${APP}/remove`, refused }),
      ),
  }),
];

const passkeyRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    ...security,
    method: "GET",
    path: NEW,
    summary: "Add a passkey",
    run: (ctx, { header }, visitor) => addPage(ctx, visitor, { host: header("host") }),
  }),
  operatorRoute({
    ...security,
    method: "POST",
    path: NEW,
    summary: "Take a new passkey",
    async run(ctx, { texts, header }, visitor): Promise<Answer> {
      const { name: typed = "", response = "" } = texts();
      const host = header("host");
      return orRefused(
        async () => {
          const { name } = readFields(NAME, { name: typed.trim() });
          const party = relyingPartyOf(ctx.config, host);
          if (party === undefined) throw new PasskeyNotAdded("not under a name of ours");
          await addPasskey(ctx, visitor, { name, response, party });
          return redirect(ME);
        },
        (refused) => addPage(ctx, visitor, { host, name: typed, refused }),
      );
    },
  }),
  operatorRoute({
    ...security,
    method: "GET",
    path: ONE,
    summary: "A passkey",
    params,
    async run(ctx, call, visitor): Promise<Answer> {
      const { name: title } = await own(ctx, visitor, call.params.passkey_id);
      const action = `${ME}/passkeys/${call.params.passkey_id}/remove`;
      return removePage(visitor, { title, action });
    },
  }),
  operatorRoute({
    ...security,
    method: "POST",
    path: `${ONE}/remove`,
    summary: "Remove a passkey",
    params,
    async run(ctx, call, visitor): Promise<Answer> {
      const { passkey_id: id } = call.params;
      const { name: title } = await own(ctx, visitor, id);
      const action = `${ME}/passkeys/${id}/remove`;
      return orRefused(
        async () => {
          await removePasskey(ctx, visitor, id);
          return redirect(ME);
        },
        (refused) => removePage(visitor, { title, action, refused }),
      );
    },
  }),
];

export const factorRoutes: readonly OperatorRoute[] = [...appRoutes, ...passkeyRoutes];
