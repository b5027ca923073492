/**
 * What the registry knows of packages, asked of the one that npm is set to. A copy of the public
 * one may know less; what it does not tell stays undefined, and is shown as such.
 */

import { npm } from "./npm.ts";

const AT_ONCE = 4;
const WAIT_MS_MAX = 60_000;
const DATE = "yyyy-mm-dd".length;

export interface Told {
  readonly newest: string;
  /** The highest that promises to change nothing: the first number that is not 0 is the same. */
  readonly newestAlike: string;
  /** When the newest was released. */
  readonly releasedOn: string;
  /** It was released by that day, when the copy took it over; what was withdrawn is unknown. */
  readonly isFromCopy: boolean;
  readonly maintainers: number | undefined;
  /** What its authors say about the version that is here, when they withdrew it. */
  readonly deprecated: string | undefined;
}

interface Document {
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly time: Readonly<Record<string, string>>;
  readonly maintainers?: readonly unknown[];
  readonly versions: Readonly<Record<string, { readonly deprecated?: string }>>;
}

export class RegistryIsSilent extends Error {}

interface Release {
  readonly name: string;
  readonly version: string;
}

export type Answers = ReadonlyMap<string, Told>;

export function answerOn(answers: Answers, { name, version }: Release): Told {
  const told = answers.get(`${name}@${version}`);
  if (told === undefined) throw new Error(`nobody asked about ${name}@${version}`);
  return told;
}

export async function askRegistry(asked: readonly Release[]): Promise<Answers> {
  const address = (await npm(["config", "get", "registry"])).stdout.trim();
  const answers = new Map<string, Told>();
  const left = [...asked];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { name, version } = next;
      answers.set(`${name}@${version}`, readDocument(await documentOf(address, name), version));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

async function documentOf(address: string, name: string): Promise<Document> {
  const url = new URL(encodeURIComponent(name).replace("%40", "@"), address.replace(/\/*$/, "/"));
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS_MAX) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return (await answer.json()) as Document;
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new RegistryIsSilent(`The registry says nothing about ${name}: ${why}.`);
  }
}

export function readDocument(document: Document, version: string): Told {
  const { time, versions, maintainers } = document;
  const newest = document["dist-tags"].latest ?? version;
  const alike = Object.keys(versions).filter(
    (each) => !each.includes("-") && promiseOf(each) === promiseOf(version),
  );
  return {
    newest,
    newestAlike: [version, ...alike].toSorted(byNumber).at(-1) ?? version,
    releasedOn: (time[newest] ?? "").slice(0, DATE),
    // The public registry tells when a package was created; a copy does not know.
    isFromCopy: time.created === undefined,
    maintainers: maintainers?.length,
    deprecated: versions[version]?.deprecated,
  };
}

/** `1` of 1.4.2, `0.17` of 0.17.3. */
function promiseOf(version: string): string {
  return /^(0\.)*\d+/.exec(version)?.[0] ?? version;
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
