import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';

/** The used part of `@swc/wasm-typescript`: replaces types with blanks, so positions stay. */
export interface Eraser {
  readonly transformSync: (
    source: string,
    options: {
      readonly mode: 'strip-only';
      readonly filename: string;
      readonly deprecatedTsModuleAsError: true;
    },
  ) => { readonly code: string };
}

const PACKAGE = '@swc/wasm-typescript';

/** Text around the WebAssembly program (base64) in the file of the package. */
const BEGIN = "Buffer.from('";
const END = "', 'base64')";
/** Bytes per read: whole groups of four characters, and more than the text around the program. */
const CHUNK = 64 * 1024;

const textAt = (file: number, start: number, length: number): string => {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, start));
};

const decoded = (file: number, start: number, end: number): Uint8Array => {
  const bytes = Buffer.allocUnsafeSlow(((end - start) / 4) * 3);
  let size = 0;
  for (let at = start; at < end; at += CHUNK)
    size += bytes.write(textAt(file, at, Math.min(CHUNK, end - at)), size, 'base64');
  return bytes.subarray(0, size);
};

type Glue = (
  module: { readonly exports: object },
  require: NodeJS.Require,
  program: (text: string) => Uint8Array,
) => void;

const glueOf = (text: string, name: string): Glue =>
  vm.compileFunction(text, ['module', 'require', 'programOf'], { filename: name }) as Glue;

const inParts = (name: string, require: NodeJS.Require): Eraser | null => {
  const file = openSync(name, 'r');
  try {
    const { size } = fstatSync(file);
    const tailStart = Math.max(0, size - CHUNK);
    const head = textAt(file, 0, CHUNK);
    const tail = textAt(file, tailStart, CHUNK);
    const begin = head.indexOf(BEGIN);
    const end = tail.lastIndexOf(END);
    if (begin < 0 || end < 0) return null;
    const program = decoded(file, begin + BEGIN.length, tailStart + end);
    const module = { exports: {} };
    const glue = `${head.slice(0, begin)}programOf('${tail.slice(end)}`;
    glueOf(glue, name)(module, require, () => program);
    return module.exports as Eraser;
  } finally {
    closeSync(file);
  }
};

/**
 * Loads the package so that its memory can be freed. `require` keeps 3.7 MB of text (20 MB while parsing) and the
 * program for good.
 */
export const loadEraser = (): Eraser => {
  const require = createRequire(import.meta.url);
  return inParts(require.resolve(PACKAGE), require) ?? (require(PACKAGE) as Eraser);
};
