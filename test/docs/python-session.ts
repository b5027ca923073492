/**
 * Python as WebAssembly. It has no network, so `urlopen` leads through the test; all else, hashes
 * and parsing among them, is Python's own.
 */

import { loadPyodide } from "pyodide";
import { bridge, type Session } from "./session.ts";

const PRELUDE = `
import io, json, urllib.error, urllib.request
from pyodide.ffi import run_sync

def _urlopen(request):
    body = request.data.decode() if request.data else None
    answer = json.loads(run_sync(bridge(json.dumps({
        "url": request.full_url, "method": request.get_method(),
        "headers": dict(request.header_items()), "body": body,
    }))))
    stream = io.BytesIO(answer["body"].encode())
    if answer["status"] >= 400:
        raise urllib.error.HTTPError(request.full_url, answer["status"], answer["body"], {}, stream)
    return stream

urllib.request.urlopen = _urlopen
`;

export async function openPython(): Promise<Session> {
  const python = await loadPyodide();
  let said = "";
  python.setStdout({
    batched: (line: string) => {
      said += `${line}\n`;
    },
  });
  python.globals.set("bridge", async (text: string) => {
    const { body, ...request } = JSON.parse(text);
    const headers = { ...request.headers };
    // As urllib adds it to whatever has a body.
    if (body !== null) headers["content-type"] = "application/x-www-form-urlencoded";
    return JSON.stringify(await bridge({ ...request, headers, body: body ?? undefined }));
  });
  await python.runPythonAsync(PRELUDE);
  return {
    async run(code) {
      said = "";
      await python.runPythonAsync(code);
      return said;
    },
    async close() {},
  };
}
