/**
 * Connections that nobody reads for a while. Whoever was told to come back in a second and sends
 * more at once is left waiting, unless there is room for it before: to read it only to refuse it
 * again would cost those who are being served (Decision 0056). What it sends meanwhile stays in
 * the kernel. When there is room, those who came last go first: behind the others lies the most
 * that nobody waits for any more.
 *
 * One that sends several requests at once, without waiting for answers, may have sent a hundred by
 * the end of its rest. It is closed then, unread: such clients have to ask again for what was not
 * answered.
 */

import type { Socket } from "node:net";
import { SECOND_MS } from "../../kit/clock.ts";

const LOOK_EVERY_MS = 5;
/** For how many requests there is room in one look, so that the others are not held up by them. */
const PLACES_MAX = 16;
const REST_MS = 0.5 * SECOND_MS;
const NEWCOMER_MS = SECOND_MS;
/** What is spent on those who are read only to be refused: 2,000 a second, and some at once. */
const REFUSALS_PER_LOOK = 10;
const REFUSALS_MAX = 100;
/** Behind so many refused in one go lie more. */
const DEEP = 32;
/** Node lets one newcomer in with every turn of its loop: if all came anew, they would queue. */
const CLOSED_EVERY_MS = 10;

export interface Rests {
  /** For a newcomer at a bad moment: it is read at once unless too many were refused lately. */
  receive(socket: Socket): void;
  /** For one that was refused; it may have been before, by what was read in the same go. */
  refuse(socket: Socket): void;
  /** How many requests were refused in this rest; 0 when it does not rest. */
  refusedOf(socket: Socket): number;
  areAny(): boolean;
  stop(): void;
}

interface Rest {
  readonly beganAt: number;
  refused: number;
  sendsSeveral: boolean;
}

interface Given {
  /** For how many more requests there is a place. */
  readonly room: () => number;
  /** Ends one of which nothing was ever read. */
  readonly turnAwayUnread: (socket: Socket) => void;
  /** In milliseconds that never go back. */
  readonly now?: () => number;
}

interface State {
  /** In the order in which they began. */
  readonly resting: Map<Socket, Rest>;
  refusalsLeft: number;
  closedAt: number;
}

export function createRests({ room, turnAwayUnread, now = () => performance.now() }: Given): Rests {
  const state: State = { resting: new Map(), refusalsLeft: REFUSALS_MAX, closedAt: 0 };
  const { resting } = state;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const at = now();
    letIn(state, room(), at);
    readAgain(state, at);
    closeOldest(state, turnAwayUnread, at);
    if (resting.size === 0) stop();
  };
  const begin = (socket: Socket): Rest => {
    const rest = { beganAt: now(), refused: 0, sendsSeveral: (socket.unanswered ?? 0) > 0 };
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
    receive(socket) {
      if (state.refusalsLeft <= 0) begin(socket);
    },
    refuse(socket) {
      state.refusalsLeft -= 1;
      const rest = resting.get(socket) ?? begin(socket);
      rest.refused += 1;
      if (rest.refused > 1) rest.sendsSeveral = true;
    },
    refusedOf: (socket) => resting.get(socket)?.refused ?? 0,
  };
}

/** The latest newcomer goes first: it may be a question after our health. */
function letIn({ resting }: State, room: number, at: number): void {
  let places = Math.min(room, PLACES_MAX);
  if (places <= 0) return;
  const latest = [...resting].reverse().filter(([, rest]) => !isStale(rest, at));
  const newcomer = latest.find(([, { refused }]) => refused === 0);
  for (const [socket, { refused }] of newcomer === undefined ? latest : [newcomer]) {
    resting.delete(socket);
    readOn(socket);
    // Nobody knows what a newcomer brings.
    places -= refused || PLACES_MAX;
    if (places <= 0) return;
  }
}

function readAgain(state: State, at: number): void {
  const { resting } = state;
  state.refusalsLeft = Math.min(state.refusalsLeft + REFUSALS_PER_LOOK, REFUSALS_MAX);
  for (const [socket, { beganAt, refused, sendsSeveral }] of resting) {
    if (state.refusalsLeft <= 0) return;
    if (sendsSeveral || (refused > 0 && beganAt + REST_MS > at)) continue;
    state.refusalsLeft -= 1;
    resting.delete(socket);
    readOn(socket);
  }
}

/** A newcomer first, to whom nothing was told so far; not while somebody waits for an answer. */
function closeOldest(state: State, turnAwayUnread: Given["turnAwayUnread"], at: number): void {
  if (state.closedAt + CLOSED_EVERY_MS > at) return;
  const stale = [...state.resting].filter(
    ([socket, rest]) => isStale(rest, at) && !socket.unanswered,
  );
  const newcomer = stale.find(([, { refused }]) => refused === 0);
  const [socket] = newcomer ?? stale[0] ?? [];
  if (socket === undefined) return;
  state.closedAt = at;
  state.resting.delete(socket);
  if (newcomer === undefined) socket.destroy();
  else turnAwayUnread(socket);
}

/** Whether so much may lie behind it that nobody waits for the most of it any more. */
function isStale({ beganAt, refused, sendsSeveral }: Rest, at: number): boolean {
  if (refused === 0) return beganAt + NEWCOMER_MS <= at;
  return refused >= DEEP || (sendsSeveral && beganAt + REST_MS <= at);
}

const watched = new WeakSet<Socket>();

function leaveUnread(socket: Socket, resting: Map<Socket, unknown>): void {
  stopReading(socket);
  if (watched.has(socket)) return;
  watched.add(socket);
  // Node reads on whenever an answer that had to wait is out.
  socket.on("resume", () => resting.has(socket) && stopReading(socket));
  socket.once("close", () => resting.delete(socket));
}

/** As Node's server marks it; without the mark the end of a request's body would resume it. */
type ServerSocket = Socket & { _paused?: boolean; parser?: { resume(): void } | null };

export function stopReading(socket: ServerSocket): void {
  socket._paused = true;
  socket.pause();
}

function readOn(socket: ServerSocket): void {
  if (socket.destroyed || socket.isEnding) return;
  socket._paused = false;
  socket.parser?.resume();
  socket.resume();
}
