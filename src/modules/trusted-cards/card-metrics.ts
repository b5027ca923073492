/** Metrics of trusted cards. */

import { Counter, Gauge } from "prom-client";

export const unopenedCards = new Counter({
  name: "windward_stored_cards_unopened_total",
  help: "Stored cards that did not open: their rows were changed by somebody else. An alarm.",
});
export const rejectedReturns = new Counter({
  name: "windward_card_returns_rejected_total",
  help: "Small amounts that prove a card and that the gateway refuses to return.",
});
export const dueReturns = new Gauge({
  name: "windward_card_returns_due",
  help: "Small amounts that prove a card and wait to be returned, when last looked.",
  aggregator: "max",
});
