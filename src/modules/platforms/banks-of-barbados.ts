import { type Bank, USUAL_LENGTH } from "./banks.ts";

export const BANKS_OF_BARBADOS: readonly Bank[] = [
  {
    name: "Republic Bank (Barbados)",
    displayName: "Republic Bank (Barbados) Limited",
    account: USUAL_LENGTH,
  },
  {
    name: "CIBC FirstCaribbean",
    displayName: "CIBC FirstCaribbean International Bank",
    account: USUAL_LENGTH,
  },
  { name: "RBC Royal Bank", displayName: "RBC Royal Bank (Barbados)", account: USUAL_LENGTH },
  { name: "Scotiabank", displayName: "Scotiabank Barbados", account: USUAL_LENGTH },
  {
    name: "First Citizens (Barbados)",
    displayName: "First Citizens Bank (Barbados)",
    account: USUAL_LENGTH,
  },
  { name: "Sagicor Bank", displayName: "Sagicor Bank (Barbados)", account: USUAL_LENGTH },
];
