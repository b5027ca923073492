/**
 * Every page of the operator, with records on it: no barrier, and it fits every screen, with and
 * without scripts.
 */

import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { operatorRoutes } from "../../src/operator-console/routes.ts";
import {
  JOURNEY_WAYS,
  type Journeys,
  SCRIPTED_WAYS,
  startJourneys,
} from "../../testkit/journey-ways.ts";
import { type FullConsole, openFullConsole } from "../operator-console/attacks/full-console.ts";
import { signInAsOperator } from "./operator-sign-in.ts";

/** One template makes them all: here is each of its controls. */
const FORMS = ["change-operator", "make-bank-file", "settle-chargeback", "hold-withdrawal"];

let journeys: Journeys;
let full: FullConsole;
let paths: string[];
before(async () => {
  journeys = await startJourneys();
  full = await openFullConsole(journeys.service);
  const held = await journeys.service.ctx.db.one<{ id: string }>(sql`
    select transaction_id as id from withdrawals where status = 'held'`);
  paths = [
    ...operatorRoutes
      .filter(({ method, path }) => method === "GET" && !/csv$|records/.test(path))
      .map(({ path }) => full.pathWith(path)),
    `/operator/withdrawals/${held.id}`,
    "/operator/withdrawals?environment=sandbox",
    "/operator/payments?order=order_id",
    "/operator?q=order_id",
    "/operator?q=nothing-like-it",
  ];
});
after(() => journeys.close());

const nameOf = (path: string) =>
  `operator${path
    .replace(/^\/operator/, "")
    .replace(/[\w-]*[0-9A-F]{8}[\w-]*|\d{10}/gi, "one")
    .replace(/[^\w]+/g, "-")}`;

describe("have no barrier, and fit", () => {
  for (const way of JOURNEY_WAYS)
    test(way.name, async () => {
      const journey = await journeys.begin(way);
      await journey.open("/operator/sign-in");
      await journey.expectFine("operator-sign-in");
      await signInAsOperator(journeys.service, journey, full.admin);
      for (const path of paths) {
        await journey.open(path);
        await journey.expectFine(nameOf(path));
      }
      await journey.end();
    });

  for (const way of SCRIPTED_WAYS)
    test(`forms of each kind ${way.name}`, async () => {
      const journey = await journeys.begin(way);
      await signInAsOperator(journeys.service, journey, full.admin);
      for (const command of FORMS) {
        await journey.open(`/operator/actions/${command}`);
        await journey.expectFine(`operator-form-${command}`);
      }
      await journey.end();
    });
});
