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
const PLACES_MAX = 32;
/** What a refusal says in `Retry-After`: whoever heeds it does not notice. */
const REST_MS = SECOND_MS;
const NEWCOMER_MS = SECOND_MS;
/**
 * While there were no more refusals than this with each look (2,000 a second at most, a thirtieth
 * of a core), newcomers are read even if that is only to refuse them. Some more may come at once.
 */
const REFUSALS_PER_LOOK = 10;
const REFUSALS_MAX = 100;
/** So many refused in one go are a second's worth of a busy client: behind them lie more. */
const REFUSED_TO_CLOSE = 32;
/**
 * Whoever is closed comes back, and is in the way of others that come anew. Newcomers, which have
 * heard nothing so far, do not wait for this: one goes with each look.
 */
const CLOSED_EVERY_MS = 10;
/** A newcomer may be asking after our health: some are read even if there is no room. */
const NEWCOMERS_EVERY_MS = 10;
const NEWCOMERS_MAX = 8;
/** Nobody knows what a newcomer brings: as many as a browser or a pool sends at once. */
const PLACES_OF_NEWCOMER = 4;

declare module "node:net" {
  interface Socket {
    /** Undefined until it first rests. */
    isLeftUnread?: boolean;
    /** Whether its last answer is on its way, so that what comes after it is not looked at. */
    isEnding?: boolean;
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
  newcomersAt: number;
}

export function createRests({ room, endUnread, now = () => performance.now() }: Given): Rests {
  const state: State = {
    resting: new Map(),
    refusalsLeft: REFUSALS_MAX,
    closedAt: 0,
    newcomersAt: 0,
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

/** The latest newcomers go before all others. */
function readLatest(state: State, room: number, at: number): void {
  if (room <= 0 && state.newcomersAt + NEWCOMERS_EVERY_MS > at) return;
  const { resting } = state;
  const latest = latestOf(resting, at);
  let places = Math.min(room, PLACES_MAX);
  state.newcomersAt = at;
  for (const socket of latest.newcomers.slice(0, NEWCOMERS_MAX)) {
    readOn(socket, resting);
    places -= PLACES_OF_NEWCOMER;
  }
  for (const socket of latest.others) {
    if (places <= 0) return;
    places -= resting.get(socket)?.refused ?? 0;
    readOn(socket, resting);
  }
}

/** Those worth reading, the latest first. With plain lists, for there may be hundreds each time. */
function latestOf(resting: State["resting"], at: number) {
  const newcomers: Socket[] = [];
  const others: Socket[] = [];
  for (const [socket, rest] of resting)
    if (!isStale(rest, at)) (rest.refused === 0 ? newcomers : others).push(socket);
  return { newcomers: newcomers.reverse(), others: others.reverse() };
}

/**
 * Whoever waits for answers is read after its rest in any case: it sends one request, and the
 * latest would go before it for ever. Newcomers are read while refusing is cheap, the oldest first.
 */
function readRested(state: State, at: number): void {
  const { resting } = state;
  state.refusalsLeft = Math.min(state.refusalsLeft + REFUSALS_PER_LOOK, REFUSALS_MAX);
  let reads = state.refusalsLeft;
  for (const [socket, { beganAt, refused, sendsAhead }] of resting) {
    if (sendsAhead || (refused === 0 ? reads <= 0 : beganAt + REST_MS > at)) continue;
    if (refused === 0) reads -= 1;
    readOn(socket, resting);
  }
}

/** A newcomer first, to whom nothing was told so far; not while somebody waits for an answer. */
function closeOldest(state: State, endUnread: Given["endUnread"], at: number): void {
  let oldest: Socket | undefined;
  let isNewcomer = false;
  for (const [socket, rest] of state.resting) {
    if (socket.unanswered || !isStale(rest, at)) continue;
    isNewcomer = rest.refused === 0;
    if (isNewcomer || oldest === undefined) oldest = socket;
    if (isNewcomer) break;
  }
  const isTime = isNewcomer || state.closedAt + CLOSED_EVERY_MS <= at;
  if (oldest === undefined || !isTime) return;
  state.closedAt = at;
  state.resting.delete(oldest);
  endUnread(oldest, { isNewcomer });
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

/** What has not been read by now never is. */
export function readNoMore(socket: Socket): void {
  socket.isEnding = true;
  stopReading(socket);
}

function stopReading(socket: ServerSocket): void {
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
