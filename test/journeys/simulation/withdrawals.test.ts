/**
 * The guarantee: what is simulated of a withdrawal is what its bank or an operator would do, in
 * record, ledger, events and webhooks; every other outcome is a 409 that names the statuses which
 * would do, and changes no row (Decision 0102).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import {
  WITHDRAWAL_OUTCOMES,
  type WithdrawalOutcome,
} from "../../../src/modules/sandbox-controls/simulate-withdrawal.ts";
import {
  moveWithdrawal,
  type WithdrawalMove,
} from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { fund } from "../../../testkit/books.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { tableDigests } from "../../../testkit/row-counts.ts";
import { startService } from "../../../testkit/service.ts";
import { sweepPayouts } from "../../../testkit/sweeps.ts";
import { makeEndpoint } from "../../../testkit/webhook-endpoints.ts";
import {
  cancel,
  dispatch,
  eventsOf,
  expectAllToAddUp,
  openOwner,
  pausedWorker,
  read,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";
import { alike, told } from "./evidence.ts";

const service = await startService();
const { ctx } = service;
const owner = await openOwner(service);
await makeEndpoint(service, owner, { environment: "sandbox" });
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

function simulate(id: string, json: object, token = owner.token) {
  const path = `/sandbox/withdrawals/${id}/simulate`;
  return service.request(path, { method: "POST", token, json });
}

async function happens(id: string, json: object): Promise<void> {
  const answer = await simulate(id, json);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, await read(service, owner, id));
}

const move = (id: string, to: WithdrawalMove) =>
  ctx.db.transaction((tx) => moveWithdrawal(tx, id, to));
const LEASE = { leaseSeconds: 600 };

/** Each status, reached in the real way. */
const STATES = {
  pending: async () => {},
  processing: (id: string) => move(id, { to: "processing", how: LEASE }),
  held: (id: string) => move(id, { to: "held", reason: "A look." }),
  completed: () => dispatch(service),
  failed: async (id: string) => {
    await STATES.held(id);
    await move(id, { to: "failed", reason: "No." });
  },
  cancelled: (id: string) => cancel(service, owner, id),
  returned: async (id: string) => {
    await dispatch(service);
    await move(id, { to: "returned", reason: "Closed." });
  },
} as const;

type State = keyof typeof STATES;

async function withdrawalThatIs(state: State): Promise<string> {
  const id = await withdraw(service, owner, { amount: "10.00" });
  await STATES[state](id);
  assert.equal(await statusOf(service, id), state);
  return id;
}

async function evidence(id: string): Promise<unknown> {
  const row = await ctx.db.one(sql`
    select to_jsonb(one) - '{numbers_sealed}'::text[] as row
    from withdrawals as one where transaction_id = ${id}`);
  const payouts = await ctx.db.rows(sql`
    select number, is_open, is_stopped from payouts where transaction_id = ${id} order by number`);
  const record = await read(service, owner, id);
  return alike({ record, row, payouts, ...(await told(service, id)) });
}

/** From which status, what is simulated, and how it really happens. */
const SAME: readonly [State, { outcome: WithdrawalOutcome; reason?: string }, WithdrawalMove][] = [
  ["pending", { outcome: "process" }, { to: "processing", how: LEASE }],
  ["pending", { outcome: "hold", reason: "Checked." }, { to: "held", reason: "Checked." }],
  ["processing", { outcome: "complete" }, { to: "completed" }],
  ["processing", { outcome: "fail", reason: "Closed." }, { to: "failed", reason: "Closed." }],
  ["processing", { outcome: "hold", reason: "Checked." }, { to: "held", reason: "Checked." }],
  ["held", { outcome: "release" }, { to: "pending" }],
  ["held", { outcome: "fail", reason: "Closed." }, { to: "failed", reason: "Closed." }],
  ["completed", { outcome: "return", reason: "Gone." }, { to: "returned", reason: "Gone." }],
];

