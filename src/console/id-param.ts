/** Ids in paths of the console: what is no id is a page that does not exist, like any other. */

import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { UUID } from "../kit/ids.ts";

const LENGTH_MAX = 64;

export const idParam = text({ max: LENGTH_MAX });

export function demandId(id: string): string {
  if (!UUID.test(id)) throw new NotFound("not an id");
  return id;
}
