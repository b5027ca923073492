/** Feeds for the tests of the consumer: real ones, of a shop of its own, that grow when told. */

import type { WindwardEvent } from "../../sdk/src/lists.ts";
import { createWindward, type Windward } from "../../sdk/src/windward.ts";
import { mintKey } from "../../testkit/credentials.ts";
import type { TestService } from "../../testkit/service.ts";
import { note } from "../events/support.ts";

export interface Feed {
  readonly windward: Windward;
  readonly accountNumber: string;
  readonly environment: "sandbox";
  /** Adds events; tells them as webhooks would bring them. */
  grow(count: number): Promise<WindwardEvent[]>;
  /** How often the feed was asked for. */
  readonly looks: () => number;
}

export async function openFeed(service: TestService): Promise<Feed> {
  const { accountNumber } = await service.world.merchant();
  const { key: apiKey } = await mintKey(service.ctx, { accountNumber }, ["svc-user-retrieve"]);
  const environment = "sandbox";
  let looks = 0;
  let length = 0;
  const fetch = (request: Request) => {
    looks += 1;
    return globalThis.fetch(request);
  };
  const windward = createWindward({ baseUrl: service.url, apiKey, fetch });
  const reader = createWindward({ baseUrl: service.url, apiKey });
  return {
    windward,
    accountNumber,
    environment,
    looks: () => looks,
    async grow(count) {
      await service.ctx.db.transaction(async (tx) => {
        for (let i = 1; i <= count; i += 1)
          await note(tx, { accountNumber, environment }, `event ${length + i}`);
      });
      await service.numberEvents();
      const grown: WindwardEvent[] = [];
      for await (const event of reader.events({ after: length })) grown.push(event);
      length += grown.length;
      return grown;
    },
  };
}
