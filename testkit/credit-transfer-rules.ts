/**
 * What the public schema of `pain.001.001.09` demands of the elements that a file of ours may have:
 * which may stand in which, in what order and how often, and what text may be in them. Written down
 * by hand as data; an element that is not named here is a mistake, even where the schema knows it.
 */

/** Name, how often at least and at most, and what is in it. */
type Part = readonly [name: string, min: number, max: number, type: string];

const MANY = Number.POSITIVE_INFINITY;

/** Elements inside, in this order; of a choice exactly one. */
export const COMPLEX: Readonly<Record<string, { choice?: true; parts: readonly Part[] }>> = {
  Document: { parts: [["CstmrCdtTrfInitn", 1, 1, "Initiation"]] },
  Initiation: {
    parts: [
      ["GrpHdr", 1, 1, "Header"],
      ["PmtInf", 1, MANY, "Order"],
    ],
  },
  Header: {
    parts: [
      ["MsgId", 1, 1, "text35"],
      ["CreDtTm", 1, 1, "time"],
      ["NbOfTxs", 1, 1, "count"],
      ["CtrlSum", 0, 1, "decimal"],
      ["InitgPty", 1, 1, "Party"],
    ],
  },
  Order: {
    parts: [
      ["PmtInfId", 1, 1, "text35"],
      ["PmtMtd", 1, 1, "method"],
      ["BtchBookg", 0, 1, "boolean"],
      ["NbOfTxs", 0, 1, "count"],
      ["CtrlSum", 0, 1, "decimal"],
      ["ReqdExctnDt", 1, 1, "Day"],
      ["Dbtr", 1, 1, "Party"],
      ["DbtrAcct", 1, 1, "Account"],
      ["DbtrAgt", 1, 1, "Agent"],
      ["ChrgBr", 0, 1, "bearer"],
      ["CdtTrfTxInf", 1, MANY, "Transfer"],
    ],
  },
  Transfer: {
    parts: [
      ["PmtId", 1, 1, "Ids"],
      ["Amt", 1, 1, "Amount"],
      ["ChqInstr", 0, 1, "Cheque"],
      ["IntrmyAgt1", 0, 1, "Agent"],
      ["CdtrAgt", 0, 1, "Agent"],
      ["Cdtr", 0, 1, "Party"],
      ["CdtrAcct", 0, 1, "Account"],
      ["RmtInf", 0, 1, "Remittance"],
    ],
  },
  Ids: {
    parts: [
      ["InstrId", 0, 1, "text35"],
      ["EndToEndId", 1, 1, "text35"],
    ],
  },
  Day: {
    choice: true,
    parts: [
      ["Dt", 1, 1, "day"],
      ["DtTm", 1, 1, "time"],
    ],
  },
  Amount: { choice: true, parts: [["InstdAmt", 1, 1, "amount"]] },
  Cheque: {
    parts: [
      ["ChqTp", 0, 1, "cheque"],
      ["DlvryMtd", 0, 1, "Delivery"],
    ],
  },
  Delivery: { choice: true, parts: [["Cd", 1, 1, "delivery"]] },
  Party: {
    parts: [
      ["Nm", 0, 1, "text140"],
      ["PstlAdr", 0, 1, "Address"],
      ["Id", 0, 1, "PartyId"],
      ["CtctDtls", 0, 1, "Contact"],
    ],
  },
  PartyId: { choice: true, parts: [["PrvtId", 1, 1, "Person"]] },
  Person: { parts: [["Othr", 0, MANY, "PersonId"]] },
  PersonId: {
    parts: [
      ["Id", 1, 1, "text35"],
      ["SchmeNm", 0, 1, "Code4"],
    ],
  },
  Code4: { choice: true, parts: [["Cd", 1, 1, "code4"]] },
  Contact: { parts: [["PhneNb", 0, 1, "phone"]] },
  Address: {
    parts: [
      ["Ctry", 0, 1, "country"],
      ["AdrLine", 0, 7, "text70"],
    ],
  },
  Agent: {
    parts: [
      ["FinInstnId", 1, 1, "Institution"],
      ["BrnchId", 0, 1, "Branch"],
    ],
  },
  Institution: {
    parts: [
      ["BICFI", 0, 1, "bic"],
      ["ClrSysMmbId", 0, 1, "Member"],
      ["Nm", 0, 1, "text140"],
      ["PstlAdr", 0, 1, "Address"],
    ],
  },
  Member: {
    parts: [
      ["ClrSysId", 0, 1, "System"],
      ["MmbId", 1, 1, "text35"],
    ],
  },
  System: { choice: true, parts: [["Cd", 1, 1, "code5"]] },
  Branch: { parts: [["Nm", 0, 1, "text140"]] },
  Account: {
    parts: [
      ["Id", 1, 1, "AccountId"],
      ["Tp", 0, 1, "Code4"],
      ["Ccy", 0, 1, "currency"],
    ],
  },
  AccountId: {
    choice: true,
    parts: [
      ["IBAN", 1, 1, "iban"],
      ["Othr", 1, 1, "OtherAccount"],
    ],
  },
  OtherAccount: { parts: [["Id", 1, 1, "text34"]] },
  Remittance: { parts: [["Ustrd", 0, MANY, "text140"]] },
};

const SIGNS = "[A-Za-z0-9/\\-?:().,'+ ]";
const text = (max: number) => new RegExp(`^(?! )${SIGNS}{1,${max}}(?<! )$`);

/**
 * Text inside. The schema lets texts be any characters; ours are those that every bank takes, and a
 * decimal of ours has two places, where the schema allows seventeen, or five in an amount.
 */
export const SIMPLE: Readonly<Record<string, RegExp>> = {
  text34: text(34),
  text35: text(35),
  text70: text(70),
  text140: text(140),
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  count: /^[1-9]\d{0,14}$/,
  decimal: /^(?!0+\.00$)\d{1,16}\.\d{2}$/,
  amount: /^(?!0+\.00$)\d{1,16}\.\d{2}$/,
  boolean: /^(?:true|false)$/,
  method: /^(?:CHK|TRF|TRA)$/,
  bearer: /^(?:DEBT|CRED|SHAR|SLEV)$/,
  cheque: /^(?:CCHQ|CCCH|BCHQ|DRFT|ELDR)$/,
  delivery: /^(?:ML|CR|PU|RG)(?:DB|CD|FA)$/,
  code4: /^[A-Z]{4}$/,
  code5: /^[A-Z]{1,5}$/,
  phone: /^\+\d{1,3}-[\d()+-]{1,30}$/,
  country: /^[A-Z]{2}$/,
  currency: /^[A-Z]{3}$/,
  bic: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
  iban: /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/,
};

/** Attributes are demanded where they are named, and refused elsewhere. */
export const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  amount: { Ccy: "currency" },
};
