/** How a command stands in docs/operator.md: made from the object that runs it. */

import type { Command } from "../../src/modules/operator/command.ts";
import { exampleOf, usageOf } from "../../src/modules/operator/help.ts";

export function sectionOf(command: Command): string {
  const { name, about, more } = command;
  const words = [`${about.charAt(0).toUpperCase()}${about.slice(1)}.`, ...(more ? [more] : [])];
  return [
    `### ${name}`,
    "",
    words.join(" "),
    "",
    "```",
    usageOf(command),
    "```",
    "",
    "```",
    `$ ${exampleOf(command)}`,
    command.example.shows,
    "```",
    "",
  ].join("\n");
}
