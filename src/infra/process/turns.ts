/**
 * One pause after the other in this process: two at once would open the service twice, and each
 * request would be handled by both.
 */
export function createTurns() {
  let last: Promise<void> = Promise.resolve();
  let taken = 0;
  return {
    isTaken: () => taken > 0,
    ended: () => last,
    async take(pausing: () => Promise<void>): Promise<void> {
      taken += 1;
      const ended = last.then(pausing).finally(() => {
        taken -= 1;
      });
      last = ended.catch(() => {});
      await ended;
    },
  };
}
