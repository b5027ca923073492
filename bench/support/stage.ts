/**
 * What every scene needs: a PostgreSQL of its own that waits for the disk, the service on it as a
 * process, and credentials.
 */

import path from "node:path";
import { startEmbeddedPostgres } from "../../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../../src/infra/log.ts";
import { demoSignIn } from "../../testkit/ask.ts";
import { type Haproxy, startHaproxy } from "../../testkit/haproxy.ts";
import { NO_LIMITS, OUT_OF_THE_WAY } from "../../testkit/no-limits.ts";
import { endAll, type Running, start } from "../../testkit/processes.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { createDatabase, dropDatabase } from "./own-database.ts";

export interface Stage {
  readonly service: Running;
  /** With these another service of the same kind starts on the same database. */
  readonly settings: Record<string, string>;
  readonly token: string;
  readonly key: string;
}

export async function setStage(tool: Tool): Promise<Stage> {
  return openStage(await setServer(tool));
}

/** PostgreSQL alone, with settings of its own; gives those of a service on it. */
export async function setServer(
  tool: Tool,
  ofPostgres: Record<string, string> = {},
): Promise<Record<string, string>> {
  const log = createLog({ level: "warn" });
  const dataDir = path.join(tool.folder, "data");
  const postgres = await tool.keep(
    () => startEmbeddedPostgres({ dataDir, log, settings: ofPostgres }),
    (started) => started.stop(),
  );
  tool.add(endAll);
  return {
    DATABASE_URL: postgres.url,
    // All customers come from this machine with one card, which is counted while it is under way.
    ...NO_LIMITS,
    WITHDRAWALS_PER_DAY_MAX: OUT_OF_THE_WAY,
  };
}

async function openStage(settings: Record<string, string>): Promise<Stage> {
  const service = await start({ settings });
  return { service, settings, ...(await makeCredentials(service)) };
}

/**
 * A database and a service of its own for a scene that leaves much behind: unpaid orders end three
 * minutes later and withdrawals are paid out when they are due, beside the next scene. And the
 * workers of the stage's own service would do part of its work.
 */
export async function onItsOwn<T>(
  { settings }: Pick<Stage, "settings">,
  name: string,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const server = settings.DATABASE_URL ?? "";
  const url = await createDatabase(server, name);
  try {
    const own = await openStage({ ...settings, DATABASE_URL: url.href });
    return await play(own).finally(() => own.service.stop());
  } finally {
    await dropDatabase(server, name);
  }
}

export interface ProxiedStage extends Stage {
  readonly proxy: Haproxy;
}

/** The same behind the shipped HAProxy, with a service that sheds load as in production. */
export function behindProxy<T>(
  stage: Stage,
  name: string,
  play: (stage: ProxiedStage) => Promise<T>,
): Promise<T> {
  const production = { OVERLOAD_LOOP_DELAY_MS: "200", TRUSTED_PROXIES: "127.0.0.1/32" };
  const settings = { ...stage.settings, ...production };
  return onItsOwn({ ...stage, settings }, name, async (own) => {
    const proxy = await startHaproxy([own.service.url]);
    return play({ ...own, proxy }).finally(() => proxy.stop());
  });
}

async function makeCredentials(service: Running): Promise<{ token: string; key: string }> {
  const scopes = "svc-user-all svc-transactions-all";
  const signedIn = await service.ask("/auth/tokens", demoSignIn("merchant@example.com", scopes));
  const token = signedIn.body.access_token;
  const json = { environment: "sandbox", scopes };
  const made = await service.ask("/auth/keys", { method: "POST", token, json });
  if (made.status !== 201) throw new Error(`a key was refused: ${made.text}`);
  return { token, key: made.body.data.key };
}
