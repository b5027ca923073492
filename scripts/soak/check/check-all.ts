export interface Verdict { readonly name: string; readonly looked: number; readonly wrong: readonly string[]; readonly seconds: number }
export async function checkAll(_: unknown): Promise<Verdict[]> { return []; }
