/**
 * The one import direction of src, and the check that holds it.
 *
 * A file imports from its own folder's position or an earlier one. Written down as a total order,
 * because folders that merely look alike grow into a web: with an order, "may this file know that
 * one?" has an answer before the code is written. A new folder needs its line here first.
 */

import type { Import, SourceFacts } from "./source-facts.ts";

/**
 * A path ending in `/` is a folder without the folders and files in it that have lines of their
 * own; `src/*` is every file of src that has no line of its own.
 */
export const IMPORT_ORDER: readonly { place: string; why: string }[] = [
  { place: "src/kit/", why: "pure values, which know nothing of the service around them" },
  { place: "src/words/", why: "what customers read, in four languages, known to no page" },
  { place: "src/infra/setting-kinds.ts", why: "what a setting can be" },
  { place: "src/infra/database-settings.ts", why: "where the database is" },
  { place: "src/infra/log-settings.ts", why: "what is written down about requests" },
  { place: "src/infra/powertranz-settings.ts", why: "how the acquirer is reached" },
  { place: "src/infra/settlement-settings.ts", why: "how the acquirer reports what it paid out" },
  { place: "src/infra/mail-settings.ts", why: "who sends mail, and from which address" },
  { place: "src/infra/console-settings.ts", why: "what the console asks of its people" },
  { place: "src/infra/limit-settings.ts", why: "how often something may be asked" },
  { place: "src/infra/retention-settings.ts", why: "how long what is personal is kept" },
  { place: "src/infra/settings.ts", why: "which settings there are" },
  { place: "src/infra/local-url.ts", why: "what a service on this machine is called" },
  { place: "src/infra/config.ts", why: "everything else is set by the settings" },
  { place: "src/infra/log.ts", why: "everything else may log" },
  { place: "src/infra/db/", why: "statements and transactions carry no business rule" },
  { place: "src/infra/context.ts", why: "settings, log and database are passed on together" },
  { place: "src/infra/jobs/", why: "background work is kept in the database" },
  { place: "src/infra/images/", why: "pictures are drawn without knowing who sent them" },
  { place: "src/infra/outbound/", why: "requests to receivers need no server of ours" },
  { place: "src/infra/embedded-postgres/", why: "a database is started before anything is served" },
  { place: "src/infra/http/", why: "a route is data, declared without knowing how it is served" },
  { place: "src/infra/http/admit/", why: "a caller is admitted before the body is read" },
  { place: "src/infra/http/body/", why: "a body is read without knowing what serves it" },
  { place: "src/infra/http/serve/", why: "an admitted request is answered, however it arrived" },
  { place: "src/infra/http/listen/", why: "a request arrives and passes through all of these" },
  { place: "src/infra/audit.ts", why: "an audit entry names the caller of a request" },
  { place: "src/infra/process/", why: "a process starts and stops all of the above" },
  { place: "src/parts/", why: "pages are put together from parts that know no page" },
  { place: "src/modules/mail/", why: "a message is sent without knowing its reason" },
  { place: "src/modules/platforms/", why: "what each country allows is data everyone reads" },
  { place: "src/modules/ledger/", why: "money moves without knowing what it pays for" },
  { place: "src/modules/gateway/", why: "the acquirer is reached without knowing who is paid" },
  { place: "src/modules/accounts/", why: "an account exists before anyone signs in to it" },
  { place: "src/modules/people/", why: "people act for accounts that exist" },
  { place: "src/modules/v1-compat/", why: "1.x callers are counted as they sign in" },
  { place: "src/modules/auth/", why: "who is calling is settled by reading accounts" },
  { place: "src/modules/events/", why: "what happened is told about an account to its owner" },
  { place: "src/modules/webhooks/", why: "events are delivered to the endpoints that subscribed" },
  { place: "src/modules/user/", why: "a profile hangs on an account and announces changes" },
  { place: "src/modules/business/", why: "how an account shows itself to its customers" },
  { place: "src/modules/transactions/", why: "the record that every payment below hangs on" },
  { place: "src/modules/receipts/", why: "a receipt is written from a record" },
  { place: "src/modules/checkout/form/", why: "what a customer types is read without knowing why" },
  { place: "src/modules/checkout/result/", why: "what is told follows from a finished payment" },
  { place: "src/modules/checkout/session/", why: "a payment is finished, page or no page" },
  { place: "src/modules/checkout/page/", why: "a session is shown to the customer" },
  { place: "src/modules/checkout/request/", why: "a merchant asks for all of it" },
  { place: "src/modules/trusted-cards/", why: "a saved card is made and charged by checkout" },
  { place: "src/modules/payment-links/", why: "a link asks for payments as a merchant would" },
  { place: "src/modules/withdrawals/", why: "money leaves after it has come in" },
  {
    place: "src/modules/notifications/",
    why: "members are told of money that came, went or stuck",
  },
  { place: "src/modules/sandbox-controls/", why: "a developer makes happen what others would do" },
  { place: "src/modules/statements/", why: "all that money did is added up" },
  { place: "src/modules/settlement/", why: "the acquirer pays out what all of these have booked" },
  { place: "src/modules/request-log/", why: "any route may have been requested" },
  { place: "src/modules/sandbox-clock/", why: "time moves for all of the above" },
  { place: "src/modules/sandbox-snapshots/", why: "all of the above is copied and brought back" },
  { place: "src/modules/privacy/", why: "a customer is found in and erased from all of these" },
  { place: "src/modules/operator/", why: "staff act on all of the above" },
  { place: "src/demo-world.ts", why: "the seed uses every module as a merchant would" },
  { place: "src/console/", why: "merchants' pages call every module, as their programs do" },
  { place: "src/operator-console/", why: "the operator's pages run the operator's commands" },
  { place: "src/site/", why: "pages and downloads of the public site, filled with that seed" },
  { place: "src/app.ts", why: "the only wiring; modules are passed to each other here" },
  { place: "src/*", why: "what else a process does once it has an app" },
  { place: "src/main.ts", why: "the way in of the service" },
  { place: "src/cli.ts", why: "the way in of the operator" },
  { place: "src/compile.ts", why: "loads the ways in, so that they are compiled" },
  { place: "src/start.mjs", why: "finds the right Node for the ways in" },
];

