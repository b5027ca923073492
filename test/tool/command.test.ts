/**
 * The guarantee: a tool that is asked for help, or for something that it does not understand, says
 * so in plain words and starts nothing.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { understand } from "../../testkit/tool/command.ts";
import { flag, Mistake, maybeNumber, names, number, seed } from "../../testkit/tool/options.ts";

const TOOL = {
  name: "shake",
  about: "Shakes the tree.",
  takes: "Takes a minute.",
  options: {
    times: number({ about: "how often", min: 1, max: 500 }, 20),
    minutes: maybeNumber(
      { about: "how long", min: 0.1, max: 60, hasDecimals: true },
      "until it falls",
    ),
    gently: flag("without noise"),
    only: names("some trees", ["ash", "ash-old", "elm"]),
    seed: seed(),
  },
};
const asked = (...args: string[]) => understand(TOOL, args);

describe("what is understood", () => {
  test("options that do not go together are a mistake, too", () => {
    const demandFit = ({ gently, only }: { gently: boolean; only: unknown }) => {
      if (gently && only !== undefined) throw new Mistake("Gently means every tree.");
    };
    const ask = (...args: string[]) => understand({ ...TOOL, demandFit }, args);
    assert.deepEqual(ask("--gently", "--only", "elm"), { mistake: "Gently means every tree." });
    assert("values" in ask("--gently"));
  });

  test("nothing given leaves the defaults, and a seed by chance", () => {
    const understood = asked();
    assert("values" in understood);
    const { seed: drawn, ...rest } = understood.values;
    assert.deepEqual(rest, { times: 20, minutes: undefined, gently: false, only: undefined });
    assert(Number.isSafeInteger(drawn));
  });

  test("what is given counts, with or without an equals sign, and of two the later", () => {
    const args = ["--times", "3", "--minutes=0.5", "--gently", "--seed", "7", "--times", "4"];
    const values = { times: 4, minutes: 0.5, gently: true, only: undefined, seed: 7 };
    assert.deepEqual(asked(...args), { values });
  });

  const chosen: [string, string[], string[]][] = [
    ["a whole name means that one alone", ["--only", "ash"], ["ash"]],
    ["a part means all that have it", ["--only", "as"], ["ash", "ash-old"]],
    ["several are parted by commas", ["--only", "elm,ash"], ["ash", "elm"]],
    ["or given one after the other", ["--only", "elm", "--only", "old"], ["ash-old", "elm"]],
  ];
  for (const [name, args, only] of chosen)
    test(`of names, ${name}`, () => {
      const understood = asked(...args);
      assert("values" in understood);
      assert.deepEqual(understood.values.only, only);
    });
});

describe("help", () => {
  for (const args of [["--help"], ["-h"], ["--times", "none", "--help"]])
    test(`is told for ${args.join(" ")}, with every option, its default and how long it takes`, () => {
      const understood = asked(...args);
      assert("help" in understood);
      const { help } = understood;
      assert.match(help, /^npm run shake -- \[options\]\n\nShakes the tree\.\n/);
      assert.match(help, /\n {2}--times <number> +how often \(default 20\)\n/);
      assert.match(help, /\n {2}--minutes <number> +how long \(default until it falls\)\n/);
      assert.match(help, /\n {2}--gently +without noise\n/);
      assert.match(help, /\n {2}--seed <number> .* \(default by chance\)\n/);
      assert.match(help, /\nTakes a minute\.\n/);
    });
});

describe("what is not understood is told in one sentence", () => {
  const more = "npm run shake -- --help tells what there is.";
  const times = "--times is a whole number from 1 to 500.";
  const mistakes: [string[], string][] = [
    [["--loudly"], `There is no --loudly; ${more}`],
    [["-x"], `There is no -x; ${more}`],
    [["oak"], `"oak" belongs to no option; ${more}`],
    [["--", "oak"], `"oak" belongs to no option; ${more}`],
    [["--times", "many"], times],
    [["--times", "0"], times],
    [["--times", "501"], times],
    [["--times", "1.5"], times],
    [["--times", "-1"], times],
    [["--times", "1e2"], times],
    [["--times="], times],
    [["--times"], times],
    [["--times", "--gently"], times],
    [["--minutes", "0"], "--minutes is a number from 0.1 to 60."],
    [["--gently=yes"], "--gently takes no value."],
    [["--only", "oak"], '--only knows no "oak". There are:\n  ash\n  ash-old\n  elm'],
    [["--only", ""], '--only knows no "". There are:\n  ash\n  ash-old\n  elm'],
  ];
  for (const [args, mistake] of mistakes)
    test(args.join(" "), () => assert.deepEqual(asked(...args), { mistake }));
});
