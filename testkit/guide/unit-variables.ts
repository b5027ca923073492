/** The lines `NAME=value` of a unit or of an environment file. */
export function variablesOf(file: string): Record<string, string> {
  return Object.fromEntries(
    [...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}
