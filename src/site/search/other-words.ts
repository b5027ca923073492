/**
 * Words that people use for what a section answers, where its text alone does not bring it first:
 * an owner asks to "sign up", a developer for "localhost" (Decision 0103). By the section's
 * address; indexed, never shown.
 */

export const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["/docs/going-live", "sign up, register, open an account, join"],
  ["/docs/links", "how do I get paid, sell without code"],
  ["/docs/pricing", "what does it cost, cost, costs, price, prices, fee, fees, charges, how much"],
  ["/docs/withdrawals#when-does-my-money-come", "when does my money arrive, payout, payday"],
  ["/docs/tool#receive-events-listen", "test webhooks locally, localhost webhook, tunnel"],
  ["/docs/start#5-refund", "refund an order, give money back"],
  ["/docs/console#developers", "where is my API key"],
  ["/docs/exam", "exam grade"],
  ["/docs/testing#where", "port already in use, EADDRINUSE"],
  ["/docs/checkout#the-request", "change currency"],
]);
