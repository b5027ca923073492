/**
 * TypeScript as Node runs it: the pieces are one module, which waits between them. So all of them
 * are known beforehand, and `run` gives the next one its turn.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Session } from "./session.ts";

/** What the module finds as `guide`. */
interface Guide {
  /** What the test gives to the pieces, as `guide.facts`. */
  readonly facts: Record<string, unknown>;
  readonly console: { log(...words: unknown[]): void };
  next(): Promise<void>;
}

const SDK = new URL("../../sdk/src/index.ts", import.meta.url).href;

/** The package as this clone has it, not as it was built. */
export function withSdkOfClone(code: string): string {
  return code.replaceAll('"@windward/sdk"', `"${SDK}"`);
}

export async function openTypeScript(
  pieces: readonly string[],
  facts: Record<string, unknown>,
): Promise<Session> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-guide-"));
  const file = path.join(folder, "guide.ts");
  const text = withSdkOfClone(pieces.join("\nawait guide.next();\n"));
  const head = "const guide = (globalThis as any).guide;\nconst console = guide.console;\n";
  await writeFile(file, `${head}await guide.next();\n${text}\nawait guide.next();\n`);

  let said = "";
  let done = Promise.withResolvers<void>();
  let turn = Promise.withResolvers<void>();
  const guide: Guide = {
    facts,
    console: {
      log(...words) {
        said += `${words.join(" ")}\n`;
      },
    },
    async next() {
      done.resolve();
      await turn.promise;
      turn = Promise.withResolvers();
    },
  };
  Object.assign(globalThis, { guide });
  const running = import(pathToFileURL(file).href);
  running.catch((error) => done.reject(error));
  await done.promise;
  return {
    async run() {
      said = "";
      done = Promise.withResolvers();
      turn.resolve();
      await done.promise;
      return said;
    },
    async close() {
      turn.resolve();
      await running;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
