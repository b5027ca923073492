/**
 * What is made at the first call, and kept: it takes a moment, and most processes never
 * need it. A call meanwhile waits for the same one; what failed is tried again by the next.
 */

export function lazy<Asked extends readonly unknown[], Made>(
  make: (...asked: Asked) => Made | Promise<Made>,
): (...asked: Asked) => Promise<Made> {
  let making: Promise<Made> | undefined;
  const trying = async (asked: Asked) => {
    try {
      return await make(...asked);
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
  return (...asked) => {
    making ??= trying(asked);
    return making;
  };
}
