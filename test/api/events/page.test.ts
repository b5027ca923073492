/**
 * `docs/events.md` is true: every event of the catalogue has its heading, and each example is what
 * the service really sends, but for ids and times (Decision 0032).
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { EVENT_NAMES } from "../../../src/modules/events/catalogue.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { eventExamples } from "./examples.ts";

let service: TestService;
let examples: Map<string, unknown>;
let page: string;
before(async () => {
  service = await startService();
  examples = await eventExamples(service);
  page = await readFile(new URL("../../../docs/events.md", import.meta.url), "utf8");
});
after(() => service.stop());

/** What stands under the heading of this event, up to the next one. */
function partOf(event: string): string {
  const parts = page.split(/^#+ /m).filter((part) => part.startsWith(`\`${event}\``));
  assert.equal(parts.length, 1, `${event} has ${parts.length} headings`);
  return parts[0] ?? "";
}

describe("the page of events", () => {
  for (const event of EVENT_NAMES)
    test(`shows ${event} as it is`, () => {
      const shown = /```json\n(.*?)```/s.exec(partOf(event))?.[1];
      assert.equal(shown, `${JSON.stringify(examples.get(event), null, 2)}\n`);
    });

  test("names every event, also of modules to come, and no other", () => {
    const [, catalogue = ""] = page.split("## The catalogue");
    const named = [...catalogue.matchAll(/^\| `([a-z_]+\.[a-z_]+)`/gm)].map(([, name]) => name);
    assert.deepEqual(named, [...EVENT_NAMES]);
  });
});
