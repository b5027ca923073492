/**
 * The keys with which results are checked and payment requests signed, shown after a fresh proof:
 * with them anybody can tell a shop that it was paid.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { ScopeRefused } from "../../kit/errors.ts";
import { html } from "../../kit/html.ts";
import { includesScope } from "../../kit/scopes.ts";
import {
  changeSignatureRule,
  rotatePaymentKeys,
} from "../../modules/checkout/result/change-payment-keys.ts";
import { paymentKeysOf } from "../../modules/checkout/result/payment-keys.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { confirmForm, linkButton, postButton } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { ENVIRONMENT_NAMES } from "../environment-words.ts";
import { consolePage } from "../page.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { inSettings } from "./tabs.ts";

const PAGE = "/console/settings/payment-keys";
const guarded = { right: "keys", onlyBusiness: true, needsProof: true } as const;

function mayChange({ caller }: Visitor): boolean {
  return includesScope(caller.scopes, "svc-user-update");
}

function demandMayChange(visitor: Visitor): void {
  if (!mayChange(visitor)) throw new ScopeRefused(["svc-user-update"], visitor.caller.scopes);
}

const show = consoleRoute({
  method: "GET",
  path: PAGE,
  summary: "Payment keys",
  ...guarded,
  async run({ db, config }: ConsoleContext, _call, visitor): Promise<Answer> {
    const owner = ownerOf(visitor);
    const keys = await paymentKeysOf(db, config, owner);
    await recordAudit(db, visitor.caller, "payment_key_shown", {
      detail: { environment: owner.environment },
    });
    return consolePage(visitor, {
      title: "Payment keys",
      ...inSettings(visitor, "Payment keys"),
      content: [
        panel({
          heading: ENVIRONMENT_NAMES[owner.environment],
          text: "Your shop checks results with them. Keep them as safe as a password.",
          content: definitionList([
            { term: "Hash key", value: copyable(keys.hashKey, "the hash key") },
            { term: "Signing secret", value: copyable(keys.signingSecret, "the signing secret") },
            {
              term: "Payment requests",
              value: keys.requiresSignature ? "Must be signed" : "May be unsigned",
            },
          ]),
        }),
        mayChange(visitor) && ruleForm(visitor, keys.requiresSignature),
        mayChange(visitor) && rotatePanel(),
      ],
    });
  },
});

function ruleForm(visitor: Visitor, requiresSignature: boolean) {
  return panel({
    heading: "Signed payment requests",
    text: html`With a signature, nobody else can use your order numbers. Your shop has to sign its
requests first: <a href="/docs/start">see how</a>.`,
    content: postButton({
      action: `${PAGE}/rule`,
      csrf: visitor.formToken,
      hidden: { require_signature: requiresSignature ? "false" : "true" },
      text: requiresSignature ? "Accept unsigned requests" : "Require a signature",
    }),
  });
}

function rotatePanel() {
  return panel({
    heading: "Replace the keys",
    text: "For when somebody else may have seen them.",
    content: linkButton({ text: "Replace the keys", href: `${PAGE}/rotate`, kind: "danger" }),
  });
}

const rotateForm = consoleRoute({
  method: "GET",
  path: `${PAGE}/rotate`,
  summary: "Whether to replace the payment keys",
  ...guarded,
  async run(_ctx: ConsoleContext, _call, visitor): Promise<Answer> {
    demandMayChange(visitor);
    return consolePage(visitor, {
      title: "Replace the payment keys?",
      ...inSettings(visitor, "Payment keys"),
      back: { name: "Payment keys", href: PAGE },
      content: panel({
        heading: ENVIRONMENT_NAMES[visitor.environment],
        content: confirmForm({
          action: `${PAGE}/rotate`,
          csrf: visitor.formToken,
          text: html`<p>The old keys stop working at once, also for payments in progress: put the
new ones into your shop right away. The owners of the account are told by e-mail.</p>`,
          button: "Replace the keys",
          isDangerous: true,
          cancelHref: PAGE,
        }),
      }),
    });
  },
});

const rotate = consoleRoute({
  method: "POST",
  path: `${PAGE}/rotate`,
  summary: "Replace the payment keys",
  ...guarded,
  async run({ db, config }: ConsoleContext, _call, visitor): Promise<Answer> {
    demandMayChange(visitor);
    const { environment } = visitor;
    await db.transaction((tx) => rotatePaymentKeys(tx, config, visitor.caller, environment));
    return redirect(`${PAGE}?done=keys_replaced`);
  },
});

const rule = consoleRoute({
  method: "POST",
  path: `${PAGE}/rule`,
  summary: "Say whether payment requests must be signed",
  ...guarded,
  async run({ db, config }: ConsoleContext, { texts }, visitor): Promise<Answer> {
    demandMayChange(visitor);
    const { caller, environment } = visitor;
    const wanted = { environment, require_signature: texts().require_signature === "true" };
    await db.transaction((tx) => changeSignatureRule(tx, config, caller, wanted));
    return redirect(`${PAGE}?done=saved`);
  },
});

export const paymentKeyPages: readonly ConsoleRoute<ConsoleContext>[] = [
  show,
  rotateForm,
  rotate,
  rule,
];
