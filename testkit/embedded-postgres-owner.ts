/**
 * A Windward reduced to its embedded PostgreSQL, as a process of its own that tests can kill.
 *
 * `node embedded-postgres-owner.ts '{"dataDir": …, "settings": …}'` prints one line of JSON,
 * `{"url", "pid", "ms"}` or `{"refusal"}`, and logs to stderr. SIGTERM stops it in order; it must
 * then end by itself, so no handle was left.
 */
import { CannotStartDatabase } from "../src/infra/embedded-postgres/cannot-start-database.ts";
import * as embedded from "../src/infra/embedded-postgres/start-embedded-postgres.ts";

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const toStderr = (about: object, message: string) =>
  process.stderr.write(`${message} ${JSON.stringify(about)}\n`);

const { exitAfterStart, ...options } = JSON.parse(process.argv[2] ?? "{}");
const startedAt = performance.now();
try {
  const log = { info: toStderr, warn: toStderr };
  const database = await embedded.startEmbeddedPostgres({ ...options, log });
  process.once("SIGTERM", () => database.stop());
  say({ url: database.url, pid: database.pid, ms: Math.round(performance.now() - startedAt) });
  if (exitAfterStart) process.exit(0);
} catch (error) {
  if (!(error instanceof CannotStartDatabase)) throw error;
  say({ refusal: error.message });
}
