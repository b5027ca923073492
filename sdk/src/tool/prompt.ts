/** Questions at a terminal. Without one, each answer is the next line of standard input. */

import process from "node:process";
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ToolError } from "./tool-error.ts";

export interface Prompt {
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askHidden(question: string): Promise<string>;
  close(): void;
}

export function openPrompt(): Prompt {
  let isHidden = false;
  const output = new Writable({
    write(part, _encoding, done) {
      if (!isHidden) process.stderr.write(part);
      done();
    },
  });
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const waiting = isTerminal ? undefined : lines[Symbol.asyncIterator]();
  const answerTo = (question: string) => nextAnswer(lines, waiting, question);
  return {
    async ask(question) {
      if (isTerminal) return answerTo(question);
      process.stderr.write(question);
      const answer = await answerTo("");
      process.stderr.write("\n");
      return answer;
    },
    async askHidden(question) {
      process.stderr.write(question);
      isHidden = true;
      try {
        return await answerTo("");
      } finally {
        isHidden = false;
        process.stderr.write("\n");
      }
    },
    close: () => lines.close(),
  };
}

async function nextAnswer(
  lines: Interface,
  waiting: AsyncIterator<string> | undefined,
  question: string,
): Promise<string> {
  if (waiting === undefined) return (await answerAtTerminal(lines, question)).trim();
  const { value } = await waiting.next();
  return String(value ?? "").trim();
}

/** Ctrl-C and Ctrl-D close the terminal's lines, the second without a word to `question`. */
function answerAtTerminal(lines: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      process.stderr.write("\n");
      reject(new ToolError("Cancelled.", "Run the command again when you want to go on."));
    };
    lines.once("close", cancel);
    const answer = (text: string) => {
      lines.off("close", cancel);
      resolve(text);
    };
    lines.question(question).then(answer, () => {});
  });
}
