/**
 * Opens twelve orders in a running shop, as twelve customers would who then pay nothing, and prints
 * them as `windward exam --orders` wants them: `node examples/open-orders.ts [the shop's address]`.
 */

const [, , shop = "http://localhost:4000"] = process.argv;
const CASES = 12;

interface Order {
  readonly id: string;
  readonly total: string;
}

const before = new Set((await ordersOf(shop)).map(({ id }) => id));
for (let at = 0; at < CASES; at += 1) {
  const body = new URLSearchParams({ item: String(at % 2) });
  const { status } = await fetch(`${shop}/buy`, { method: "POST", body, redirect: "manual" });
  if (status !== 303) end(`The shop answered ${status} to POST /buy. Is Windward running?`);
}
const opened = (await ordersOf(shop)).filter(({ id }) => !before.has(id));
process.stdout.write(`${opened.map(({ id, total }) => `${id}:${total}`).join(",")}\n`);

async function ordersOf(address: string): Promise<Order[]> {
  const answer = await fetch(`${address}/orders`).catch(() =>
    end(`Nothing answers at ${address}. Start the shop, or name its address.`),
  );
  const orders: unknown = await answer.json().catch(() => undefined);
  if (Array.isArray(orders)) return orders;
  return end(
    `${address} is none of the example shops: GET /orders lists no orders there. In a shop of ` +
      "your own, open twelve orders as customers do and write them like order-1:100.00,…",
  );
}

function end(words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(1);
}
