/**
 * The templates of `web/checkout/`, compiled once. Every value is escaped unless a template says
 * otherwise, and those that do only pass on what another template made.
 */

import { readFileSync } from "node:fs";
import { Eta } from "eta";

const eta = new Eta({ autoEscape: true, autoTrim: ["nl", "nl"] });

const compile = (name: string): ((values: object) => string) => {
  const url = new URL(`../../../../web/checkout/${name}.eta`, import.meta.url);
  const compiled = eta.compile(readFileSync(url, "utf8"));
  return (values) => compiled.call(eta, values);
};

export const templates = {
  page: compile("page"),
  frame: compile("frame"),
  card: compile("card"),
  field: compile("field"),
  select: compile("select"),
  options: compile("options"),
  challenge: compile("challenge"),
  working: compile("working"),
  waiting: compile("waiting"),
  ended: compile("ended"),
  plain: compile("plain"),
};
