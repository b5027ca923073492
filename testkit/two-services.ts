/**
 * Two services on one database, for a whole test file: each with a context, a pool and a port of
 * its own, as two processes have them, but in this one. They are stopped when the file is over.
 */

import { after } from "node:test";
import { startService, type TestService } from "./service.ts";

export interface TwoServices {
  readonly service: TestService;
  readonly sibling: TestService;
  /** All at once, one after the other on this service and that. */
  atOnce<T>(count: number, work: (one: TestService, turn: number) => Promise<T>): Promise<T[]>;
}

export async function startTwoServices(
  options: Parameters<typeof startService>[0] = {},
): Promise<TwoServices> {
  const service = await startService(options);
  const sibling = await startService({ ...options, database: service.database });
  after(async () => {
    await sibling.stop();
    await service.stop();
  });
  return {
    service,
    sibling,
    atOnce: (count, work) =>
      Promise.all(
        Array.from({ length: count }, (_, turn) => work(turn % 2 === 0 ? service : sibling, turn)),
      ),
  };
}
