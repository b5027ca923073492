/** What the bookshop of the screenshots sells: two lines that add up to the total of an order. */

import type { OrderItem } from "../../src/modules/transactions/order-items.ts";

const TITLES = [
  "The Lonely Londoners, Sam Selvon",
  "Miguel Street, V. S. Naipaul",
  "Crick Crack, Monkey, Merle Hodge",
  "Omeros, Derek Walcott",
  "Lucy, Jamaica Kincaid",
  "Summer Lightning, Olive Senior",
  "In the Castle of My Skin, George Lamming",
];
const DELIVERY_MINOR = 1_000;

/** By the number of the order alone, so that nothing else that is chosen changes. */
export function orderOf(orderId: string, totalMinor: number) {
  const name = TITLES[Number(orderId) % TITLES.length] ?? "A book";
  const items: OrderItem[] = [
    { name, quantity: 1, unit_price_minor: totalMinor - DELIVERY_MINOR },
    { name: "Delivery", quantity: 1, unit_price_minor: DELIVERY_MINOR },
  ];
  return { description: `Books, order ${orderId}`, items };
}
