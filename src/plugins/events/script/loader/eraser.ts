import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';

/** What is used of `@swc/wasm-typescript`: blanks types out, so that every line and column stays. */
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

/** What stands around the program of WebAssembly in the file of the package, which is text (base64). */
const BEGIN = "Buffer.from('";
const END = "', 'base64')";
/** Read at once: whole groups of four characters, and more than there is before or after the program. */
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

/** The JavaScript of the package, as a function of its program. */
type Glue = (
  module: { readonly exports: object },
  require: NodeJS.Require,
  program: (text: string) => Uint8Array,
) => void;

const glueOf = (text: string, name: string): Glue =>
  vm.compileFunction(text, ['module', 'require', 'programOf'], { filename: name }) as Glue;

/** `null`: the file is not as expected. */
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
 * Loads the package so that its memory can be given back once nobody holds it. `require` would keep it for good: 3.7 MB of
 * text, read as JavaScript (20 MB, for a moment, which stay with the process), and the program made of it.
 */
export const loadEraser = (): Eraser => {
  const require = createRequire(import.meta.url);
  return inParts(require.resolve(PACKAGE), require) ?? (require(PACKAGE) as Eraser);
};
