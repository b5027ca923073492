/**
 * The commands in docs/operator.md: each section is made from the object that runs it. What stands
 * between the sections is written by hand and kept.
 */

import type { Command } from "../src/modules/operator/command.ts";
import { exampleOf, usageOf } from "../src/modules/operator/help.ts";

function sectionOf(command: Command): string {
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

/** The page with the section of every command as it must be. */
export function renderOperatorPage(page: string, commands: readonly Command[]): string {
  return commands.reduce((text, command) => {
    const section = new RegExp(`^### ${command.name}\\n[^]*?(?=^##|(?![^]))`, "m");
    const next = section.exec(text)?.[0].endsWith("\n\n") ? "\n" : "";
    return text.replace(section, () => sectionOf(command) + next);
  }, page);
}
