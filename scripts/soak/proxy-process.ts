/** The wires in a process of their own: a busy supervisor would be a fault that nobody planned. */

import { type ChaosProxy, startChaosProxy, type WireFault } from "./chaos-proxy.ts";

export type Order =
  | { readonly open: string; readonly port: number; readonly seed: number }
  | {
      readonly hit: string;
      readonly fault: WireFault;
      readonly share: number;
      readonly lastsMs: number;
    };

const proxies = new Map<string, ChaosProxy>();

process.on("message", async (order: Order) => {
  if ("open" in order) {
    const proxy = await startChaosProxy(order);
    proxies.set(order.open, proxy);
    process.send?.({ opened: order.open, port: proxy.port });
  } else proxies.get(order.hit)?.hit(order.fault, order);
});
process.once("disconnect", () => process.exit());
