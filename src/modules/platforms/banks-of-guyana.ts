import { type Bank, USUAL_LENGTH } from "./banks.ts";

export const BANKS_OF_GUYANA: readonly Bank[] = [
  {
    name: "Republic Bank (Guyana)",
    displayName: "Republic Bank (Guyana) Limited",
    account: USUAL_LENGTH,
  },
  { name: "Demerara Bank", displayName: "Demerara Bank Limited", account: USUAL_LENGTH },
  {
    name: "Guyana Bank for Trade and Industry",
    displayName: "Guyana Bank for Trade and Industry (GBTI)",
    account: USUAL_LENGTH,
  },
  { name: "Citizens Bank Guyana", displayName: "Citizens Bank Guyana Inc.", account: USUAL_LENGTH },
  {
    name: "Bank of Baroda Guyana",
    displayName: "Bank of Baroda (Guyana) Inc.",
    account: USUAL_LENGTH,
  },
  { name: "Scotiabank", displayName: "Scotiabank Guyana", account: USUAL_LENGTH },
];
