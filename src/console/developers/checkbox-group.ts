/** Several of many, in a group whose label is its legend. Each box has a name of its own. */

import { attributes, type Html, html } from "../../kit/html.ts";

interface Box {
  readonly name: string;
  readonly text: string;
  readonly hint?: string;
  readonly isChecked: boolean;
}

export function checkboxGroup(parts: {
  readonly id: string;
  readonly label: string;
  readonly boxes: readonly Box[];
  readonly error?: string | undefined;
}): Html {
  const { id, label, boxes, error } = parts;
  const choices = boxes.map(({ name, text, hint, isChecked }, index) => {
    const boxId = index === 0 ? id : `${id}-${index + 1}`;
    const about = { id: boxId, name, type: "checkbox", value: "yes", checked: isChecked };
    const help = hint !== undefined && html`<span class="help">${hint}</span>`;
    const words = html`<span>${text}${help}</span>`;
    return html`<label for="${boxId}"><input${attributes(about)}>${words}</label>\n`;
  });
  return html`<fieldset class="field radios${error ? " wrong" : ""}" aria-describedby="${id}-wrong">
<legend>${label}</legend>
<p class="problem" id="${id}-wrong">${error}</p>
${choices}</fieldset>`;
}
