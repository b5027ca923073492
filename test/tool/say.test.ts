/**
 * The guarantee: a tool is never silent for long: after ten seconds it says how far it is, with the
 * stamp that all its lines have.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { say, stampLines, whenQuiet } from "../../testkit/tool/say.ts";

describe("a tool that is quiet", () => {
  let now = performance.now();
  let said: string[] = [];

  before(() => {
    mock.timers.enable({ apis: ["setInterval"] });
    mock.method(performance, "now", () => now);
  });
  beforeEach(() => {
    listen(() => say("begins"));
    said = [];
  });
  after(() => {
    stampLines(() => "");
    mock.timers.reset();
    mock.restoreAll();
  });

  /** Only as long as it runs: in between, the test runner speaks on the same wire. */
  function listen(work: () => void): void {
    const { mock: ear } = mock.method(process.stdout, "write", (text: string) => said.push(text));
    try {
      work();
    } finally {
      ear.restore();
    }
  }

  function pass(seconds: number): void {
    listen(() => {
      for (let half = 0; half < seconds * 2; half++) {
        now += 500;
        mock.timers.tick(500);
      }
    });
  }

  test("says how far it is after ten seconds, and again after ten more", () => {
    let done = 3;
    whenQuiet(() => `${done} of 9`);
    pass(9);
    assert.deepEqual(said, []);
    pass(1);
    assert.deepEqual(said, ["3 of 9\n"]);
    done = 5;
    pass(10);
    assert.deepEqual(said, ["3 of 9\n", "5 of 9\n"]);
  });

  test("is not asked while it says something itself", () => {
    whenQuiet(() => "how far");
    pass(6);
    listen(() => say("a line"));
    pass(9);
    assert.deepEqual(said, ["a line\n"]);
    pass(1);
    assert.deepEqual(said, ["a line\n", "how far\n"]);
  });

  test("tells what was named last", () => {
    whenQuiet(() => "first step");
    whenQuiet(() => "second step");
    pass(10);
    assert.deepEqual(said, ["second step\n"]);
  });

  test("stamps this line as it stamps the others, with the stamp of the moment", () => {
    let minute = 1;
    stampLines(() => `minute ${minute}: `);
    whenQuiet(() => "how far");
    listen(() => say("a line"));
    minute = 2;
    pass(10);
    assert.deepEqual(said, ["minute 1: a line\n", "minute 2: how far\n"]);
  });
});
