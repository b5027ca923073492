/**
 * The banks of an account, one path for each type, because their fields differ (Interface §4.5). An
 * unknown type is refused like any field (Decision 0019).
 */

import { created, ok } from "../../infra/http/answer.ts";
import { protectedRoute, type Refusal, type Route } from "../../infra/http/route.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { eachOptional } from "../../kit/fields/field.ts";
import { saidOnly, saidWith } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { platformOf } from "../platforms/platform.ts";
import {
  type BankKind,
  type BankType,
  bankView,
  findBankRow,
  NoBankExists,
  viewBank,
} from "./bank.ts";
import { changing, reading, type UserContext } from "./context.ts";
import { foreignBank } from "./foreign-bank.ts";
import { localBank } from "./local-bank.ts";
import {
  addBank,
  BankAlreadyExists,
  changeBank,
  nothingToChange,
  removeBank,
  requiredWithAnother,
} from "./write-bank.ts";

const group = "Bank details";

const GOOD_IN_JAMAICA = {
  bank_name: "JN Bank",
  bank_account: "301234567",
  name_in_bank: "Sonia Grant",
  bank_account_type: "chequing",
  bank_branch: "New Kingston",
};

/** The refusals of banks that the platform does not know. */
const MISMATCHES: Readonly<Record<BankType, readonly Refusal[]>> = {
  local: [
    { bank_name: "1" },
    { bank_account: "1" },
    { bank_account_type: "1" },
    { bank_branch: "1" },
    { bank_account_type: undefined },
    { bank_branch: undefined },
  ].map((wrong) => () => localBank.settle({ ...GOOD_IN_JAMAICA, ...wrong }, platformOf("JM"))),
  foreign: [],
};

const readBanksRoute = protectedRoute({
  method: "GET",
  path: "/user/banks",
  group,
  summary: "Read both bank accounts",
  access: reading,
  answers: {
    200: {
      about: "The bank accounts, each null while there is none",
      body: saidWith(Type.Object({ local: bankView(localBank), foreign: bankView(foreignBank) })),
    },
  },
  async run(ctx: UserContext, _call, { accountNumber }) {
    const [local, foreign] = await Promise.all([
      showBank(ctx, localBank, accountNumber),
      showBank(ctx, foreignBank, accountNumber),
    ]);
    return ok({ data: { local, foreign } });
  },
});

const refusing = {
  path: "/user/banks/{type}",
  group,
  summary: "Refuse any other type",
  isHidden: true,
  params: { type: oneOf(["local", "foreign"]) },
  answers: { 400: { about: "The type is neither local nor foreign" } },
  async run(_ctx: UserContext): Promise<never> {
    throw new Error("the types that exist have routes of their own");
  },
} as const;

const otherTypes = [
  protectedRoute({ ...refusing, method: "GET", access: reading }),
  protectedRoute({ ...refusing, method: "POST", access: changing("create") }),
  protectedRoute({ ...refusing, method: "PATCH", access: changing("update") }),
  protectedRoute({ ...refusing, method: "DELETE", access: changing("delete") }),
];

function addRoute(kind: BankKind): Route<UserContext> {
  return protectedRoute({
    ...at(kind),
    method: "POST",
    summary: `Add the ${kind.type} bank account`,
    access: changing("create"),
    idempotent: true,
    body: kind.fields,
    answers: {
      201: { about: "Added", body: saidOnly("Created") },
      400: {
        about: "A field is malformed, or the platform does not know it",
        refusals: MISMATCHES[kind.type],
      },
      409: {
        about: "There is one already, or the same Idempotency-Key is still running",
        refusals: [new BankAlreadyExists(kind.type)],
      },
    },
    run: (ctx: UserContext, { body, once }, caller) =>
      once((tx) => addBank(ctx, tx, caller, kind, body).then(() => created())),
  });
}

function readRoute(kind: BankKind): Route<UserContext> {
  return protectedRoute({
    ...at(kind),
    method: "GET",
    summary: `Read the ${kind.type} bank account`,
    access: reading,
    answers: {
      200: {
        about: "The bank account, null while there is none",
        body: saidWith(Type.Object({ [kind.type]: bankView(kind) })),
      },
    },
    async run(ctx: UserContext, _call, { accountNumber }) {
      return ok({ data: { [kind.type]: await showBank(ctx, kind, accountNumber) } });
    },
  });
}

function changeRoute(kind: BankKind): Route<UserContext> {
  return protectedRoute({
    ...at(kind),
    method: "PATCH",
    summary: `Change the ${kind.type} bank account`,
    about:
      "At least one field. What is not sent stays as it is, and the whole must be right; another " +
      "bank comes with its own number and branch. An optional field can be replaced, not taken " +
      "away: remove the bank account and add it again.",
    access: changing("update"),
    body: eachOptional(kind.fields),
    answers: {
      200: { about: "Changed", body: saidOnly() },
      400: {
        about: "There is none, or a field of what it would become is invalid",
        refusals: [
          new NoBankExists(kind.type),
          nothingToChange(kind.namesOn(platformOf("TT"))),
          ...kind.ofThatBank(platformOf("JM")).map(requiredWithAnother),
          ...MISMATCHES[kind.type],
        ],
      },
    },
    run: (ctx: UserContext, { body, once }, caller) =>
      once((tx) => changeBank(ctx, tx, caller, kind, body).then(() => ok())),
  });
}

function removeRoute(kind: BankKind): Route<UserContext> {
  return protectedRoute({
    ...at(kind),
    method: "DELETE",
    summary: `Remove the ${kind.type} bank account`,
    access: changing("delete"),
    answers: {
      200: { about: "Removed", body: saidOnly() },
      400: { about: "There is none", refusals: [new NoBankExists(kind.type)] },
    },
    run: (ctx: UserContext, { once }, caller) =>
      once((tx) => removeBank(ctx, tx, caller, kind).then(() => ok())),
  });
}

function at({ type }: BankKind) {
  return { path: `/user/banks/${type}`, group };
}

async function showBank(ctx: UserContext, kind: BankKind, accountNumber: string) {
  const row = await findBankRow(ctx.db, kind, accountNumber);
  return row === undefined ? null : viewBank(kind, row);
}

export const bankRoutes: readonly Route<UserContext>[] = [
  readBanksRoute,
  ...[localBank, foreignBank].flatMap((kind: BankKind) => [
    addRoute(kind),
    readRoute(kind),
    changeRoute(kind),
    removeRoute(kind),
  ]),
  ...otherTypes,
];
