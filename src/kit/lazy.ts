/**
 * A value made on the first call and kept, for what most processes never need. Calls during the
 * making share its promise; after a failure the next call tries again.
 */

export function lazy<Args extends readonly unknown[], Made>(
  make: (...args: Args) => Made | Promise<Made>,
): (...args: Args) => Promise<Made> {
  let made: Promise<Made> | undefined;
  const attempt = async (args: Args) => make(...args);
  return (...args) => {
    made ??= attempt(args).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
