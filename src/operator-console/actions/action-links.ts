/** Links to the forms of actions, for those that the visitor's role may do. */

import type { Html } from "../../kit/html.ts";
import { COMMANDS } from "../../modules/operator/commands.ts";
import { linkButton } from "../../parts/form.ts";
import type { OperatorVisitor } from "../visitor.ts";
import { actionPath } from "./action-page.ts";
import { ACTION_WORDS } from "./action-words.ts";

export function actionLinks(
  { may }: OperatorVisitor,
  names: readonly string[],
  about: Readonly<Record<string, string>> = {},
): readonly Html[] {
  return names.flatMap((name) => {
    const command = COMMANDS.find((one) => one.name === name);
    const words = ACTION_WORDS[name];
    if (command?.kind !== "action" || words === undefined) return [];
    if (typeof command.right !== "string" || !may(command.right)) return [];
    const fields = Object.entries(about).filter(([field]) => field in command.fields);
    const query = new URLSearchParams(fields).toString();
    return [
      linkButton({
        text: words.button,
        isSmall: true,
        kind: words.isDangerous === true ? "danger" : "secondary",
        href: `${actionPath(command)}${query === "" ? "" : `?${query}`}`,
      }),
    ];
  });
}
