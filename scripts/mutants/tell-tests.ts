/**
 * A reporter for `node --test`, which says one line for each test that fails and one for each file
 * that is done: the reporters of Node do not tell of files.
 */

import type { TestEvent } from "node:test/reporters";

// Node looks for a reporter under the name default.
export default async function* tellTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === "test:fail") yield `failed ${data.name.replaceAll("\n", " ")}\n`;
    if (type === "test:summary" && data.file !== undefined) yield `done ${data.file}\n`;
  }
}
