/** Starts the sketch with the rows that it is to write and the answers that it is to send. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Plan } from "../sketch/plan.ts";

const SKETCH = fileURLToPath(new URL("sketch.ts", import.meta.url));

export interface SketchPlan {
  readonly database: string;
  readonly plan: Plan;
  /** What a merchant was answered, a customer shown and a receiver told. */
  readonly answer: string;
  readonly page: string;
  readonly event: string;
  /** Where webhooks go; absent: there are none. */
  readonly receiver: string | undefined;
}

export interface Sketch {
  readonly url: string;
  readonly pid: number;
  end(): void;
}

export async function startSketch(plan: SketchPlan): Promise<Sketch> {
  const child = spawn(process.execPath, [SKETCH], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.send(plan);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the sketch ended at its start with ${code}`);
  });
  const [{ address }] = await Promise.race([once(child, "message"), ended]);
  return { url: address, pid: child.pid ?? 0, end: () => void child.kill() };
}
