/** The numbers at which alarms about payments and books are raised. */

import { above, hours, minutes, seldom, type Trial } from "./scene.ts";

const DAY_STEPS = 288;
const WEEK_STEPS = 7 * DAY_STEPS;
const live = (status: string) => `windward_checkouts_total{environment="live",status="${status}"}`;
const declined = 'windward_card_answers_total{environment="live",outcome="declined"}';
const undecided = (state: string) =>
  `windward_card_attempts_undecided{environment="live",state="${state}"}`;
const voided = (environment: string) =>
  `windward_late_approvals_voided_total{environment="${environment}"}`;
const oldest = "windward_card_attempts_oldest_seconds";
const problems = (reason: string) => `windward_gateway_problems_total{reason="${reason}"}`;
const reports = 'windward_checkout_policy_reports_total{rule="script-src"}';
const DAY = 86_400;
const imported = "windward_settlement_imported_at_seconds";
/** One report a day, from a day to that before another. */
const eachDay = (end: number, begin = 0) =>
  Array.from({ length: end - begin }, (_, at) => `${(begin + at) * DAY}x${DAY_STEPS - 1}`).join(
    " ",
  );
const owed = 'windward_acquirer_clearing_minor{currency="TTD"}';

/** A counter of what should never happen. */
function any(series: string): Trial {
  return {
    fires: [minutes(2, { [series]: "0x2 1x8" })],
    silent: [minutes(20, { [series]: "2x80" })],
  };
}

