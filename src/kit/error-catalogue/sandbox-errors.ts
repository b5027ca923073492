/** Errors of what a developer makes happen in the sandbox. */

import { entries } from "./entry.ts";

const CONFLICT = { status: 409 } as const;

export const SANDBOX_ERRORS = entries(CONFLICT, {
  clock_runs_forward: {
    title: "The clock runs forward",
    statement: "The sandbox's clock was to be set to a time that is over.",
    hint: "Set a later time, or restore a snapshot of the time to go back to.",
    example: "The clock runs forward only. Restore a snapshot to go back.",
  },
  clock_too_far_ahead: {
    title: "The clock would be too far ahead",
    statement: "The sandbox's clock can be at most ten years ahead of the real time.",
    hint: "Move it less, or restore a snapshot of an earlier time.",
    example: "The clock can be at most 10 years ahead.",
  },
  simulation_refused: {
    title: "State does not allow the simulation",
    statement: "The state of the sandbox object does not allow what was to be simulated.",
    hint: "Read the object; the message names the states in which this can be simulated.",
    example:
      "The outcome approve can be simulated while the state is incomplete: the payment is failed.",
  },
  snapshot_exists: {
    title: "Snapshot exists",
    statement: "There is a snapshot of this name.",
    hint: "Choose another name, or remove the snapshot first.",
    example: "There is a snapshot of this name.",
    field: "name",
  },
  too_many_snapshots: {
    title: "Too many snapshots",
    statement: "There are as many snapshots as the sandbox keeps.",
    hint: "Remove one that you no longer need.",
    example: "There are 10 snapshots, and no more are kept.",
  },
  snapshots_unavailable: {
    title: "No snapshots of this database",
    statement: "The service uses a database of your own, which it neither copies nor exchanges.",
    hint: "Start it without DATABASE_URL, or use the tools of your database.",
    example: "Snapshots need the embedded database, and this service has a DATABASE_URL.",
  },
});
