/**
 * A Dockerfile as stages of steps. It knows the instructions that ours uses; any other is refused,
 * so that none is left out in silence.
 */

import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Healthcheck,
  type Instruction,
  type JSONInstruction,
  type ModifiableInstruction,
  type Run,
} from "dockerfile-ast";

export type Step =
  | { readonly kind: "copy"; readonly from?: string; readonly paths: readonly string[] }
  | { readonly kind: "run"; readonly script: string; readonly caches: readonly string[] }
  | { readonly kind: "workdir"; readonly value: string }
  | { readonly kind: "user"; readonly value: string }
  | { readonly kind: "env"; readonly values: Readonly<Record<string, string>> };

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What the last stage says of the processes of the image. */
export interface ImageFacts {
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly stopSignal: string;
  readonly ports: readonly number[];
}

export interface ReadDockerfile {
  readonly stages: readonly Stage[];
  readonly facts: ImageFacts;
}

export function readDockerfile(text: string): ReadDockerfile {
  const stages: { image: string; name: string; steps: Step[] }[] = [];
  const facts = new Map<string, readonly string[]>();
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (instruction.getVariables().length > 0 && keyword !== "RUN") refuse(instruction);
    if (keyword === "FROM") {
      const from = instruction as From;
      stages.push({ image: from.getImage() ?? "", name: from.getBuildStage() ?? "", steps: [] });
      facts.clear();
    } else if (isFact(keyword)) facts.set(keyword, factOf(instruction));
    else stages.at(-1)?.steps.push(stepOf(instruction));
  }
  const fact = (keyword: string) => facts.get(keyword) ?? [];
  return {
    stages,
    facts: {
      command: fact("CMD"),
      healthCheck: fact("HEALTHCHECK"),
      stopSignal: fact("STOPSIGNAL")[0] ?? "",
      ports: fact("EXPOSE").map(Number),
    },
  };
}

const isFact = (keyword: string) =>
  ["CMD", "HEALTHCHECK", "STOPSIGNAL", "EXPOSE"].includes(keyword);

function factOf(instruction: Instruction): readonly string[] {
  const words = () => instruction.getArguments().map((argument) => argument.getValue());
  switch (instruction.getKeyword()) {
    case "CMD":
      return stringsOf(instruction as JSONInstruction);
    case "HEALTHCHECK":
      return healthCommand(instruction as Healthcheck);
    default:
      return words();
  }
}

function stepOf(instruction: Instruction): Step {
  const value = instruction.getArgumentsContent() ?? "";
  switch (instruction.getKeyword()) {
    case "COPY": {
      const copy = instruction as Copy;
      const flags = flagsOf(copy, ["from"]);
      const paths = copy.getArguments().map((argument) => argument.getValue());
      return { kind: "copy", paths, ...(flags.from === undefined ? {} : { from: flags.from }) };
    }
    case "RUN":
      return runStep(instruction as Run);
    case "WORKDIR":
      return { kind: "workdir", value };
    case "USER":
      return { kind: "user", value };
    case "ENV": {
      const pairs = (instruction as Env).getProperties();
      const values = pairs.map((pair) => [pair.getName(), pair.getValue() ?? ""]);
      return { kind: "env", values: Object.fromEntries(values) };
    }
    default:
      return refuse(instruction);
  }
}

function runStep(run: Run): Step {
  const flags = run.getFlags();
  const caches = flags.map((flag) => {
    const options = flag.getOptions().map((each) => [each.getName(), each.getValue()]);
    const { type, target, ...others } = Object.fromEntries(options);
    const isKnown = flag.getName() === "mount" && type === "cache" && target !== undefined;
    if (!isKnown || Object.keys(others).length > 0) refuse(run);
    return String(target);
  });
  if (run.getOpeningBracket() !== null || run.getHeredocs().length > 0) refuse(run);
  return { kind: "run", script: textOf(run), caches };
}

/** Behind the flags, with lines that go on joined. */
function textOf(run: Run): string {
  const flags = run.getFlags().map((flag) => flag.toString());
  const content = (run.getRawArgumentsContent() ?? "").replaceAll(/\\\n/g, " ");
  return flags.reduce((text, flag) => text.replace(flag, ""), content).trim();
}

function healthCommand(check: Healthcheck): string[] {
  flagsOf(check, ["interval", "timeout", "start-period", "retries"]);
  const content = check.getRawArgumentsContent() ?? "";
  const [, command = ""] = content.split(/\bCMD\s+/);
  return JSON.parse(command);
}

function stringsOf(instruction: JSONInstruction): string[] {
  if (instruction.getOpeningBracket() === null) refuse(instruction);
  return instruction.getJSONStrings().map((each) => each.getJSONValue());
}

function flagsOf(instruction: ModifiableInstruction, known: readonly string[]) {
  const flags = instruction.getFlags();
  if (flags.some((flag) => !known.includes(flag.getName()))) refuse(instruction);
  const pairs = flags.map((flag) => [flag.getName(), flag.getValue() ?? ""]);
  return Object.fromEntries(pairs) as Readonly<Record<string, string | undefined>>;
}

function refuse(instruction: Instruction): never {
  throw new Error(`testkit/containers cannot do this of the Dockerfile yet: ${instruction}`);
}
