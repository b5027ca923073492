/**
 * A mutant is the service with one bug put in on purpose. It says what would go wrong in the world,
 * and which tests must notice: a promise that no test would miss is not kept by anything.
 */

export interface Mutant {
  readonly name: string;
  /** What somebody would suffer from it. */
  readonly breaks: string;
  /** Made in a copy of the tree, or in the migrated database. */
  readonly change: TextChange | { readonly sql: string };
  /** Test files, of which at least one must go red. */
  readonly caughtBy: readonly string[];
}

export interface TextChange {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}
