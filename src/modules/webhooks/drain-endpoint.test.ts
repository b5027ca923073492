/** How whoever sends to an endpoint lets go of it: always, if its row allows it at all. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Release, View } from "./claim-endpoint.ts";
import { type Drain, type DrainTools, drainEndpoint } from "./drain-endpoint.ts";

const CLAIM = { endpointId: "an endpoint", claimCount: 1n };
const never = () => assert.fail("nothing is due");

function viewAt(wakeCount: bigint): View {
  return { claim: CLAIM, due: [], wakeCount, failingSeconds: undefined, restSeconds: -1 };
}

/** Stops as soon as it asked to let go for the first time; `isFree` is what it is answered. */
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
    isCrowded: () => false,
    async release(release) {
      releases.push(release);
      await nextTurn();
      drain?.stop();
      return isFree(release, releases.length);
    },
  };
  drain = drainEndpoint(tools, viewAt(1n));
  await drain.ended;
  return releases;
}

describe("an endpoint is let go of when the process stops", () => {
  test("also if its row was locked at that moment", async () => {
    const releases = await leave({ isFree: (_, turn) => turn > 1 });
    assert.equal(releases.length, 2);
  });

  test("also if something came for it meanwhile, which is left for others", async () => {
    const releases = await leave({
      isFree: ({ wakeCount }) => wakeCount === 2n,
      view: () => viewAt(2n),
    });
    assert.deepEqual(
      releases.map(({ wakeCount }) => wakeCount),
      [1n, 2n],
    );
  });

  test("but a row that stays locked keeps no process from stopping", async () => {
    const releases = await leave({ isFree: () => false });
    assert(releases.length > 1, `it asked ${releases.length} times`);
  });

  test("and what is in other hands by now is not asked for again", async () => {
    const releases = await leave({ isFree: () => false, view: () => undefined });
    assert.equal(releases.length, 1);
  });
});
