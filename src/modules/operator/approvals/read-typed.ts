/** What was typed into a form or kept with a request, as the command's input. */

import { FieldRefused } from "../../../kit/errors.ts";
import { readFields, type Shape, type Values } from "../../../kit/fields/field.ts";
import type { Command } from "../command.ts";
import { isSwitch, optionOf } from "../read-arguments.ts";

/** A ticked box, as a form sends it. */
export const TICKED = "yes";

export function readTyped(
  { fields, exactlyOne }: Pick<Command, "fields" | "exactlyOne">,
  typed: Readonly<Record<string, string>>,
): Values<Shape> {
  if (exactlyOne !== undefined && exactlyOne.filter((name) => name in typed).length !== 1) {
    const options = new Intl.ListFormat("en-GB").format(
      exactlyOne.map((one) => `--${optionOf(one)}`),
    );
    throw new FieldRefused(`Exactly one of ${options} is needed.`);
  }
  const raw = Object.entries(fields).map(([name]) => [
    name,
    isSwitch(fields, name) ? typed[name] === TICKED : typed[name],
  ]);
  return readFields(fields, Object.fromEntries(raw));
}
