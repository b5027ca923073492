/**
 * What the house rules need to know about a source file, read from its syntax tree: which modules
 * it imports, how long its functions are, whether it declares anything of its own.
 *
 * The tree is the compiler's. TypeScript 7 offers its JavaScript API only under `unstable/`, so
 * this is the one file that touches it: when an upgrade moves it, the repair is here. The files
 * are handed over as a virtual file system, which keeps the facts a pure function of the texts.
 */

import path from "node:path";
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";
import type { Files } from "./project-files.ts";

export interface Import {
  /** A path of the project when the specifier is relative, otherwise the package's name. */
  readonly target: string;
  readonly line: number;
}

interface FunctionLength {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** The callback of `describe`, `test` and the like: a list of promises, not one function. */
  readonly isTestCallback: boolean;
}

export interface SourceFacts {
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionLength[];
  readonly onlyReexports: boolean;
}

const ROOT = "/project";
const CONFIG = `${ROOT}/tsconfig.json`;

export function sourceFacts(files: Files): ReadonlyMap<string, SourceFacts> {
  const sources = [...files].filter(([file]) => /\.(ts|mjs)$/.test(file));
  const config = {
    // Nothing is resolved or checked: one parse per file, no library, no node_modules.
    compilerOptions: { noLib: true, noResolve: true, allowJs: true, types: [] },
    files: sources.map(([file]) => file),
  };
  const texts = sources.map(([file, text]) => [`${ROOT}/${file}`, text] as const);
  const fs = createVirtualFileSystem({
    ...Object.fromEntries(texts),
    [CONFIG]: JSON.stringify(config),
  });
  const api = new API({ cwd: ROOT, fs });
  try {
    const program = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG)?.program;
    return new Map(
      sources.map(([file]) => {
        const tree = program?.getSourceFile(`${ROOT}/${file}`);
        if (tree === undefined) throw new Error(`The compiler did not parse ${file}`);
        return [file, factsOf(file, tree)];
      }),
    );
  } finally {
    api.close();
  }
}

function factsOf(file: string, tree: SourceFile): SourceFacts {
  const imports: Import[] = [];
  const functions: FunctionLength[] = [];
  const lineStarts = [...tree.text.matchAll(/^/gm)].map((match) => match.index);
  const lineAt = (position: number) => lineStarts.findLastIndex((start) => start <= position) + 1;

  const visit = (node: Node): void => {
    const imported = importedBy(node);
    if (imported !== undefined) {
      imports.push({ target: resolve(file, imported), line: lineAt(node.getStart()) });
    }
    if (isFunction(node)) {
      const line = lineAt(node.getStart());
      const lines = lineAt(node.end) - line + 1;
      functions.push({ name: nameOf(node), line, lines, isTestCallback: isTestCallback(node) });
    }
    node.forEachChild(visit);
  };
  visit(tree);

  return { imports, functions, onlyReexports: onlyReexports(tree) };
}

function importedBy(node: Node): string | undefined {
  if (is.isImportDeclaration(node) || is.isExportDeclaration(node))
    return specified(node.moduleSpecifier);
  if (is.isImportTypeNode(node) && is.isLiteralTypeNode(node.argument))
    return specified(node.argument.literal);
  if (is.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword)
    return specified(node.arguments[0]);
  return undefined;
}

function specified(specifier: Node | undefined): string | undefined {
  return specifier !== undefined && is.isStringLiteral(specifier) ? specifier.text : undefined;
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : specifier;
}

function isFunction(node: Node): boolean {
  return (
    is.isFunctionDeclaration(node) ||
    is.isFunctionExpression(node) ||
    is.isArrowFunction(node) ||
    is.isMethodDeclaration(node) ||
    is.isConstructorDeclaration(node) ||
    is.isGetAccessorDeclaration(node) ||
    is.isSetAccessorDeclaration(node)
  );
}

function nameOf(node: Node): string {
  const named = [node, node.parent].find((candidate) => "name" in candidate && candidate.name);
  if (named === undefined) return "a function";
  return (named as Node & { name: Node }).name.getText();
}

function isTestCallback(node: Node): boolean {
  const call = node.parent;
  if (!is.isCallExpression(call)) return false;
  return /^(t\.)?(describe|suite|test|it)(\.\w+)?$/.test(call.expression.getText());
}

/** Imports and `export { … }` alone: the file gives other files' names a second address. */
function onlyReexports(tree: SourceFile): boolean {
  const exports = tree.statements.filter(is.isExportDeclaration);
  const imports = tree.statements.filter(is.isImportDeclaration);
  return exports.length > 0 && exports.length + imports.length === tree.statements.length;
}
