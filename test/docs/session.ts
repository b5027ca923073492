/**
 * An interpreter that runs one piece of code after the other and keeps what they made, as a person
 * does who follows a guide.
 */

export interface Session {
  /** Runs it and gives what it printed; throws when it fails. */
  run(code: string): Promise<string>;
  close(): Promise<void>;
}