export const MONEY_TRIALS: Readonly<Record<string, Trial>> = {
  PaymentsStopped: {
    fires: [hours(170, { [live("success")]: `0+1x${WEEK_STEPS + 6} 2022x20` })],
    silent: [
      hours(170, { [live("success")]: `0+1x${WEEK_STEPS + 30}` }),
      // Few, and of another hour of the day.
      hours(170, { [live("success")]: `0x6 1x${WEEK_STEPS - 6} 2x40` }),
      hours(170, { [live("failed")]: `0+1x${WEEK_STEPS} 2016x30`, [live("success")]: "0x2050" }),
    ],
  },
  CardTesting: {
    fires: [minutes(12, { [declined]: "0+5x60", [live("success")]: "0+1x60" })],
    silent: [
      // Many, and as many succeed; or all of them, and few.
      minutes(40, { [declined]: "0+5x160", [live("success")]: "0+2x160" }),
      minutes(40, { [declined]: "0x4 49x156", [live("success")]: "0x160" }),
    ],
  },
  CardAttemptsPileUp: {
    fires: [
      minutes(12, { [undecided("submitted")]: "0x20 5x5 6+1x40" }),
      // None was there before.
      minutes(11, { [undecided("unknown")]: "_x20 5+1x40" }),
    ],
    silent: [
      minutes(40, { [undecided("submitted")]: "0x20 1x10 2x10 3x10 4x100" }),
      minutes(40, { [undecided("submitted")]: "5x160" }),
      minutes(40, { [undecided("submitted")]: "5x20 9x18 5x20 9x18 5x40" }),
      minutes(40, { [undecided("challenged")]: "0+1x160" }),
    ],
  },
  CardAttemptsOld: {
    fires: ["submitted", "unknown"].map((state) =>
      minutes(1, { [`${oldest}{environment="live",state="${state}"}`]: "601x4" }),
    ),
    silent: [
      minutes(20, { [`${oldest}{environment="live",state="submitted"}`]: "600x80" }),
      minutes(20, { [`${oldest}{environment="live",state="challenged"}`]: "900x80" }),
      minutes(20, { [`${oldest}{environment="sandbox",state="unknown"}`]: "900x80" }),
    ],
  },
  LateApprovals: {
    fires: [minutes(30, { [voided("live")]: "0x4 4x120" })],
    silent: [
      hours(12, { [voided("live")]: "0x12 1x12 2x12 3x12 4x12 5x84" }),
      // Three, of which Prometheus makes more where no sample is at the ends of its window.
      minutes(130, { [voided("live")]: seldom(...Array(40).fill(9), ...Array(40).fill(12)) }),
      minutes(90, { [voided("live")]: "0x360", [voided("sandbox")]: "0+1x360" }),
    ],
  },
  VoidsOld: {
    ...above(`${oldest}{environment="live",state="void_due"}`, 3600),
    silent: [
      minutes(20, { [`${oldest}{environment="live",state="void_due"}`]: "3600x80" }),
      minutes(20, { [`${oldest}{environment="sandbox",state="void_due"}`]: "9999x80" }),
    ],
  },
  PolicyReports: {
    fires: [minutes(30, { [reports]: "0x4 22x120" })],
    silent: [minutes(90, { [reports]: "0x40 19x320" }), minutes(90, { [reports]: "22x360" })],
  },
  RefundsOld: {
    ...above('windward_refunds_oldest_seconds{environment="live"}', 3600),
    silent: [
      minutes(10, { 'windward_refunds_oldest_seconds{environment="live"}': "3600x40" }),
      minutes(10, { 'windward_refunds_oldest_seconds{environment="sandbox"}': "9999x40" }),
    ],
  },
  WithdrawalsOld: above(
    'windward_withdrawals_oldest_seconds{environment="live",status="pending"}',
    4 * 86_400,
  ),
  CardReturnsDue: {
    fires: [hours(3, { windward_card_returns_due: "0x12 5+1x40" })],
    silent: [
      hours(8, { windward_card_returns_due: "4x100" }),
      hours(8, { windward_card_returns_due: "9x100" }),
    ],
  },
  CardReturnsRejected: any("windward_card_returns_rejected_total"),
  StoredCardsUnopened: any("windward_stored_cards_unopened_total"),
  AcquirerDown: {
    fires: [minutes(1, { 'windward_gateway_up{gateway="powertranz"}': "0x4" })],
    silent: [minutes(20, { 'windward_gateway_up{gateway="powertranz"}': "1x20 0x3 1x57" })],
  },
  AcquirerProblems: {
    fires: ["settings", "contradiction", "our_request", "undecided"].map((reason) =>
      minutes(1, { [problems(reason)]: "0x2 1x2" }),
    ),
    silent: [minutes(20, { [problems("timeout")]: "0+1x80", [problems("unreachable")]: "0+1x80" })],
  },
  AcquirerUnreachable: {
    fires: [minutes(8, { [problems("unreachable")]: "0+3x40" })],
    silent: [minutes(20, { [problems("unreachable")]: "0+2x80" })],
  },
  SettlementDiffers: above("windward_settlement_differences", 0),
  SettlementNotImported: {
    // Three weeks, of which the last two have no report.
    fires: [hours(504, { [owed]: "1000+2x6048", [imported]: `${eachDay(7)} ${6 * DAY}x4032` })],
    silent: [
      // After a long weekend, and at a restart; later nothing was owed.
      hours(504, {
        [owed]: "1000+2x6048",
        [imported]: `${eachDay(7)} ${6 * DAY}x850 0x9 ${6 * DAY}x240 ${eachDay(18, 11)}`,
      }),
      hours(504, { [owed]: "0x6048", [imported]: "0x6048" }),
      // The first live payment was four days ago.
      hours(504, { [owed]: `0x${17 * DAY_STEPS} 1+1x1152`, [imported]: "0x6048" }),
    ],
  },
  LedgerDiffers: {
    fires: [
      minutes(1, { windward_ledger_differences: "1x4" }),
      // Restarted, it has looked at nothing yet.
      minutes(60, { windward_ledger_differences: "1x4 0x236" }),
    ],
    silent: [hours(8, { windward_ledger_differences: "0x100" })],
  },
  RecordsDiffer: above("windward_record_differences", 0),
  WithdrawalsDiffer: above("windward_withdrawal_differences", 0),
  CardChecksDiffer: above("windward_card_check_differences", 0),
  BooksNotReadded: {
    fires: [
      hours(3, { windward_ledger_reconciled_at_seconds: "0x36" }),
      hours(3, { windward_ledger_reconciled_at_seconds: "10x10" }),
    ],
    silent: [
      hours(2, { windward_ledger_reconciled_at_seconds: "0x24" }),
      // Each hour, by one worker of two, and after a restart.
      hours(8, {
        'windward_ledger_reconciled_at_seconds{instance="a"}': "0x96",
        'windward_ledger_reconciled_at_seconds{instance="b"}':
          "0x11 3600x11 7200x11 0x11 14400x11 18000x11 21600x11 25200x20",
      }),
    ],
  },
};
