/**
 * The banks of Jamaica with their branches, which its bank details name as well. A branch is called
 * by its place alone, as people write it on a form.
 */

import { BANK_ACCOUNT_TYPES, type Bank, USUAL_LENGTH } from "./banks.ts";

export const BANKS_OF_JAMAICA: readonly Bank[] = [
  bank("National Commercial Bank", "National Commercial Bank (NCB)", [
    "Half Way Tree",
    "New Kingston",
    "King Street",
    "Spanish Town",
    "Montego Bay",
    "May Pen",
    "Mandeville",
    "Ocho Rios",
  ]),
  bank("Scotiabank Jamaica", "Scotiabank Jamaica", [
    "Scotiabank Centre",
    "Half Way Tree",
    "New Kingston",
    "Liguanea",
    "Portmore",
    "Spanish Town",
    "May Pen",
    "Mandeville",
    "Sam Sharpe Square",
    "Ocho Rios",
  ]),
  bank("JMMB Bank", "JMMB Bank (Jamaica)", [
    "Haughton Avenue",
    "Knutsford Boulevard",
    "Portmore",
    "Junction",
    "May Pen",
    "Mandeville",
    "Montego Bay",
    "Ocho Rios",
  ]),
  bank("Sagicor Bank Jamaica", "Sagicor Bank Jamaica", [
    "Dominica Drive",
    "Hope Road",
    "Liguanea",
    "Manor Park",
    "Portmore",
    "May Pen",
    "Mandeville",
    "Montego Bay",
    "Ocho Rios",
  ]),
  bank("CIBC FirstCaribbean", "CIBC FirstCaribbean International Bank (Jamaica)", [
    "Half Way Tree",
    "New Kingston",
    "King Street",
    "Portmore",
    "May Pen",
    "Mandeville",
    "Montego Bay",
    "Ocho Rios",
  ]),
  bank("JN Bank", "JN Bank", [
    "Half Way Tree",
    "New Kingston",
    "Barbican",
    "Portmore",
    "Linstead",
    "Spanish Town",
    "May Pen",
    "Mandeville",
    "Santa Cruz",
    "Montego Bay",
    "Ocho Rios",
  ]),
  bank("First Global Bank", "First Global Bank (FGB)", [
    "New Kingston",
    "Liguanea",
    "Manor Park",
    "Portmore",
    "Mandeville",
    "Montego Bay",
    "Ocho Rios",
  ]),
  // It gave up its retail branches in 2003 and serves companies from one office.
  bank("Citibank", "Citibank Jamaica", ["Hillcrest Avenue"]),
];

function bank(name: string, displayName: string, branches: readonly string[]): Bank {
  return {
    name,
    displayName,
    account: USUAL_LENGTH,
    accountTypes: BANK_ACCOUNT_TYPES,
    branches,
  };
}
