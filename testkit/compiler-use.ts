/** Whether a process compiled anything, or found all of it in Node's cache (Decision 0060). */

/** A flag of Node: at its end the process says which parts of the compiler it has loaded. */
export const REPORT_COMPILER_USE = `--import=data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const loaded = process.moduleLoadList.filter((name) => name.includes("amaro"));
    process.stderr.write("compiler: " + loaded.length);
  });`)}`;

export const NOTHING_COMPILED = "compiler: 0";
