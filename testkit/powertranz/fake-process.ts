/**
 * The fake gateway as a process of its own, for tests that kill the service: it outlives every
 * process but the one that started it.
 */

import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { KEPT_SETTINGS } from "../kept-settings.ts";
import { createControl } from "./control.ts";
import type { PowertranzFake } from "./fake.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/powertranz-fake.ts", import.meta.url));

/** What the process says when it listens. */
export interface FakeAddress {
  readonly url: string;
  readonly controlUrl: string;
  readonly id: string;
  readonly password: string;
}

export async function startFakeProcess(): Promise<PowertranzFake> {
  const child = spawn(process.execPath, [SCRIPT, "--port", "0"], {
    env: { ...KEPT_SETTINGS, TMPDIR: process.env.TMPDIR },
    // It ends when this channel closes, however this process ends.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await new Promise<FakeAddress>((resolve, reject) => {
    child.once("message", (message) => resolve(message as FakeAddress));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the PowerTranz fake ended with ${code}`)));
  });
  return {
    ...address,
    control: createControl(address.controlUrl),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
