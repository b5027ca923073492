/** What the Patronis say of the cluster, and waiting until they say what is wanted. */

import { until } from "../../../testkit/until.ts";
import { addressOf, NODES, type NodeName } from "./network.ts";

const ASK_MS_MAX = 2_000;
const POLL_MS = 250;
const RUNNING = new Set(["running", "streaming"]);

interface Member {
  readonly name: NodeName;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | string;
}

/** As the first one of these tells it that answers. */
export async function askMembers(nodes: readonly NodeName[] = NODES): Promise<readonly Member[]> {
  for (const name of nodes) {
    const signal = AbortSignal.timeout(ASK_MS_MAX);
    const told = await fetch(`http://${addressOf(name)}:8008/cluster`, { signal }).then(
      (answer) => answer.json() as Promise<{ members?: readonly Member[] }>,
      () => undefined,
    );
    if (told?.members !== undefined) return told.members;
  }
  return [];
}

/** The node that says of itself that it leads; as HAProxy asks. */
export async function askLeader(): Promise<NodeName | undefined> {
  const asked = await Promise.all(
    NODES.map(async (name) => {
      const signal = AbortSignal.timeout(ASK_MS_MAX);
      const url = `http://${addressOf(name)}:8008/primary`;
      const answer = await fetch(url, { signal }).catch(() => undefined);
      return answer?.status === 200 ? name : undefined;
    }),
  );
  return asked.find((name) => name !== undefined);
}

/** One leads, one follows synchronously, one follows, and all are at the same timeline. */
export function isHealthy(members: readonly Member[]): boolean {
  const roles = members.map(({ role }) => role).toSorted();
  const leader = members.find(({ role }) => role === "leader");
  return (
    roles.join() === "leader,replica,sync_standby" &&
    members.every(
      ({ state, timeline, role, lag }) =>
        RUNNING.has(state) &&
        timeline === leader?.timeline &&
        (role === "leader" || typeof lag === "number"),
    )
  );
}

export async function untilTrue(
  what: string,
  msMax: number,
  look: () => Promise<boolean>,
): Promise<number> {
  const beganAt = performance.now();
  await until(look, what, msMax / 1000, { pauseMs: POLL_MS });
  return performance.now() - beganAt;
}

export function describe(members: readonly Member[]): string {
  return members.map(({ name, role, state }) => `${name} ${role} ${state}`).join(", ") || "nobody";
}