describe("a simulation does what the real thing does:", () => {
  for (const [state, json, really] of SAME)
    test(`${json.outcome} of one that is ${state}`, async () => {
      const simulated = await withdrawalThatIs(state);
      await happens(simulated, json);
      const wanted = await evidence(simulated);
      // What the bank says of it later is what was simulated.
      await sweepPayouts(ctx);
      const real = await realOne(state, really);
      assert.deepEqual(wanted, real);
    });

  /** Made last, and taken out of the books again: its bank was told nothing of the end. */
  async function realOne(state: State, really: WithdrawalMove): Promise<unknown> {
    const id = await withdrawalThatIs(state);
    await move(id, really);
    const found = await evidence(id);
    const isPaidByHand = really.to === "completed";
    if (isPaidByHand) await ctx.db.run(PAID_BY_HAND(id));
    return found;
  }

  /** The journal of a bank that has paid what was moved by hand. */
  const PAID_BY_HAND = (id: string) => sql`
    insert into simulator_payouts (reference, currency, amount_minor, payee_digest, outcome,
      done_at, known_at)
    select reference::text, currency, amount_minor, '', 'paid', app_now(), app_now()
    from withdrawals where transaction_id = ${id}`;
});

const FROM: Readonly<Record<WithdrawalOutcome, readonly State[]>> = {
  process: ["pending"],
  complete: ["processing"],
  fail: ["processing", "held"],
  hold: ["pending", "processing"],
  release: ["held"],
  return: ["completed"],
};

for (const state of Object.keys(STATES) as State[])
  test(`one that is ${state} refuses every other outcome and changes nothing`, async () => {
    const id = await withdrawalThatIs(state);
    const before = await tableDigests(ctx.db);
    for (const outcome of WITHDRAWAL_OUTCOMES.filter((one) => !FROM[one].includes(state))) {
      const answer = await simulate(id, { outcome });
      const needs = FROM[outcome].join(" or ");
      assert.deepEqual(
        [answer.status, answer.body.message],
        [
          409,
          `The outcome ${outcome} can be simulated while the state is ${needs}: ` +
            `the withdrawal is ${state}.`,
        ],
      );
    }
    assert.deepEqual(await tableDigests(ctx.db), before);
  });

describe("the sandbox's bank", () => {
  test("waits for the next simulation, and goes on by itself when none comes", async () => {
    const id = await withdrawalThatIs("pending");
    await happens(id, { outcome: "process" });
    await dispatch(service);
    assert.equal(await statusOf(service, id), "processing");
    await service.clock.advance({ seconds: 601 });
    await sweepPayouts(ctx);
    assert.equal(await statusOf(service, id), "completed");
  });

  test("pays what was held and released, once", async () => {
    const id = await withdrawalThatIs("pending");
    for (const outcome of ["process", "hold", "release"]) await happens(id, { outcome });
    await dispatch(service);
    assert.deepEqual(await eventsOf(service, id), [
      ...["pending", "processing", "held", "released", "processing", "completed"],
    ]);
  });

  for (const [outcome, end] of [
    ["fail", "failed"],
    ["hold", "held"],
    ["complete", "completed"],
  ] as const)
    test(`says nothing else when ${outcome} comes while its order is on the way`, async () => {
      const id = await withdraw(service, owner, { amount: "10.00" });
      await service.clock.advance({ seconds: 6 });
      const worker = await pausedWorker(service, id);
      await happens(id, { outcome });
      await worker.letGo();
      assert.equal(await statusOf(service, id), end);
      await expectAllToAddUp(service);
    });
});

test("a reason goes with fail, hold and return only", async () => {
  const id = await withdrawalThatIs("pending");
  const answer = await simulate(id, { outcome: "process", reason: "Because." });
  assert.equal(answer.status, 400);
  assert.equal(
    answer.body.message,
    "The reason field goes with the outcomes fail, hold and return only.",
  );
});

test("live, foreign and unknown ones are 404, and the scope of all is needed", async () => {
  const live = await withdraw(service, await openLive(), { environment: "live", amount: "10.00" });
  const foreign = await withdrawalThatIs("pending");
  const stranger = await openOwner(service);
  assert.equal((await simulate(live, { outcome: "process" })).status, 404);
  assert.equal((await simulate(foreign, { outcome: "process" }, stranger.token)).status, 404);
  assert.equal((await simulate("SB-TT-NONE", { outcome: "process" })).status, 404);
  const others = SCOPES.filter((scope) => scope !== "svc-withdrawals-all");
  const { token } = await mintToken(ctx, owner, others);
  assert.equal((await simulate(foreign, { outcome: "process" }, token)).status, 403);
});

async function openLive() {
  await fund(ctx.db, owner.accountNumber, "1000.00 TTD", "live");
  return owner;
}
