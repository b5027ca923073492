/**
 * The guarantee: every PHP file of the project is right for PHP 8.2 and strict about types, and the
 * package is one that Composer takes, without dependencies.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPhp, runPhp, SDK_PHP } from "../../testkit/php.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);
const files = globSync(["sdk-php/**/*.php", "examples/**/*.php"], { cwd: PROJECT });

test("every file compiles, says strict_types and keeps within 200 lines of 100 columns", async () => {
  assert(files.length > 20);
  const php = await findPhp();
  for (const file of files) {
    const whole = path.join(PROJECT, file);
    await execute(php, ["-l", whole]);
    const lines = readFileSync(whole, "utf8").split("\n");
    assert(lines.includes("declare(strict_types=1);"), file);
    assert(lines.length <= 200, `${file} has ${lines.length} lines`);
    for (const [at, line] of lines.entries())
      assert(line.length <= 100, `${file}:${at + 1} has ${line.length} columns`);
  }
});

test("every class is in the file that PSR-4 and autoload.php look for, and says its types", async () => {
  const names = globSync("src/*.php", { cwd: SDK_PHP }).map((file) => path.basename(file, ".php"));
  const said = await runPhp(
    `foreach ($facts['names'] as $name) {
      $class = new ReflectionClass("Windward\\\\$name");
      foreach ($class->getMethods() as $method) {
        if ($method->class !== $class->name || $method->isConstructor()) continue;
        if (!$method->isInternal() && !$method->hasReturnType()) echo "$name::{$method->name} ";
        foreach ($method->getParameters() as $parameter) {
          if (!$parameter->hasType()) echo "$name::{$method->name} of {$parameter->name} ";
        }
      }
      if (!$class->isFinal()) echo "$name is not final ";
    }`,
    { names },
  );
  assert.equal(said, "");
});

test("composer.json names the package, the version of PHP and no dependency", () => {
  const { name, require, autoload } = JSON.parse(
    readFileSync(path.join(SDK_PHP, "composer.json"), "utf8"),
  );
  assert.equal(name, "windward/windward");
  assert.deepEqual(require, { php: ">=8.2", "ext-curl": "*", "ext-json": "*" });
  assert.deepEqual(autoload, { "psr-4": { "Windward\\": "src/" } });
});
