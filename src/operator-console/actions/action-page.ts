/** The page of an action: what will happen, its fields, the reason, and the button that does it. */

import type { RefusedForm, SentForm } from "../../console/refused.ts";
import type { Answer } from "../../infra/http/answer.ts";
import type { Field } from "../../kit/fields/field.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { formatMoney, type Money } from "../../kit/money.ts";
import { TICKED } from "../../modules/operator/approvals/read-typed.ts";
import { isSwitch } from "../../modules/operator/read-arguments.ts";
import {
  checkboxField,
  fileField,
  moneyField,
  radioGroup,
  selectField,
  textField,
} from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { moneyText } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { operatorPage } from "../page.ts";
import { inPageWords } from "../page-words.ts";
import type { OperatorVisitor } from "../visitor.ts";
import { ACTION_WORDS, labelFor } from "./action-words.ts";
import { formKeyField } from "./form-key.ts";
import { reasonField } from "./reason.ts";
import type { ActionCommand } from "./run-command.ts";

/** Given by the page, or a terminal's only. */
const NOT_SHOWN = ["to", "password_stdin"];
export const UPLOADED = "file";
/** The name of the choice among an action's switches of which exactly one is needed. */
export const ONE_OF = "one_of";

export interface ActionView {
  readonly command: ActionCommand;
  /** From the page before, or as it was sent. */
  readonly sent: SentForm;
  readonly back: { readonly name: string; readonly href: string };
  readonly refused?: RefusedForm;
  /** What it is about, where the form alone does not say it. */
  readonly facts?: HtmlValue;
  /** What is left of the payment that it is about, which is meant where no amount is typed. */
  readonly left?: Money;
  /** From which amount on a second person agrees (Decision 0119). */
  readonly secondPersonFrom: Money;
}

export function actionPath({ name, fields }: Pick<ActionCommand, "name" | "fields">): string {
  return UPLOADED in fields ? `/operator/uploads/${name}` : `/operator/actions/${name}`;
}

export function actionPage(visitor: OperatorVisitor, view: ActionView): Answer {
  const { command, back, refused } = view;
  const { button: text, isDangerous = false } = ACTION_WORDS[command.name] ?? {
    button: command.name,
  };
  const about = inPageWords(command.about.slice(0, 1).toUpperCase() + command.about.slice(1));
  return operatorPage(visitor, {
    title: text,
    back,
    problem: refused?.summary,
    content: [
      view.facts,
      panel({
        content: postForm({
          action: actionPath(command),
          csrf: visitor.formToken,
          takesFiles: UPLOADED in command.fields,
          content: html`<div class="prose"><p>${about}.</p>
${command.more !== undefined && html`<p class="soft">${inPageWords(command.more)}</p>`}
${command.moves !== undefined && secondPersonWords(view)}</div>
${formKeyField()}
${fieldsOf(view)}
${reasonField({ value: view.sent.why, refused })}
${buttonRow(submitButton(text, isDangerous, view), cancelLink(back.href))}`,
        }),
      }),
    ],
  });
}

/** With scripts the button names the amount, and follows it (`script.js`). */
function submitButton(text: string, isDangerous: boolean, { command, left }: ActionView): Html {
  const kind = isDangerous ? "danger" : "primary";
  if (left === undefined || !("amount" in command.fields)) return button({ text, kind });
  const said = moneyText(left).replace("\u00a0", " ");
  return html`<button class="button ${kind}" data-amount-text="${text} ${left.currency}">${text}
<span class="scripted">${said}</span></button>`;
}

function secondPersonWords({ secondPersonFrom }: Pick<ActionView, "secondPersonFrom">): Html {
  return html`<p class="soft">From ${moneyText(secondPersonFrom)} on, or its like in another
currency, it waits for approval by a second person, and nothing is done before.</p>`;
}

function fieldsOf({ command, sent, refused, left }: ActionView): HtmlValue {
  const { fields, exactlyOne = [], subject } = command;
  const shown = Object.entries(fields).filter(([name]) => !NOT_SHOWN.includes(name));
  const isChoice = exactlyOne.length > 0 && exactlyOne.every((name) => isSwitch(fields, name));
  return [
    ...shown
      .filter(([name]) => !(isChoice && exactlyOne.includes(name)))
      .map(([name, field]) =>
        fieldOf(name, field, {
          value: sent[name] ?? (name === "amount" && left ? formatMoney(left) : ""),
          left: name === "amount" ? left : undefined,
          error: refused?.errorOf(name),
          isSubject: name === subject,
          isTicked: isSwitch(fields, name) ? sent[name] === TICKED : undefined,
        }),
      ),
    isChoice && choiceOf(command, exactlyOne, { value: sent[ONE_OF], refused }),
  ];
}

function choiceOf(
  { fields }: ActionCommand,
  names: readonly string[],
  {
    value,
    refused,
  }: { readonly value: string | undefined; readonly refused?: RefusedForm | undefined },
): Html {
  return radioGroup({
    name: ONE_OF,
    label: "Outcome",
    required: true,
    options: names.map((name) => ({
      value: name,
      text: labelFor(name),
      hint: hintOf(fields[name]),
    })),
    ...(value === undefined ? {} : { value }),
    error: refused?.errorOf(ONE_OF),
  });
}

interface FieldState {
  readonly value: string;
  readonly error: string | undefined;
  readonly isSubject: boolean;
  readonly left: Money | undefined;
  /** Undefined: it is no box. */
  readonly isTicked: boolean | undefined;
}

function fieldOf(name: string, field: Field<unknown>, state: FieldState): Html {
  const { value, error, isSubject, isTicked, left } = state;
  const about = {
    name,
    label: labelFor(name),
    hint: hintOf(field),
    error,
  };
  if (isTicked !== undefined)
    return checkboxField({ ...about, value: TICKED, isChecked: isTicked });
  if (name === UPLOADED) return fileField({ ...about, required: true });
  const { required } = field;
  const whether = required ? { required } : { optional: "optional" };
  if (left !== undefined) {
    const hint = `At most ${moneyText(left)}. Leave it empty for all of it.`;
    return moneyField({ ...about, ...whether, hint, currency: left.currency, value });
  }
  const words = wordsOf(field);
  if (words === undefined)
    return textField({
      ...about,
      ...whether,
      value,
      isCode: true,
      autocomplete: "off",
      readonly: isSubject && value !== "",
    });
  const options = words.map((word) => ({ value: word, text: word }));
  const empty = required ? "Choose…" : "–";
  return selectField({ ...about, ...whether, options, empty, value: value || undefined });
}

function hintOf(field: Field<unknown> | undefined): string {
  return inPageWords(String(field?.schema.description ?? ""));
}

/** Of a field that takes one of a few words. */
function wordsOf({ schema }: Field<unknown>): readonly string[] | undefined {
  const title = String(schema.title ?? "");
  if (!/^[\w-]+(\|[\w-]+)+$/.test(title) || !Array.isArray(schema.enum)) return undefined;
  return schema.enum.map(String);
}
