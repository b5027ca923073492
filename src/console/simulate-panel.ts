/**
 * What a developer can make happen to an object of the sandbox, folded: the outcomes that its state
 * allows, by the use cases of `/sandbox/…/simulate` (Decision 0102). Nothing where none is allowed.
 */

import { ServiceError } from "../kit/errors.ts";
import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { selectField } from "../parts/field.ts";
import { button, buttonRow, postForm } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { oneTimeField } from "./one-time-form.ts";
import type { RefusedForm, SentForm } from "./refused.ts";
import type { Visitor } from "./visitor.ts";

interface SimulatePanel {
  /** Of the object's page, below which it is posted. */
  readonly href: string;
  /** The name and label of the choice. */
  readonly choice: { readonly name: string; readonly label: string };
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly more: HtmlValue;
  readonly simulated: Simulated | undefined;
}

/** A form that was refused. */
export interface Simulated {
  readonly sent: SentForm;
  readonly refused: RefusedForm;
}

/** What is offered follows the state while the page is open, the choice that was made stays. */
export function simulatePanel(visitor: Visitor, parts: SimulatePanel): Html {
  const content = parts.options.length === 0 ? undefined : offered(visitor, parts);
  return html`<div id="simulate-panel" data-live>${content}</div>`;
}

function offered(visitor: Visitor, parts: SimulatePanel): Html {
  const { href, choice, options, simulated } = parts;
  const form = postForm({
    action: `${href}/simulate`,
    csrf: visitor.formToken,
    content: html`${oneTimeField()}
<p class="soft">In the sandbox you decide what banks and customers do. Events, webhooks and money
follow, as they would.</p>
${selectField({
  ...choice,
  options,
  data: { live: "" },
  value: simulated?.sent[choice.name],
  error: simulated?.refused.errorOf(choice.name),
})}
${parts.more}
${buttonRow(button({ text: "Simulate", kind: "primary" }))}`,
  });
  return panel({ content: folded(form, simulated !== undefined) });
}

function folded(form: Html, isOpen: boolean): Html {
  return html`<details class="more" id="simulate"${isOpen && html` open`}>
<summary>Simulate…</summary>
${form}
</details>`;
}

/** A refusal in the words of the list; the API's names states that the page calls otherwise. */
export async function inWordsOfList<T>(
  words: Readonly<Record<string, string>>,
  outcome: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const chosen = words[outcome ?? ""];
    if (!(error instanceof ServiceError) || error.code !== "simulation_refused" || !chosen)
      throw error;
    throw new ServiceError("simulation_refused", {
      message: `It is too late or too early for “${chosen}”. See below what has happened.`,
    });
  }
}
