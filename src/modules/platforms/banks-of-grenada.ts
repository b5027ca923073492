import { type Bank, USUAL_LENGTH } from "./banks.ts";

export const BANKS_OF_GRENADA: readonly Bank[] = [
  {
    name: "Grenada Co-operative Bank",
    displayName: "Grenada Co-operative Bank Limited",
    account: USUAL_LENGTH,
  },
  {
    name: "Republic Bank (Grenada)",
    displayName: "Republic Bank (Grenada) Limited",
    account: USUAL_LENGTH,
  },
  {
    name: "CIBC FirstCaribbean",
    displayName: "CIBC FirstCaribbean International Bank",
    account: USUAL_LENGTH,
  },
];
