/** Windward as a process with its demo world, and credentials of the demo merchant. */

import { demoSignIn } from "./ask.ts";
import { freePort } from "./free-port.ts";
import { makeSeededDataDir, type Running, start, UNHINDERED } from "./processes.ts";

const SCOPES = "svc-user-all svc-transactions-all";

export interface DemoService extends Running {
  readonly token: string;
  /** An API key. */
  readonly key: string;
}

/** On a port that it knows beforehand: its pages lead to its own address. End it by `endAll`. */
export async function startDemoService(): Promise<DemoService> {
  const settings = { PORT: String(await freePort()), DATA_DIR: await makeSeededDataDir() };
  const service = await start({ settings: { ...UNHINDERED, ...settings } });
  const { body: tokens } = await service.ask("/auth/tokens", demoSignIn(undefined, SCOPES));
  const token: string = tokens.access_token;
  const json = { environment: "sandbox", scopes: SCOPES };
  const { body: made } = await service.ask("/auth/keys", { method: "POST", token, json });
  return { ...service, token, key: made.data.key };
}
