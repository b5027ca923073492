/** Fields that are true or false, given as such or as a word, so that a form can send them. */

import { FieldRefused } from "../errors.ts";
import { type Field, field, labelOf } from "./field.ts";

export function flag(): Field<boolean> {
  return field({ type: "boolean" }, (value, name) => {
    if (value === true || value === "true" || value === "1") return true;
    if (value === false || value === "false" || value === "0") return false;
    throw new FieldRefused(`The ${labelOf(name)} must be true or false.`);
  });
}
