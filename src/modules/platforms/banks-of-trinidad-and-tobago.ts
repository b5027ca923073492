import { type Bank, USUAL_LENGTH } from "./banks.ts";

export const BANKS_OF_TRINIDAD_AND_TOBAGO: readonly Bank[] = [
  {
    name: "First Citizens",
    displayName: "First Citizens Bank",
    account: { minLength: 10, maxLength: 10 },
  },
  {
    name: "Republic Bank LTD",
    displayName: "Republic Bank Limited",
    account: { minLength: 12, maxLength: 12 },
  },
  {
    name: "Scotia Bank Trinidad",
    displayName: "Scotiabank Trinidad and Tobago",
    account: USUAL_LENGTH,
  },
  {
    name: "RBC Royal Bank Trinidad and Tobago",
    displayName: "RBC Royal Bank (Trinidad and Tobago)",
    account: USUAL_LENGTH,
  },
  { name: "JMMB Bank", displayName: "JMMB Bank (Trinidad and Tobago)", account: USUAL_LENGTH },
  {
    name: "FirstCaribbean International",
    displayName: "FirstCaribbean International Bank",
    account: USUAL_LENGTH,
  },
  { name: "Citibank", displayName: "Citibank (Trinidad and Tobago)", account: USUAL_LENGTH },
  {
    name: "Bank of Baroda",
    displayName: "Bank of Baroda (Trinidad and Tobago)",
    account: USUAL_LENGTH,
  },
  { name: "ANSA Bank", displayName: "ANSA Bank Limited", account: USUAL_LENGTH },
];
