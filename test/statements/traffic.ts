/** A month of a merchant's traffic, made over HTTP and by operator commands, as chance has it. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Scope } from "../../src/kit/scopes.ts";
import { formToken } from "../../src/modules/checkout/page/form-token.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import { CARDS } from "../../testkit/checkout-sessions.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { operator, SIGNED } from "../../testkit/operator.ts";
import { ask, minimal } from "../../testkit/payment-requests.ts";
import type { RequestOptions, TestAnswer, TestService } from "../../testkit/service.ts";
import { sweepCheckouts, sweepRefunds } from "../../testkit/sweeps.ts";
import { dispatch, NORMAL, type Owner } from "../../testkit/withdrawals.ts";

const KINDS = [
  ...["pay", "pay", "pay", "pay", "pay", "decline", "abandon"],
  ...["refund", "refund", "refund", "reject refund", "settle refunds"],
  ...["open chargeback", "process chargeback", "release chargeback", "confirm fraud"],
  ...["withdraw", "withdraw", "fail withdrawal", "cancel", "hold", "release", "dispatch", "add up"],
] as const;

export const acts = (length: { minLength: number; maxLength: number }) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      hours: fc.integer({ min: 0, max: 36 }),
      units: fc.integer({ min: 8, max: 400 }),
      cents: fc.integer({ min: 0, max: 93 }),
      of: fc.nat(),
      currency: fc.constantFrom("TTD", "TTD", "USD"),
      structure: fc.constantFrom("customer_pay", "merchant_absorb", "split"),
    }),
    length,
  );

type Act = (ReturnType<typeof acts> extends fc.Arbitrary<(infer One)[]> ? One : never) & object;

export class Traffic {
  readonly payments: string[] = [];
  readonly withdrawals: string[] = [];
  readonly service: TestService;
  readonly owner: Owner;

  constructor(service: TestService, owner: Owner) {
    this.service = service;
    this.owner = owner;
  }

  /** Signed in anew each time: tokens do not outlive an hour. */
  async request(path: string, options: RequestOptions = {}): Promise<TestAnswer> {
    const scopes = this.owner.allScopes.split(" ") as Scope[];
    const { token } = await mintToken(this.service.ctx, this.owner, scopes);
    return this.service.request(path, { token, ...options });
  }

  async run(act: Act): Promise<void> {
    const { service } = this;
    await service.clock.advance({ hours: act.hours });
    const payment = this.payments[act.of % this.payments.length];
    const withdrawal = this.withdrawals[act.of % this.withdrawals.length];
    switch (act.kind) {
      case "pay":
        return this.pay(act, CARDS.approved);
      case "decline":
        return this.pay(act, CARDS.declined);
      case "abandon":
        await ask(service, this.order(act));
        await service.clock.advance({ minutes: 10 });
        return sweepCheckouts(service.ctx);
      case "refund":
        return this.refund(payment, `${act.units % 40}.${String(act.cents).padStart(2, "0")}`);
      case "reject refund":
        return this.refund(payment, `${act.units % 40}.98`);
      case "settle refunds":
        await sweepRefunds(service.ctx);
        return;
      case "open chargeback":
      case "confirm fraud":
        return this.operate([act.kind.replace(" ", "-"), payment]);
      case "process chargeback":
        return this.operate(["settle-chargeback", payment, "--processed"]);
      case "release chargeback":
        return this.operate(["settle-chargeback", payment, "--released"]);
      case "withdraw":
        return this.withdraw(act, "00");
      case "fail withdrawal":
        return this.withdraw(act, "98");
      case "cancel":
        await this.request(`/withdrawals/${withdrawal}`, { method: "DELETE" });
        return;
      case "hold":
        return this.operate(["hold-withdrawal", withdrawal, "--tell", "We look at it"]);
      case "release":
        return this.operate(["release-withdrawal", withdrawal]);
      case "dispatch":
        return dispatch(service);
      case "add up":
        await addUpStatements(service.ctx.db);
        await addUpCounts(service.ctx.db);
        return;
    }
  }

  private order({ units, cents, currency, structure }: Act) {
    return minimal(this.owner.accountNumber, {
      total: `${units}.${String(cents).padStart(2, "0")}`,
      currency,
      fee_structure: structure,
    });
  }

  private async pay(act: Act, number: string): Promise<void> {
    const asked = await ask(this.service, this.order(act));
    assert.equal(asked.status, 200, asked.text);
    const { pathname } = new URL(asked.body.url);
    const { config } = this.service.ctx;
    const origin = new URL(config.http.paymentsPublicUrl).origin;
    const card = { number, expiry: "09/39", cvv: "987", holder: "Maya Joseph", attempts: "0" };
    const form = { ...card, form_token: formToken(config, pathname.split("/")[2] ?? "") };
    const headers = { origin, "sec-fetch-site": "same-origin" };
    await this.service.request(pathname, { method: "POST", headers, form });
    this.payments.push(asked.body.transaction_id);
  }

  /** Refused where it is not paid, disputed, or less is left. */
  private async refund(id: string | undefined, amount: string): Promise<void> {
    const asked = await this.request(`/transactions/${id}/refund`, {
      method: "POST",
      json: { amount },
    });
    assert([201, 400, 404, 409, 422].includes(asked.status), asked.text);
  }

  private async withdraw({ units, currency }: Act, cents: string): Promise<void> {
    const json = { ...NORMAL, currency, amount: `${(units % 90) + 10}.${cents}` };
    const asked = await this.request("/withdrawals/", { method: "POST", json });
    assert([201, 409, 422].includes(asked.status), asked.text);
    if (asked.status === 201) this.withdrawals.push(asked.body.data.transaction_id);
  }

  /** Refused where the state does not allow it. */
  private async operate(command: readonly (string | undefined)[]): Promise<void> {
    const words = command.filter((word) => word !== undefined);
    if (words.length < command.length) return;
    const { code, stderr } = await operator(this.service, [...words, ...SIGNED]);
    assert(code === 0 || !stderr.includes("Error"), stderr);
  }
}
