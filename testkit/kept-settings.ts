/**
 * What a process that a test starts gets of this one's settings; the rest would make what is tried
 * depend on who tries it.
 */

const { PATH, NODE_COMPILE_CACHE = "" } = process.env;

export const KEPT_SETTINGS = { PATH, NODE_COMPILE_CACHE };
