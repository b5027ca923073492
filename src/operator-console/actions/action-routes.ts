/**
 * Every action of the operator as a form: one pair of routes, and one for those that take a file.
 * The command decides who may, what is asked and what it does; the page adds the reason and who.
 */

import { redirect } from "../../console/answers.ts";
import { orRefused, type RefusedForm, type SentForm } from "../../console/refused.ts";
import type { Database } from "../../infra/db/database.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import { UUID } from "../../kit/ids.ts";
import { money } from "../../kit/money.ts";
import { demandApproval, viewApproval } from "../../modules/operator/approvals/approval.ts";
import { readTyped, TICKED } from "../../modules/operator/approvals/read-typed.ts";
import { runForOperator } from "../../modules/operator/approvals/run-for-operator.ts";
import type { Report } from "../../modules/operator/command.ts";
import { isSwitch } from "../../modules/operator/read-arguments.ts";
import { renderJson } from "../../modules/operator/render.ts";
import { buttonRow, linkButton } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { approvalFacts } from "../approval-facts.ts";
import { blocksOf } from "../blocks.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { type OperatorCall, type OperatorRoute, operatorRoute } from "../operator-route.ts";
import { operatorPage } from "../page.ts";
import { type AboutRecord, aboutRecord } from "../record-facts.ts";
import { actingOf, type OperatorVisitor } from "../visitor.ts";
import { actionPage, ONE_OF, UPLOADED } from "./action-page.ts";
import { FIELD_LABELS, labelFor } from "./action-words.ts";
import { DoneBefore, formKeyOf, isSecret, onceFor, sayAtEnd } from "./form-key.ts";
import { leadingPage } from "./leading-page.ts";
import { readReason } from "./reason.ts";
import {
  type ActionCommand,
  commandContext,
  demandAction,
  inWordsOfPage,
  LIST_OF_FILES,
  noPage,
} from "./run-command.ts";

const NAME_LENGTH_MAX = 64;
/** Less than one sender may have under way; a longer file is read at a terminal. */
const FILE_BYTES_MAX = 15 * 1024 * 1024;

const params = { command: text({ max: NAME_LENGTH_MAX }) };

async function formPage(
  { config, db }: Pick<OperatorConsoleContext, "config" | "db">,
  visitor: OperatorVisitor,
  command: ActionCommand,
  sent: SentForm,
  refused?: RefusedForm,
): Promise<Answer> {
  const back = leadingPage(command, sent);
  const secondPersonFrom = money("TTD", BigInt(config.secondPersonFromTtd) * 100n);
  const { facts, left } = await aboutOf(db, sent);
  return actionPage(visitor, {
    ...{ command, sent, back, secondPersonFrom, facts },
    ...(left && { left }),
    ...(refused && { refused }),
  });
}

/** Nobody decides about an id: what it is about, and what was asked for, stands above the form. */
async function aboutOf(db: Database, sent: SentForm): Promise<AboutRecord> {
  const { approval_id = "", transaction_id = "" } = sent;
  if (!UUID.test(approval_id)) return aboutRecord(db, transaction_id);
  const shown = viewApproval(await demandApproval(db, approval_id).catch(noPageOf));
  const { facts } = await aboutRecord(db, shown.transaction_id ?? "");
  return { facts: [facts, approvalFacts(shown)] };
}

function noPageOf(error: unknown): never {
  throw noPage(error);
}

/** A page takes what it was led to with: which record, never a reason. */
function given({ url }: Pick<OperatorCall, "url">): SentForm {
  const { why: _, ...fields } = Object.fromEntries(new URL(url).searchParams);
  return fields;
}

/** Of what was sent only the command's own fields, so that it is kept as it was meant. */
function typedFor({ fields, exactlyOne = [] }: ActionCommand, sent: SentForm): SentForm {
  const typed = Object.keys(fields).flatMap((name): [string, string][] => {
    if (name === "to") return [[name, LIST_OF_FILES]];
    if (name === UPLOADED) return [[name, "the uploaded file"]];
    if (isSwitch(fields, name) && exactlyOne.includes(name))
      return sent[ONE_OF] === name ? [[name, TICKED]] : [];
    const value = (sent[name] ?? "").trim();
    return value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(typed);
}

async function take(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  { command, sent, file }: { command: ActionCommand; sent: SentForm; file?: Buffer | undefined },
): Promise<Answer> {
  const formKey = formKeyOf(sent);
  const typed = typedFor(command, sent);
  const to = `${leadingPage(command, typed).href}?said=${formKey}`;
  return orRefused(
    async () => {
      const why = readReason(sent);
      try {
        const report = await runForOperator(
          commandContext(ctx, visitor, { uploaded: file }),
          { command, typed, input: readTyped(command, typed), why },
          {
            who: actingOf(visitor),
            hooks: onceFor(formKey, visitor),
          },
        );
        await sayAtEnd(ctx.db, formKey, report);
        return isSecret(report) || file !== undefined
          ? shownOnce(visitor, report, to)
          : redirect(to);
      } catch (error) {
        if (error instanceof DoneBefore) return redirect(to);
        throw inWordsOfPage(error);
      }
    },
    (refused) => formPage(ctx, visitor, command, sent, refused),
    Object.fromEntries([
      ...Object.keys(command.fields).map((name) => [name, labelFor(name)]),
      ["why", FIELD_LABELS.why],
    ]),
  );
}

/** A secret, or what was read of a file: kept nowhere else. */
function shownOnce(visitor: OperatorVisitor, report: Report, href: string): Answer {
  const { text: said, data, blocks, isBad = false, isPersonal = false } = report;
  return operatorPage(visitor, {
    title: isBad ? "Somebody has to look at this" : "Done",
    content: [
      blocks === undefined
        ? panel({ content: html`<pre class="report" tabindex="0">${said}</pre>` })
        : blocksOf(report),
      isPersonal &&
        panel({ content: html`<pre class="report" tabindex="0">${renderJson(data)}</pre>` }),
      buttonRow(linkButton({ text: "Go on", kind: "primary", href })),
    ],
  });
}

export const actionRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/actions/{command}",
    summary: "The form of an action",
    right: "look",
    params,
    async run(ctx, call, visitor) {
      return formPage(ctx, visitor, demandAction(visitor, call.params.command), given(call));
    },
  }),
  operatorRoute({
    method: "POST",
    path: "/operator/actions/{command}",
    summary: "Carry out an action",
    right: "look",
    params,
    async run(ctx, call, visitor) {
      const command = demandAction(visitor, call.params.command);
      if (UPLOADED in command.fields) throw new NotFound("it takes a file");
      return take(ctx, visitor, { command, sent: call.texts() });
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/operator/uploads/{command}",
    summary: "The form of an action that takes a file",
    right: "money",
    params,
    async run(ctx, call, visitor) {
      return formPage(ctx, visitor, demandAction(visitor, call.params.command), given(call));
    },
  }),
  operatorRoute({
    method: "POST",
    path: "/operator/uploads/{command}",
    summary: "Carry out an action with a file",
    right: "money",
    upload: { field: UPLOADED, bytesMax: FILE_BYTES_MAX },
    params,
    async run(ctx, call, visitor) {
      const command = demandAction(visitor, call.params.command);
      if (!(UPLOADED in command.fields)) throw new NotFound("it takes no file");
      return take(ctx, visitor, {
        command,
        sent: call.texts(),
        file: call.upload.file ?? Buffer.alloc(0),
      });
    },
  }),
];
