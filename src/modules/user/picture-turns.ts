/**
 * One upload of an account after the other, in this process: so a picture is drawn only for whoever
 * may still be first, and one account cannot fill the queue of drawings that all share. Nothing
 * depends on it: which of several processes was first, the database decides.
 */

const lastOf = new Map<string, Promise<unknown>>();

export async function inTurn<T>(accountNumber: string, work: () => Promise<T>): Promise<T> {
  const before = lastOf.get(accountNumber) ?? Promise.resolve();
  const own = before.then(work, work);
  lastOf.set(accountNumber, own);
  try {
    return await own;
  } finally {
    if (lastOf.get(accountNumber) === own) lastOf.delete(accountNumber);
  }
}
