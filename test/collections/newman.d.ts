/** As much of Newman as is used here; it brings no types. */
declare module "newman" {
  interface Execution {
    readonly item: { readonly name: string };
    readonly response?: { readonly code: number; readonly stream: Buffer };
    readonly assertions?: readonly { readonly error?: Error }[];
  }
  export interface Summary {
    readonly run: {
      readonly executions: readonly Execution[];
      readonly failures: readonly { readonly error: Error; readonly source?: { name: string } }[];
    };
  }
  const newman: {
    run(options: object, done: (error: Error | null, summary: Summary) => void): void;
  };
  export default newman;
}
