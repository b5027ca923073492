/** What was typed into a form or kept with a request, as the command's input. */

import { readFields, type Shape, type Values } from "../../../kit/fields/field.ts";
import type { Command } from "../command.ts";
import { isSwitch } from "../read-arguments.ts";

/** A ticked box, as a form sends it. */
export const TICKED = "yes";

export function readTyped(
  { fields }: Pick<Command, "fields">,
  typed: Readonly<Record<string, string>>,
): Values<Shape> {
  const raw = Object.entries(fields).map(([name]) => [
    name,
    isSwitch(fields, name) ? typed[name] === TICKED : typed[name],
  ]);
  return readFields(fields, Object.fromEntries(raw));
}
