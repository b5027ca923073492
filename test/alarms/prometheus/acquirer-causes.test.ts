/**
 * The guarantee: an acquirer that refuses us and one that is away raise their alarms, through real
 * metrics, rules and a real Prometheus (Decision 0130).
 */

import { after, before, test } from "node:test";
import { newSale, startLive } from "../../acquirer/powertranz/support.ts";
import { hostOf, type Watch, watch } from "./stage.ts";

const { service, fake, gateway } = await startLive();
let watched: Watch;

before(async () => {
  watched = await watch([{ job: "windward", role: "web", address: hostOf(service.url) }]);
  await watched.holds("up == 1");
});
after(async () => {
  await watched?.stop();
  await service.stop();
  await fake.stop();
});

const sell = () => gateway.sale(newSale()).catch(() => {});

test("an acquirer that refuses our password needs a person", async () => {
  await fake.control.send({ switches: { passwordWrong: true } });
  await watched.raised("AcquirerProblems", sell);
  await fake.control.send({ switches: { passwordWrong: false } });
});

test("one that does not answer is unreachable, then down, until it answers", async () => {
  await fake.control.fault({ kind: "reset-before", times: "always" });
  await watched.raised("AcquirerUnreachable", sell);
  await watched.raised("AcquirerDown", sell);
  await fake.control.send({ clearFaults: true });
  await watched.ended("AcquirerDown");
});
