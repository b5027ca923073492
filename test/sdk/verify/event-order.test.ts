/**
 * The guarantee: the order in which the verifier puts an event's fields back is the one in which we
 * write them, for every event of the catalogue.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { inOurOrder } from "../../../sdk/src/verify/event-order.ts";
import { turned } from "./support.ts";

const examples = [...readFileSync("docs/events.md", "utf8").matchAll(/```json\n(.*?)```/gs)];

describe("the fields of an event, turned round, are put back", () => {
  assert(examples.length >= 20, "the catalogue has examples");
  for (const [, text = ""] of examples) {
    const event = JSON.parse(text);
    test(event.event, () => {
      const put = inOurOrder(turned(event) as Record<string, unknown>);
      assert.equal(JSON.stringify(put), JSON.stringify(event));
    });
  }
});
