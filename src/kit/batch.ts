/**
 * Batching: many callers each bring one item, one run takes them together and each caller gets its
 * own result. This is how concurrent writes share one statement and one commit.
 *
 * An item does not wait for others unless the run wants that (`gatherMsMax`). It runs at the end
 * of the turn it came in, unless `parallelMax` runs are under way; then it runs with all the others
 * that waited, as soon as one of those runs ends.
 */

import assert from "node:assert/strict";
import { inSpan, type Span, within } from "./trace.ts";

/** For reads that take their callers no more than a few milliseconds (Decision 0059). */
export const GATHER_MS_MAX = 3;
/** Runs of a healthy database take some milliseconds; one whose connection hangs, many seconds. */
export const PATIENCE_MS = 1_000;
/** So many at most, however many hang: an item behind all of them waits for the database. */
const PASSED_BY_MAX = 3;

interface BatcherOptions<In, Out> {
  /**
   * One result per item, in the same order; an item whose result is an Error is rejected with it.
   * When the run itself rejects, so does each of its items.
   */
  run(items: readonly In[]): Promise<readonly (Out | Error)[]>;
  readonly sizeMax: number;
  readonly parallelMax?: number;
  /**
   * Lets a run wait while every turn of the loop brings more for it, but no longer than this: for
   * runs that cost much the same for one item and for a hundred, beside callers who are quick.
   * When nothing more comes, that is one empty turn.
   */
  readonly gatherMsMax?: number;
  /**
   * After this a run is not waited for any more: the next goes past it. For runs that do not mind
   * another beside them; absent: they are waited for as long as they take.
   */
  readonly patienceMs?: number;
}

/** Three lists of the same length: the items, and how to settle each one's promise. */
interface Batch<In, Out> {
  /** Of the first item that is traced: the run's spans are its children, and others link to it. */
  span: Span | undefined;
  readonly items: In[];
  readonly resolve: ((result: Out) => void)[];
  readonly reject: ((error: unknown) => void)[];
}

export function createBatcher<In, Out>(
  options: BatcherOptions<In, Out>,
): (item: In) => Promise<Out> {
  const { run, sizeMax, gatherMsMax = 0 } = options;
  const waiting: Batch<In, Out>[] = [];
  const running = countRuns(options, startRuns);
  const startAfterTurn = afterTurn(startRuns, {
    msMax: gatherMsMax,
    size: () => waiting[0]?.items.length ?? 0,
    sizeMax,
  });

  return (item) => inSpan("batch", {}, (span) => add(item, span));

  function add(item: In, span: Span | undefined): Promise<Out> {
    const batch = openBatch();
    if (batch.span !== undefined) span?.addLink({ context: batch.span.spanContext() });
    batch.span ??= span;
    batch.items.push(item);
    if (running.hasRoom()) startAfterTurn();
    return new Promise((resolve, reject) => {
      batch.resolve.push(resolve);
      batch.reject.push(reject);
    });
  }

  function openBatch(): Batch<In, Out> {
    const last = waiting.at(-1);
    if (last !== undefined && last.items.length < sizeMax) return last;
    const batch: Batch<In, Out> = { span: undefined, items: [], resolve: [], reject: [] };
    waiting.push(batch);
    return batch;
  }

  function startRuns(): void {
    while (running.hasRoom()) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      void perform(batch);
    }
  }

  async function perform(batch: Batch<In, Out>): Promise<void> {
    const end = running.begin();
    const { span, items } = batch;
    span?.setAttribute("windward.batch.size", items.length);
    // Otherwise it would belong to whichever request happened to start it.
    const outcome = await within(span, () => attempt(run, items));
    end();
    // A run that gathers lets this one's callers go on first: they bring more for it. Any other
    // starts before them, by a microtask, because a run that throws at once would otherwise call
    // its successor, and that one the next, down the stack.
    if (gatherMsMax > 0) startAfterTurn();
    else queueMicrotask(startRuns);
    tellAll(batch, outcome);
  }
}

/** Counts the runs that are waited for; `goOn` is called when one is not any more. */
function countRuns(
  { parallelMax = 1, patienceMs }: Pick<BatcherOptions<never, never>, "parallelMax" | "patienceMs">,
  goOn: () => void,
) {
  let waitedFor = 0;
  let passedBy = 0;
  return {
    hasRoom: () => waitedFor < parallelMax,
    /** Tells how to say that it has ended. */
    begin(): () => void {
      let isPassedBy = false;
      waitedFor += 1;
      const passBy = () => {
        if (passedBy >= PASSED_BY_MAX) return;
        isPassedBy = true;
        passedBy += 1;
        waitedFor -= 1;
        goOn();
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(passBy, patienceMs);
      return () => {
        clearTimeout(timer);
        if (isPassedBy) passedBy -= 1;
        else waitedFor -= 1;
      };
    },
  };
}

interface Gathering {
  readonly msMax: number;
  readonly size: () => number;
  readonly sizeMax: number;
}

/**
 * Calls `go` once at the end of this turn of the loop; while gathering, of the first that brings
 * nothing more, fills the run, or comes after its time.
 */
function afterTurn(go: () => void, { msMax, size, sizeMax }: Gathering): () => void {
  let isScheduled = false;
  let sizeBefore = 0;
  let until = 0;
  const look = () => {
    const sizeNow = size();
    const mayGrow = sizeNow > sizeBefore && sizeNow < sizeMax;
    sizeBefore = sizeNow;
    if (mayGrow && performance.now() < until) return void setImmediate(look);
    isScheduled = false;
    go();
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    sizeBefore = 0;
    if (msMax > 0) until = performance.now() + msMax;
    // Not a microtask: those run between the sockets that one turn of the event loop reads, and
    // would send the first request off alone. An immediate comes after all of them.
    setImmediate(look);
  };
}

type Outcome<Out> = { readonly results: readonly (Out | Error)[] } | { readonly failure: unknown };

async function attempt<In, Out>(
  run: BatcherOptions<In, Out>["run"],
  items: readonly In[],
): Promise<Outcome<Out>> {
  try {
    const results = await run(items);
    assert.equal(results.length, items.length, "a run gives one result per item");
    return { results };
  } catch (failure) {
    return { failure };
  }
}

function tellAll<In, Out>({ resolve, reject }: Batch<In, Out>, outcome: Outcome<Out>): void {
  if ("failure" in outcome) {
    for (const tell of reject) tell(outcome.failure);
    return;
  }
  for (const [index, result] of outcome.results.entries())
    if (result instanceof Error) reject[index]?.(result);
    else resolve[index]?.(result);
}
