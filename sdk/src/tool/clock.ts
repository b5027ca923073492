/** `windward clock`: the sandbox's time, and moving it forward (development stage only). */

import { Command } from "commander";
import type { Json } from "./api.ts";
import { act, withConnection } from "./context.ts";
import { readDuration } from "./duration.ts";
import { columnsOf } from "./paint.ts";
import { notFoundMeans, WrongUsage } from "./tool-error.ts";

const HELP = `
  npx windward clock                            what time it is in the sandbox
  npx windward clock advance 3m                 90s, 3m, 24h, 5d, 1mo; also 1d12h
  npx windward clock set 2026-12-01T09:00:00Z   a later time

Deadlines, retries and statements follow it; sign-ins and signatures stay on real time. It runs
forward only: npx windward snapshot restore brings an earlier time back.`;

export function clockCommand(): Command {
  return withConnection(new Command("clock"))
    .description("show the sandbox's time, or move it forward")
    .argument("[action]", "advance or set")
    .argument("[time]", "a duration such as 3m, or a time")
    .addHelpText("after", HELP)
    .action(
      act(async (context, _options, action, time) => {
        const read = readMove(action, time);
        const api = await context.api();
        const { data: before } = await api.call("GET", "/sandbox/clock").catch(noClock);
        const body = read(new Date(before.now));
        const { data } =
          body === undefined
            ? { data: before }
            : await api.call("POST", "/sandbox/clock", { body });
        context.show(data, () => words(data));
      }),
    );
}

const noClock = notFoundMeans(
  "This service's clock cannot be moved.",
  "Only a service in the development stage has one: run npm start on your machine.",
);

/** What was typed is checked before anything is sent. */
function readMove(
  action: string | undefined,
  time: string | undefined,
): (now: Date) => object | undefined {
  if (action === undefined) return () => undefined;
  if (action !== "advance" && action !== "set")
    throw new WrongUsage(
      `There is no clock ${action}.`,
      "Write clock, clock advance or clock set.",
    );
  if (time === undefined)
    throw new WrongUsage(`clock ${action} needs a time.`, "Such as clock advance 3m.");
  if (action === "advance") {
    readDuration(time, new Date(0));
    return (now) => ({ advance: readDuration(time, now) });
  }
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime()))
    throw new WrongUsage(`${time} is not a time.`, "Write it like 2026-12-01T09:00:00Z.");
  return () => ({ set: moment.toISOString() });
}

function words({ now, real_time, shift_seconds }: Json): string {
  return columnsOf([
    ["sandbox", now],
    ["real time", real_time],
    ["ahead by", `${shift_seconds} s`],
  ]);
}
