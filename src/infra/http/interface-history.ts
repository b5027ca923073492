/**
 * The releases of the interface (Interface §9), newest first: for the page of collections. The
 * changelog says the same, and a test holds them together.
 */

export interface Release {
  readonly version: string;
  /** A day, as `2026-09-07`. */
  readonly date: string;
  readonly changes: string;
}

export const INTERFACE_HISTORY: readonly [Release, ...Release[]] = [
  {
    version: "2.0.5",
    date: "2026-09-07",
    changes: "Collections of requests for API clients can be downloaded.",
  },
  {
    version: "2.0.4",
    date: "2026-08-25",
    changes: "Accounts in Barbados pay and withdraw in BBD as well.",
  },
  {
    version: "2.0.3",
    date: "2026-05-29",
    changes: "A withdrawal may carry `data` of yours, which answers and webhooks bring back.",
  },
  {
    version: "2.0.2",
    date: "2026-04-23",
    changes: "Webhooks tell what becomes of a withdrawal.",
  },
  {
    version: "2.0.1",
    date: "2026-03-30",
    changes:
      "A withdrawal to a person without a bank account names its recipient and no bank. Every " +
      "endpoint takes JSON and form data.",
  },
  {
    version: "2.0.0",
    date: "2026-03-10",
    changes:
      "Paths name things instead of actions, scopes have new names, API keys sign in, fields are " +
      "judged anew. New: User, Withdrawals, fees and limits of payments.",
  },
  { version: "1.0.5", date: "2024-11-07", changes: "Revised." },
  { version: "1.0.4", date: "2023-03-28", changes: "Trusted cards work better." },
  {
    version: "1.0.3",
    date: "2023-02-28",
    changes: "The status of a transaction, and saving and reading trusted cards, work better.",
  },
  { version: "1.0.2", date: "2023-01-07", changes: "Revised." },
  {
    version: "1.0.1",
    date: "2022-12-24",
    changes: "Access tokens have scopes; requests say that they want JSON.",
  },
  { version: "1.0.0", date: "2022-12-19", changes: "The first release." },
];
