/**
 * Ends a PostgreSQL server: fast shutdown first (SIGINT: clients are cut, everything is written),
 * then the immediate one (SIGQUIT: recovery at the next start), at last SIGKILL. None of them loses
 * what was committed.
 */
import { sendSignal } from "./process-facts.ts";

const STEPS = [
  { signal: "SIGINT", msMax: 20_000 },
  { signal: "SIGQUIT", msMax: 8_000 },
  { signal: "SIGKILL", msMax: 2_000 },
] as const;

/** False when the process is still there after all of it. */
export async function endServer(server: {
  pid: number;
  endsWithin(ms: number): Promise<boolean>;
}): Promise<boolean> {
  for (const { signal, msMax } of STEPS) {
    sendSignal({ pid: server.pid, signal });
    if (await server.endsWithin(msMax)) return true;
  }
  return false;
}
