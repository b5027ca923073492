/**
 * Connections that nobody reads for a while. Whoever was told to come back in a second and sends
 * more at once is left waiting, unless there is room for it before: to read it only to refuse it
 * again would cost those who are being served (Decision 0057). What it sends meanwhile stays in
 * the kernel. The longer one has rested, the more of what it sent nobody waits for any more: when
 * there is room, the latest go first.
 *
 * One that sends ahead, without waiting for answers, may have sent a hundred requests by the end of
 * its rest. It is closed then, unread: such clients have to ask again for what was not answered.
 */

import type { Socket } from "node:net";
import { SECOND_MS } from "../../kit/clock.ts";

const LOOK_EVERY_MS = 5;
/** How many requests are let in with one look: more would hold up the others in one turn. */
const PLACES_MAX = 16;
const REST_MS = 0.5 * SECOND_MS;
const NEWCOMER_MS = SECOND_MS;
/**
 * While there were fewer refusals than 2,000 a second (a thirtieth of a core), newcomers and those
 * that have rested are read even if that is only to refuse them. Some more may come at once.
 */
const REFUSALS_PER_LOOK = 10;
const REFUSALS_MAX = 100;
/** So many refused in one go are half a second's worth of a busy client: behind them lie more. */
const REFUSED_TO_CLOSE = 32;
/** Node lets one newcomer in with every turn of its loop: if all came anew, they would queue. */
const CLOSED_EVERY_MS = 10;
/** A newcomer may be asking after our health: one is read even if there is no room. */
const NEWCOMER_EVERY_MS = 10;

declare module "node:net" {
  interface Socket {
    /** Undefined until it first rests. */
    isLeftUnread?: boolean;
  }
}

export interface Rests {
  /** A newcomer at a bad moment: it is read at once unless too many were refused lately. */
  noteNewcomer(socket: Socket): void;
  /** A request was refused on it, alone or behind others that wait there for their answers. */
  noteRefused(socket: Socket, how: { isBehindOthers: boolean }): void;
  /** How many requests were refused in this rest; 0 when it does not rest. */
  refusedOf(socket: Socket): number;
  areAny(): boolean;
  stop(): void;
}

interface Rest {
  readonly beganAt: number;
  refused: number;
  sendsAhead: boolean;
}

interface Given {
  /** For how many more requests there is a place. */
  readonly room: () => number;
  /** Ends one that will not be read, with words where nothing was told so far. */
  readonly endUnread: (socket: Socket, how: { isNewcomer: boolean }) => void;
  /** In milliseconds that never go back. */
  readonly now?: () => number;
}

interface State {
  /** In the order in which they began. */
  readonly resting: Map<Socket, Rest>;
  refusalsLeft: number;
  closedAt: number;
  newcomerAt: number;
}

export function createRests({ room, endUnread, now = () => performance.now() }: Given): Rests {
  const state: State = {
    resting: new Map(),
    refusalsLeft: REFUSALS_MAX,
    closedAt: 0,
    newcomerAt: 0,
  };
  const { resting } = state;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const at = now();
    readLatest(state, room(), at);
    readRested(state, at);
    closeOldest(state, endUnread, at);
    if (resting.size === 0) stop();
  };
  const begin = (socket: Socket): Rest => {
    const rest = { beganAt: now(), refused: 0, sendsAhead: false };
    resting.set(socket, rest);
    leaveUnread(socket, resting);
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    return rest;
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    state.refusalsLeft = REFUSALS_MAX;
  };
  return {
    stop,
    areAny: () => resting.size > 0,
    noteNewcomer(socket) {
      if (state.refusalsLeft <= 0) begin(socket);
    },
    noteRefused(socket, { isBehindOthers }) {
      state.refusalsLeft -= 1;
      const rest = resting.get(socket) ?? begin(socket);
      rest.refused += 1;
      rest.sendsAhead ||= isBehindOthers || rest.refused > 1;
    },
    refusedOf: (socket) => resting.get(socket)?.refused ?? 0,
  };
}

/** The latest newcomer goes before all others; nobody knows what it brings, so it goes alone. */
function readLatest(state: State, room: number, at: number): void {
  const { resting } = state;
  const latest = [...resting].reverse().filter(([, rest]) => !isStale(rest, at));
  const newcomer = latest.find(([, { refused }]) => refused === 0);
  if (newcomer !== undefined) {
    if (room <= 0 && state.newcomerAt + NEWCOMER_EVERY_MS > at) return;
    state.newcomerAt = at;
    readOn(newcomer[0], resting);
    return;
  }
  let places = Math.min(room, PLACES_MAX);
  for (const [socket, { refused }] of latest) {
    if (places <= 0) return;
    readOn(socket, resting);
    places -= refused;
  }
}

/** Those whose rest is over, and newcomers: the oldest first, while refusing is cheap. */
function readRested(state: State, at: number): void {
  const { resting } = state;
  state.refusalsLeft = Math.min(state.refusalsLeft + REFUSALS_PER_LOOK, REFUSALS_MAX);
  let reads = state.refusalsLeft;
  for (const [socket, { beganAt, refused, sendsAhead }] of resting) {
    if (reads <= 0) return;
    if (sendsAhead || (refused > 0 && beganAt + REST_MS > at)) continue;
    reads -= 1;
    readOn(socket, resting);
  }
}

/** A newcomer first, to whom nothing was told so far; not while somebody waits for an answer. */
function closeOldest(state: State, endUnread: Given["endUnread"], at: number): void {
  if (state.closedAt + CLOSED_EVERY_MS > at) return;
  const stale = [...state.resting].filter(
    ([socket, rest]) => isStale(rest, at) && !socket.unanswered,
  );
  const newcomer = stale.find(([, { refused }]) => refused === 0);
  const [socket] = newcomer ?? stale[0] ?? [];
  if (socket === undefined) return;
  state.closedAt = at;
  state.resting.delete(socket);
  endUnread(socket, { isNewcomer: newcomer !== undefined });
}

/** Not worth reading: a newcomer after a second, one that sends ahead after its rest. */
function isStale({ beganAt, refused, sendsAhead }: Rest, at: number): boolean {
  if (refused === 0) return beganAt + NEWCOMER_MS <= at;
  return refused >= REFUSED_TO_CLOSE || (sendsAhead && beganAt + REST_MS <= at);
}

function leaveUnread(socket: Socket, resting: Map<Socket, unknown>): void {
  const isFirstTime = socket.isLeftUnread === undefined;
  socket.isLeftUnread = true;
  stopReading(socket);
  if (!isFirstTime) return;
  // Node reads on whenever an answer that had to wait is out.
  socket.on("resume", () => socket.isLeftUnread && stopReading(socket));
  socket.once("close", () => resting.delete(socket));
}

/** As Node's server marks it; without the mark the end of a request's body would resume it. */
type ServerSocket = Socket & { _paused?: boolean; parser?: { resume(): void } | null };

export function stopReading(socket: ServerSocket): void {
  socket._paused = true;
  socket.pause();
}

function readOn(socket: ServerSocket, resting: Map<Socket, unknown>): void {
  resting.delete(socket);
  socket.isLeftUnread = false;
  if (socket.destroyed || socket.isEnding) return;
  socket._paused = false;
  socket.parser?.resume();
  socket.resume();
}
