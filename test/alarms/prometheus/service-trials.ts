/** The numbers at which alarms about processes, traffic, jobs, webhooks and mail are raised. */

import { hours, minutes, seldom, type Trial } from "./scene.ts";

const process = (name: string) => `${name}{job="windward",instance="a"}`;
const up = (role: string) => `up{job="windward",role="${role}"}`;
const answers = (status: number, route = "/transactions/") =>
  `windward_http_requests_total{status="${status}",route="${route}"}`;
const answered = (le: string, route = "/a") =>
  `windward_http_request_seconds_bucket{le="${le}",route="${route}"}`;
const first = (le: string) => `windward_webhook_first_attempt_seconds_bucket{le="${le}"}`;
const attempts = (outcome: string) => `windward_webhook_attempts_total{outcome="${outcome}"}`;
const mails = (outcome: string) => `windward_mails_total{outcome="${outcome}"}`;
const watched = (instance: string, what: string) =>
  `windward_watched_at_seconds{instance="${instance}",what="${what}"}`;

/** A gauge that is an alarm from a value on, for so many minutes. */
function beyond(series: string, limit: number, forMinutes: number, step = 1): Trial {
  const enough = forMinutes * 4;
  const silent = [minutes(2 * forMinutes + 5, { [series]: `${limit}x${2 * enough + 20}` })];
  const [over, under] = [limit + step, limit];
  if (forMinutes > 0)
    silent.push(
      minutes(60, {
        [series]: `${over}x${enough - 1} ${under}x4 ${over}x${enough - 1} ${under}x9`,
      }),
    );
  return { fires: [minutes(forMinutes, { [series]: `${over}x${enough}` })], silent };
}

