/**
 * Compiles the Eta templates of `web/`. Every value is escaped unless a template says otherwise
 * (`<%~`), which is for the output of another template only.
 */

import { readFileSync } from "node:fs";
import { Eta } from "eta";

const eta = new Eta({ autoEscape: true, autoTrim: ["nl", "nl"] });
const WEB = new URL("../../web/", import.meta.url);

/** `file`: a path within `web/`. */
export function compileTemplate(file: string): (values: object) => string {
  const compiled = eta.compile(readFileSync(new URL(file, WEB), "utf8"));
  return (values) => compiled.call(eta, values);
}
