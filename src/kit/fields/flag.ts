/** Fields that are true or false, given as such, as a word for forms, or as 1 and 0. */

import { type Field, field, fieldRefused } from "./field.ts";

export function flag(): Field<boolean> {
  return field({ type: "boolean" }, (value, name) => {
    if (value === true || value === "true" || value === "1" || value === 1) return true;
    if (value === false || value === "false" || value === "0" || value === 0) return false;
    throw fieldRefused(name, "must be true or false");
  });
}
