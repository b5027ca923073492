/**
 * The banks of each platform. `name` is what callers send and what is stored; a branch of a
 * Jamaican bank is named by its town alone, as people write it on a form.
 */

import type { CountryCode } from "../../kit/vocabulary.ts";
import { BANK_ACCOUNT_TYPES, type Bank } from "./banks.ts";

/** Digits of an account number where the bank publishes no length: what is usual in the region. */
const USUAL_LENGTH = { minLength: 6, maxLength: 17 };

export const BANKS: Readonly<Record<CountryCode, readonly Bank[]>> = {
  BB: [
    bank("Republic Bank (Barbados)", "Republic Bank (Barbados) Limited"),
    bank("CIBC FirstCaribbean", "CIBC FirstCaribbean International Bank"),
    bank("RBC Royal Bank", "RBC Royal Bank (Barbados)"),
    bank("Scotiabank", "Scotiabank Barbados"),
    bank("First Citizens (Barbados)", "First Citizens Bank (Barbados)"),
    bank("Sagicor Bank", "Sagicor Bank (Barbados)"),
  ],
  GD: [
    bank("Grenada Co-operative Bank", "Grenada Co-operative Bank Limited"),
    bank("Republic Bank (Grenada)", "Republic Bank (Grenada) Limited"),
    bank("CIBC FirstCaribbean", "CIBC FirstCaribbean International Bank"),
  ],
  GY: [
    bank("Republic Bank (Guyana)", "Republic Bank (Guyana) Limited"),
    bank("Demerara Bank", "Demerara Bank Limited"),
    bank("Guyana Bank for Trade and Industry", "Guyana Bank for Trade and Industry (GBTI)"),
    bank("Citizens Bank Guyana", "Citizens Bank Guyana Inc."),
    bank("Bank of Baroda Guyana", "Bank of Baroda (Guyana) Inc."),
    bank("Scotiabank", "Scotiabank Guyana"),
  ],
  JM: [
    branched(
      "National Commercial Bank",
      "National Commercial Bank (NCB)",
      "Half Way Tree, New Kingston, King Street, Spanish Town, Montego Bay, May Pen, " +
        "Mandeville, Ocho Rios",
    ),
    branched(
      "Scotiabank Jamaica",
      "Scotiabank Jamaica",
      "Scotiabank Centre, Half Way Tree, New Kingston, Liguanea, Portmore, Spanish Town, " +
        "May Pen, Mandeville, Sam Sharpe Square, Ocho Rios",
    ),
    branched(
      "JMMB Bank",
      "JMMB Bank (Jamaica)",
      "Haughton Avenue, Knutsford Boulevard, Portmore, Junction, May Pen, Mandeville, " +
        "Montego Bay, Ocho Rios",
    ),
    branched(
      "Sagicor Bank Jamaica",
      "Sagicor Bank Jamaica",
      "Dominica Drive, Hope Road, Liguanea, Manor Park, Portmore, May Pen, Mandeville, " +
        "Montego Bay, Ocho Rios",
    ),
    branched(
      "CIBC FirstCaribbean",
      "CIBC FirstCaribbean International Bank (Jamaica)",
      "Half Way Tree, New Kingston, King Street, Portmore, May Pen, Mandeville, Montego Bay, " +
        "Ocho Rios",
    ),
    branched(
      "JN Bank",
      "JN Bank",
      "Half Way Tree, New Kingston, Barbican, Portmore, Linstead, Spanish Town, May Pen, " +
        "Mandeville, Santa Cruz, Montego Bay, Ocho Rios",
    ),
    branched(
      "First Global Bank",
      "First Global Bank (FGB)",
      "New Kingston, Liguanea, Manor Park, Portmore, Mandeville, Montego Bay, Ocho Rios",
    ),
    // It gave up its retail branches in 2003 and serves companies from one office.
    branched("Citibank", "Citibank Jamaica", "Hillcrest Avenue"),
  ],
  TT: [
    bank("First Citizens", "First Citizens Bank", 10),
    bank("Republic Bank LTD", "Republic Bank Limited", 12),
    bank("Scotia Bank Trinidad", "Scotiabank Trinidad and Tobago"),
    bank("RBC Royal Bank Trinidad and Tobago", "RBC Royal Bank (Trinidad and Tobago)"),
    bank("JMMB Bank", "JMMB Bank (Trinidad and Tobago)"),
    bank("FirstCaribbean International", "FirstCaribbean International Bank"),
    bank("Citibank", "Citibank (Trinidad and Tobago)"),
    bank("Bank of Baroda", "Bank of Baroda (Trinidad and Tobago)"),
    bank("ANSA Bank", "ANSA Bank Limited"),
  ],
};

function bank(name: string, displayName: string, digits?: number): Bank {
  const account = digits === undefined ? USUAL_LENGTH : { minLength: digits, maxLength: digits };
  return { name, displayName, account };
}

function branched(name: string, displayName: string, branches: string): Bank {
  return {
    ...bank(name, displayName),
    accountTypes: BANK_ACCOUNT_TYPES,
    branches: branches.split(", "),
  };
}
