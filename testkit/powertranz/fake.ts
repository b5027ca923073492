/**
 * A fake PowerTranz gateway, in memory, over real HTTP: the API under `/api/`, the card's bank
 * under `/bank/`, and a control door. Started in this process here, as one of its own by
 * `fake-process.ts` and `npm run powertranz-fake`.
 */

import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import process from "node:process";
import { inspect } from "node:util";
import { type Control, createControl } from "./control.ts";
import type { Controlled } from "./control-door.ts";
import { createFaults } from "./faults.ts";
import { createJournal, type Merchant, type Switches } from "./journal.ts";
import { serveCall } from "./serve-call.ts";

/** Easily found by a search for secrets in what the service wrote. */
export const FAKE_MERCHANT: Merchant = { id: "88801234", password: "fake-Pw-7Qz4kX9vLm2T" };

const SWITCHES: Switches = {
  credentials401: false,
  passwordWrong: false,
  voidNever: false,
  voidWindowSeconds: 1200,
  oneRefundOnly: false,
  lookupOff: false,
  lookupNotFoundAs: "404",
  lookupDelaySeconds: 0,
  currencies: ["052", "328", "388", "780", "840", "951"],
  brands: ["Visa", "MasterCard", "Amex", "Discover", "JCB"],
  contactRequired: false,
  authenticationRepeated: false,
  authenticationLookedUp: false,
  centsDecide: true,
  feeBasisPoints: 0,
};

export interface FakeOptions {
  readonly port?: number;
  readonly merchants?: readonly Merchant[];
  /** Absent: a call that sends one is refused. */
  readonly gatewayKey?: string;
  readonly switches?: Partial<Switches>;
}

/** The same for one in this process and for one of its own. */
export interface PowertranzFake {
  /** Root of the API, with its slash: the setting POWERTRANZ_URL. */
  readonly url: string;
  readonly controlUrl: string;
  readonly id: string;
  readonly password: string;
  readonly control: Control;
  stop(): Promise<void>;
}

export async function startPowertranzFake(options: FakeOptions = {}): Promise<PowertranzFake> {
  const [merchant = FAKE_MERCHANT] = options.merchants ?? [];
  const journal = createJournal({
    merchants: options.merchants ?? [FAKE_MERCHANT],
    gatewayKey: options.gatewayKey,
    switches: { ...SWITCHES, ...options.switches },
  });
  const controlled: Controlled = { journal, faults: createFaults(), calls: [], holds: new Set() };
  const stopped = new AbortController();
  const sockets = new Set<Socket>();
  // A kept connection that ends by itself would look like a fault.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    response.on("error", () => {});
    serveCall(controlled, request, response, stopped.signal).catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      // A bug of the fake must not look like one of its faults.
      process.stderr.write(`the PowerTranz fake: ${inspect(error)}\n`);
      response.destroy();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const controlUrl = `http://127.0.0.1:${port}/control`;
  return {
    url: `http://127.0.0.1:${port}/api/`,
    controlUrl,
    ...merchant,
    control: createControl(controlUrl),
    async stop() {
      stopped.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
