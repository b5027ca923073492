/** An explanation for a terminal: plain lines, which the caller colours if it is a terminal. */

import { type Explanation, type Mistake, triedWords } from "./explanation.ts";
import { type Difference, differenceWords, type Side, visible } from "./first-difference.ts";

export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  soft(text: string): string;
  mark(text: string): string;
}

const same = (text: string) => text;
export const NO_PAINT: Paint = {
  good: same,
  bad: same,
  soft: same,
  // Without colours the character still has to be found.
  mark: (text) => `[${text}]`,
};

export function explanationText(said: Explanation, paint: Paint = NO_PAINT): string {
  const isGood = said.verified && said.mistakes.length === 0;
  const head = isGood ? paint.good(`✔ ${said.summary}`) : paint.bad(`✘ ${said.summary}`);
  const parts = [
    head,
    ...said.mistakes.map((each) => mistakeText(each, said, paint)),
    ...said.notes.map((note) => `Note: ${visible(note)}`),
    stepsText(said, paint),
  ];
  return `${parts.join("\n\n")}\n`;
}

function mistakeText(of: Mistake, { summary }: Explanation, paint: Paint): string {
  const isTold = summary.endsWith(of.says);
  return [
    ...(isTold ? [] : [visible(of.says)]),
    `→ ${of.instead} ${paint.soft(`(${of.code})`)}`,
    ...(of.difference === undefined ? [] : ["", ...differenceLines(of.difference, paint)]),
  ].join("\n");
}

function differenceLines(difference: Difference, paint: Paint): string[] {
  return [
    differenceWords(difference),
    `  signed  ${sideText(difference.expected, paint)}`,
    `  here    ${sideText(difference.given, paint)}`,
  ];
}

function sideText({ before, character, after }: Side, paint: Paint): string {
  const mark = paint.mark(character === "" ? "end" : visible(character));
  return `${visible(before)}${mark}${visible(after)}`;
}

function stepsText(said: Explanation, paint: Paint): string {
  const lines = said.steps.flatMap(({ title, text }) => [
    paint.soft(title),
    ...text.split("\n").map((line) => `  ${visible(line)}`),
  ]);
  return [...lines, paint.soft(triedWords(said))].join("\n");
}
