/** A drain releases its endpoint whenever the row allows it. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Release, View } from "./claim-endpoint.ts";
import { Drain, type DrainTools } from "./drain-endpoint.ts";

const CLAIM = { endpointId: "an endpoint", claimCount: 1n };
const never = () => assert.fail("nothing is due");

function viewAt(wakeCount: bigint): View {
  return { claim: CLAIM, due: [], wakeCount, failingSeconds: undefined, restSeconds: -1 };
}

/** Stops during the first release; `isFree` is the answer to each. */
async function leave({
  isFree,
  view = () => viewAt(1n),
}: {
  isFree: (release: Release, turn: number) => boolean;
  view?: () => View | undefined;
}): Promise<Release[]> {
  const releases: Release[] = [];
  let drain: Drain | undefined;
  const tools: DrainTools = {
    view: async () => view(),
    begin: never,
    make: never,
    isBusy: () => false,
    async release(release) {
      releases.push(release);
      await nextTurn();
      drain?.stop();
      return isFree(release, releases.length);
    },
  };
  drain = new Drain(tools, viewAt(1n));
  await drain.ended;
  return releases;
}

describe("an endpoint is released when the process stops", () => {
  test("also if its row was locked at first", async () => {
    const releases = await leave({ isFree: (_, turn) => turn > 1 });
    assert.equal(releases.length, 2);
  });

  test("also if it was woken meanwhile: that is left to other processes", async () => {
    const releases = await leave({
      isFree: ({ wakeCount }) => wakeCount === 2n,
      view: () => viewAt(2n),
    });
    assert.deepEqual(
      releases.map(({ wakeCount }) => wakeCount),
      [1n, 2n],
    );
  });

  test("a row that stays locked does not keep the process from stopping", async () => {
    const releases = await leave({ isFree: () => false });
    assert(releases.length > 1, `it tried ${releases.length} times`);
  });

  test("one that another process has claimed is not released again", async () => {
    const releases = await leave({ isFree: () => false, view: () => undefined });
    assert.equal(releases.length, 1);
  });
});
