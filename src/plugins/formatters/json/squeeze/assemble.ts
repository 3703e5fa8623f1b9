/**
 * Expressions and statements of WebAssembly as bytes, and a module of them. Binary format and opcodes: WebAssembly
 * Core Specification 2.0, chapter 5 (https://www.w3.org/TR/wasm-core-2/#binary-format).
 */
export type Code = readonly number[];

/** Index of a local variable; parameters come first. */
export type Local = number;

/** Unsigned integers of variable length (LEB128). */
const unsigned = (value: number): Code => {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
};

const signed = (value: number): Code => {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
};

const SIMD = 0xfd;
const EMPTY_TYPE = 0x40;
const I32 = 0x7f;
const V128 = 0x7b;

const binary =
  (opcode: number) =>
  (left: Code, right: Code): Code => [...left, ...right, opcode];

const simdBinary =
  (opcode: number) =>
  (left: Code, right: Code): Code => [...left, ...right, SIMD, ...unsigned(opcode)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: binary(0x6a),
  sub: binary(0x6b),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  equal: binary(0x46),
  unequal: binary(0x47),
  /** Unsigned comparisons. */
  below: binary(0x49),
  above: binary(0x4b),
  isZero: (value: Code): Code => [...value, 0x45],
  trailingZeros: (value: Code): Code => [...value, 0x68],
  /** Unaligned, little-endian. */
  load: (address: Code): Code => [...address, 0x28, 0, 0],
  load8: (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)],
  store8: (address: Code, value: Code): Code => [...address, ...value, 0x3a, 0, 0],
  store16: (address: Code, value: Code): Code => [...address, ...value, 0x3b, 0, 0],
};

export const v128 = {
  load: (address: Code): Code => [...address, SIMD, ...unsigned(0), 0, 0],
  store: (address: Code, value: Code): Code => [...address, ...value, SIMD, ...unsigned(11), 0, 0],
  /** Sixteen times the same byte. */
  bytes: (value: number): Code => [SIMD, ...unsigned(12), ...new Array<number>(16).fill(value)],
  or: simdBinary(80),
  equalBytes: simdBinary(35),
  /** The smaller byte of each two, unsigned. */
  smallerBytes: simdBinary(119),
  /** One bit for the top bit of each byte. */
  bitmask: (value: Code): Code => [...value, SIMD, ...unsigned(100)],
};

export const get = (local: Local): Code => [0x20, ...unsigned(local)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const addField = (local: Local, amount: number): Code =>
  set(local, i32.add(get(local), i32.const(amount)));
export const give = (value: Code): Code => [...value, 0x0f];

export const when = (condition: Code, then: Code, otherwise: Code = []): Code => [
  ...condition,
  0x04,
  EMPTY_TYPE,
  ...then,
  ...(otherwise.length === 0 ? [] : [0x05, ...otherwise]),
  0x0b,
];

/** Runs the body until the condition after it is zero. */
export const repeatWhile = (body: Code, condition: Code): Code => [
  0x03,
  EMPTY_TYPE,
  ...body,
  ...condition,
  0x0d,
  0,
  0x0b,
];

export const whileTrue = (condition: Code, body: Code): Code => when(condition, repeatWhile(body, condition));

/** Runs the body until it returns. */
export const forever = (body: Code): Code => [...repeatWhile(body, i32.const(1)), 0x00];

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

const name = (text: string): Code => [text.length, ...Buffer.from(text, 'ascii')];

interface Parts {
  readonly parameters: number;
  /** Further locals: numbers, then vectors. */
  readonly numbers: number;
  readonly vectors: number;
  readonly body: Code;
  /** Pages of 64 KiB. */
  readonly pages: number;
}

/** A module with the memory `memory` and one function `run` from numbers to a number. */
export const assemble = ({ parameters, numbers, vectors, body, pages }: Parts): Uint8Array<ArrayBuffer> => {
  const type = [0x60, parameters, ...new Array<number>(parameters).fill(I32), 1, I32];
  const locals = [2, ...unsigned(numbers), I32, ...unsigned(vectors), V128];
  const code = [...locals, ...body, 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...type]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('run'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
};
