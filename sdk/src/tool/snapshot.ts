/** `windward snapshot`: the whole sandbox as it is, to come back to (development stage only). */

import { Command } from "commander";
import type { Json } from "./api.ts";
import { act, withConnection } from "./context.ts";
import { columnsOf } from "./paint.ts";
import { notFoundMeans, WrongUsage } from "./tool-error.ts";

const HELP = `
  npx windward snapshot                  those there are
  npx windward snapshot make before      keep everything as it is now
  npx windward snapshot restore before   go back to it: all accounts, and the clock
  npx windward snapshot remove before`;

const ACTIONS = {
  make: { method: "POST", path: "/sandbox/snapshots", done: "made" },
  restore: { method: "POST", path: "/sandbox/snapshots/{name}/restore", done: "restored" },
  remove: { method: "DELETE", path: "/sandbox/snapshots/{name}", done: "removed" },
} as const;

export function snapshotCommand(): Command {
  return withConnection(new Command("snapshot"))
    .description("keep the sandbox as it is, and go back to it")
    .argument("[action]", "make, restore or remove")
    .argument("[name]", "of the snapshot")
    .addHelpText("after", HELP)
    .action(
      act(async (context, _options, action, name) => {
        if (action === undefined) {
          const api = await context.api();
          const { data } = await api.call("GET", "/sandbox/snapshots").catch(noSnapshot);
          return context.show(data, () => table(data));
        }
        if (!Object.hasOwn(ACTIONS, action))
          throw new WrongUsage(`There is no snapshot ${action}.`, HELP.trim());
        if (name === undefined)
          throw new WrongUsage(`snapshot ${action} needs a name.`, `snapshot ${action} before`);
        const api = await context.api();
        const { method, path, done } = ACTIONS[action as keyof typeof ACTIONS];
        const began = performance.now();
        const body = action === "make" ? { body: { name } } : {};
        const request = { path: { name }, ...body };
        const answer = await api.call(method, path, request).catch(noSnapshot);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        context.show(answer?.data ?? { name }, () => `Snapshot ${name} ${done} in ${seconds} s.`);
      }),
    );
}

const noSnapshot = notFoundMeans(
  "There is no such snapshot, or this service has none at all.",
  "npx windward snapshot lists them. Only the development stage with its own database has " +
    "snapshots.",
);

function table(rows: readonly Json[]): string {
  if (rows.length === 0) return "There are none. Make one: npx windward snapshot make NAME";
  const cells = rows.map(({ name, made_at, now, bytes }) => [name, made_at, now, megabytes(bytes)]);
  return columnsOf([["name", "made", "sandbox's time", "size"], ...cells]);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