export const SERVICE_TRIALS: Readonly<Record<string, Trial>> = {
  ProcessGone: {
    fires: [
      minutes(1, { [up("web")]: "0x4", [up("worker")]: "1x4" }),
      minutes(1, { [up("web")]: "1x4" }),
      minutes(1, { [up("worker")]: "1x4" }),
    ],
    silent: [minutes(10, { [up("web")]: "1x9 0x2 1x40", [up("worker")]: "1x50" })],
  },
  ProcessRestarts: {
    fires: [minutes(5, { [process("process_start_time_seconds")]: "1x3 2x3 3x3 4x3 5x9" })],
    silent: [
      minutes(5, { [process("process_start_time_seconds")]: "1x3 2x3 3x3 4x9" }),
      // As often, but each hour.
      minutes(300, { [process("process_start_time_seconds")]: "1x240 2x240 3x240 4x240 5x240" }),
    ],
  },
  NotReady: beyondZero('windward_ready{check="database"}', 1),
  AnswersFail: {
    fires: [
      minutes(8, { [answers(200)]: "0+100x40", [answers(503)]: "0+2x40" }),
      minutes(8, { [answers(200)]: "0+100x40", [answers(500)]: "0+2x40" }),
    ],
    silent: [
      minutes(30, { [answers(200)]: "0+100x120", [answers(500)]: "0+1x120" }),
      minutes(30, { [answers(200)]: "0+100x120", [answers(422)]: "0+50x120" }),
      minutes(30, { [answers(200)]: "0+100x120", [answers(503, "/readyz")]: "0+15x120" }),
      // By night, when there are few.
      minutes(60, { [answers(200)]: "0+1x240", [answers(500)]: "0x40 1x20 2x180" }),
      // Once, however many they were.
      minutes(30, { [answers(200)]: "0+100x120", [answers(500)]: "0x10 90x110" }),
    ],
  },
  AnswersSlow: {
    fires: [
      minutes(6, {
        [answered("1")]: "0+98x30",
        [answered("2.5")]: "0+100x30",
        [answered("+Inf")]: "0+100x30",
      }),
    ],
    silent: [
      minutes(30, {
        [answered("1")]: "0+199x120",
        [answered("2.5")]: "0+200x120",
        [answered("+Inf")]: "0+200x120",
      }),
      // Cards wait for the acquirer.
      minutes(30, {
        [answered("1", "/checkout/{token}")]: "0+10x120",
        [answered("2.5", "/checkout/{token}")]: "0+90x120",
        [answered("+Inf", "/checkout/{token}")]: "0+100x120",
        [answered("1")]: "0+100x120",
        [answered("+Inf")]: "0+100x120",
      }),
    ],
  },
  RequestsShed: {
    fires: ["busy", "late", "connections"].map((reason) =>
      minutes(5, { [`windward_http_requests_shed_total{reason="${reason}"}`]: "0+16x20" }),
    ),
    silent: [
      minutes(20, { 'windward_http_requests_shed_total{reason="busy"}': "0+14x80" }),
      minutes(20, { 'windward_http_requests_shed_total{reason="stopping"}': "0+100x80" }),
      minutes(20, { 'windward_http_requests_shed_total{reason="late"}': "0x10 100x70" }),
    ],
  },
  ConnectionsWaitedFor: beyond('windward_database_connections{state="waiting"}', 0, 2),
  LogErrors: {
    fires: [minutes(1, { 'windward_log_lines_total{level="error"}': "0x2 1x2" })],
    silent: [
      minutes(20, { 'windward_log_lines_total{level="warn"}': "0+10x80" }),
      minutes(20, { 'windward_log_lines_total{level="error"}': "7x80" }),
    ],
  },
  MemoryHigh: beyond(process("process_resident_memory_bytes"), 1.2e9, 10),
  EventLoopLate: beyond(process("nodejs_eventloop_lag_p90_seconds"), 0.2, 2, 0.01),
  FilesUsedUp: {
    fires: [
      minutes(5, {
        [process("process_open_fds")]: "81x20",
        [process("process_max_fds")]: "100x20",
      }),
    ],
    silent: [
      minutes(20, {
        [process("process_open_fds")]: "80x80",
        [process("process_max_fds")]: "100x80",
      }),
    ],
  },
  NoWorker: {
    fires: [
      minutes(1, {}),
      // One sort of looks fails, or all workers are gone.
      minutes(4, { [watched("a", "jobs")]: "0+15x20", [watched("a", "mails")]: "0x20" }),
      minutes(4, { [watched("a", "jobs")]: "0x16", [watched("b", "jobs")]: "0x16" }),
      minutes(9, { [watched("a", "jobs")]: "0+15x4" }),
    ],
    silent: [minutes(20, { [watched("a", "jobs")]: "0x80", [watched("b", "jobs")]: "0+15x80" })],
  },
  JobsDue: beyond("windward_jobs_due_seconds", 120, 1),
  JobHangs: beyond("windward_jobs_running_seconds", 900, 0),
  JobsGivenUp: beyond("windward_jobs_given_up", 0, 0),
  RetentionStopped: {
    fires: [
      hours(4, { 'windward_retention_ran_at_seconds{what="audit"}': "0x48" }),
      // Gone with its worker, it is as old as it was.
      hours(4, { 'windward_retention_ran_at_seconds{what="audit"}': "0x10" }),
    ],
    silent: [
      hours(3, { 'windward_retention_ran_at_seconds{what="audit"}': "0x36" }),
      hours(6, { 'windward_retention_ran_at_seconds{what="audit"}': "0x26 7800x25 15300x27" }),
    ],
  },
  WebhooksLate: beyond("windward_webhook_late_seconds", 60, 1),
  WebhooksSlow: {
    fires: [
      minutes(6, {
        [first("1")]: "0+90x30",
        [first("2")]: "0+98x30",
        [first("5")]: "0+100x30",
        [first("+Inf")]: "0+100x30",
      }),
    ],
    silent: [
      minutes(20, {
        [first("1")]: "0+90x80",
        [first("2")]: "0+199x80",
        [first("5")]: "0+200x80",
        [first("+Inf")]: "0+200x80",
      }),
    ],
  },
  WebhooksFail: {
    fires: [
      minutes(31, { [attempts("delivered")]: "0+10x130", [attempts("to be retried")]: "0+11x130" }),
    ],
    silent: [
      minutes(60, { [attempts("delivered")]: "0+10x240", [attempts("to be retried")]: "0+9x240" }),
      // A single endpoint that is away, and nothing else to send.
      minutes(60, { [attempts("delivered")]: "0x240", [attempts("failed")]: "0x30 9x210" }),
    ],
  },
  MailsOld: beyond("windward_mails_oldest_seconds", 600, 0),
  MailsFail: {
    fires: [minutes(8, { [mails("to be retried")]: "0+1x40", [mails("sent")]: "0x40" })],
    silent: [
      minutes(40, { [mails("to be retried")]: "0x4 3x160", [mails("sent")]: "0x160" }),
      // Three, of which Prometheus makes more where no sample is at the ends of its window.
      minutes(40, { [mails("to be retried")]: seldom(9, 9, 12, 12, 12, 12, 12, 12, 12, 12, 12) }),
      minutes(40, { [mails("to be retried")]: "0+1x160", [mails("sent")]: "0+2x160" }),
    ],
  },
  MailsGivenUp: {
    fires: [minutes(2, { [mails("given up")]: "0x2 1x8" })],
    silent: [minutes(90, { [mails("given up")]: "3x360", [mails("to be retried")]: "0+1x360" })],
  },
};

/** A gauge that is an alarm while it is 0. */
function beyondZero(series: string, forMinutes: number): Trial {
  const enough = forMinutes * 4;
  return {
    fires: [minutes(forMinutes, { [series]: `0x${enough}` })],
    silent: [minutes(20, { [series]: `1x20 0x${enough - 2} 1x40` })],
  };
}