/** What runs outside of tests: no circle is in any of it. */
const SHIPPED = /^(src|sdk\/src|web)\//;
const OUTSIDE_OF_SRC = /^(test|testkit|bench|scripts)\//;
const VAGUE_FOLDER = /\/utils?\//;

type SourceMap = ReadonlyMap<string, Pick<SourceFacts, "imports" | "onlyReexports">>;

/** One line per import or file that disagrees; none when the line is straight. */
export function importComplaints(sources: SourceMap): string[] {
  const src = [...sources].filter(([file]) => file.startsWith("src/"));
  const ours = [...sources].filter(([file]) => SHIPPED.test(file));
  return [
    ...src.flatMap(([file, facts]) => fileComplaints(file, facts.onlyReexports)),
    ...src.flatMap(([file, facts]) =>
      facts.imports.flatMap((each) => directionComplaints(file, each)),
    ),
    ...cycles(new Map(ours)).map((cycle) => `A cycle of imports: ${cycle.join(" → ")}`),
  ];
}

function fileComplaints(file: string, onlyReexports: boolean): string[] {
  const complaints: string[] = [];
  if (rankOf(file) === -1) complaints.push(`${file} has no place in IMPORT_ORDER: give it one`);
  if (onlyReexports) complaints.push(`${file} only re-exports: import from the file that declares`);
  if (VAGUE_FOLDER.test(file)) complaints.push(`${file}: name the folder for what it is about`);
  return complaints;
}

function directionComplaints(file: string, { target, line }: Import): string[] {
  const complain = (reason: string) => [`${file}:${line} imports ${target}: ${reason}`];
  if (OUTSIDE_OF_SRC.test(target)) return complain("src stands without it");
  if (!target.startsWith("src/")) return [];
  if (target.endsWith(".test.ts")) return complain("a test is run, never imported");

  const place = IMPORT_ORDER[rankOf(target)];
  if (place === undefined || rankOf(target) <= rankOf(file)) return [];
  return complain(`${place.place} stands later in the order (${place.why})`);
}

/** A test stands where what it tests stands. */
function rankOf(path: string): number {
  const file = path.replace(/\.test\.ts$/, ".ts");
  const holders = IMPORT_ORDER.filter(
    ({ place }) => place === file || (place.endsWith("/") && file.startsWith(place)),
  );
  const nearest = holders.toSorted((a, b) => b.place.length - a.place.length)[0];
  if (nearest !== undefined) return IMPORT_ORDER.indexOf(nearest);
  const directlyInSrc = /^src\/[^/]+$/.test(file);
  return directlyInSrc ? IMPORT_ORDER.findIndex(({ place }) => place === "src/*") : -1;
}

/**
 * Every import that closes a circle, with the way round. Type-only imports count: they do not exist
 * when the program runs, but files that know each other's types can only be understood together.
 */
function cycles(sources: SourceMap): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: { file: string; line: number }[] = [];

  const follow = (file: string): void => {
    for (const { target, line } of sources.get(file)?.imports ?? []) {
      if (!sources.has(target) || done.has(target)) continue;
      way.push({ file, line });
      const start = way.findIndex((step) => step.file === target);
      if (start === -1) follow(target);
      else found.push([...way.slice(start).map((step) => `${step.file}:${step.line}`), target]);
      way.pop();
    }
    done.add(file);
  };

  for (const file of sources.keys()) if (!done.has(file)) follow(file);
  return found;
}
