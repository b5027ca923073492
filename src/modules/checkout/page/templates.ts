/** The templates of `web/checkout/`, compiled once. */

import { compileTemplate } from "../../../infra/templates.ts";

const compile = (name: string) => compileTemplate(`checkout/${name}.eta`);

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
