import { CODE, MAX_DEPTH } from '../../shared/tokens.js';
import {
  addField,
  assemble,
  type Code,
  forever,
  get,
  give,
  i32,
  type Local,
  repeatWhile,
  set,
  v128,
  when,
  whileTrue,
} from './assemble.js';

/** Parameters: the text is from `AT` to `END`, its result goes to `OUT`. */
const AT: Local = 0;
const END: Local = 1;
const OUT: Local = 2;
/** Open arrays and objects; the opening character of each is stored from address 0 on. */
const DEPTH: Local = 3;
/** What comes next. */
const STATE: Local = 4;
const CODE_AT: Local = 5;
const FOUND: Local = 6;
const START: Local = 7;
/** Sixteen bytes of the text. */
const CHUNK: Local = 8;

const VALUE = 0;
const AFTER_VALUE = 1;
const NAME = 2;

/** Bytes that one step may read or write beyond its text. */
const SLACK = 64;
const PAGE = 65_536;

/** Texts of at most this many bytes fit. */
export const TEXT_BYTES = 256 * 1024;
export const TEXT_START = PAGE;
/** Each comma and colon of a text without white space gains a space. */
export const RESULT_START = TEXT_START + TEXT_BYTES + SLACK;
const PAGES = Math.ceil((RESULT_START + 2 * TEXT_BYTES + SLACK) / PAGE);

const is = (local: Local, value: number): Code => i32.equal(get(local), i32.const(value));
const isNot = (local: Local, value: number): Code => i32.unequal(get(local), i32.const(value));
const seq = (...parts: readonly Code[]): Code => parts.flat();
const readCode = (offset = 0): Code => set(CODE_AT, i32.load8(get(AT), offset));
const fail = give(i32.const(0));
const next = (state: number): Code => set(STATE, i32.const(state));
const writeCode = (code: Code): Code => seq(i32.store8(get(OUT), code), addField(OUT, 1));
const isWithin = (low: number, high: number): Code =>
  i32.below(i32.sub(get(CODE_AT), i32.const(low)), i32.const(high - low + 1));
const isDigit = isWithin(CODE.zero, CODE.nine);
const opened: Code = i32.load8(i32.sub(get(DEPTH), i32.const(1)));

const bytesAre = (code: number): Code => v128.equalBytes(get(CHUNK), v128.bytes(code));

/** Sixteen bytes a step, to the first that is none of these. */
const skipAll = (codes: readonly number[]): Code =>
  repeatWhile(
    seq(
      set(CHUNK, v128.load(get(AT))),
      set(FOUND, i32.xor(v128.bitmask(codes.map(bytesAre).reduce(v128.or)), i32.const(0xffff))),
      // Without a found byte the bit above makes 16 trailing zeros.
      set(AT, i32.add(get(AT), i32.trailingZeros(i32.or(get(FOUND), i32.const(0x10000))))),
    ),
    i32.isZero(get(FOUND)),
  );

const isControl: Code = i32.below(i32.load8(get(AT)), i32.const(CODE.space + 1));

/** To the first byte that is no white space; ends at the latest behind the text, where a zero byte is. */
const skipSpace: Code = when(
  isControl,
  seq(
    // What printers use.
    skipAll([CODE.space, CODE.lineFeed]),
    when(isControl, skipAll([CODE.space, CODE.lineFeed, CODE.carriageReturn, CODE.tab])),
  ),
);

/** Behind a backslash; the escape is copied. */
const passEscape: Code = seq(
  readCode(1),
  i32.store16(get(OUT), i32.load(get(AT))),
  addField(AT, 2),
  addField(OUT, 2),
  when(
    is(CODE_AT, CODE.u),
    seq(
      set(START, i32.add(get(AT), i32.const(4))),
      repeatWhile(
        seq(
          readCode(),
          writeCode(get(CODE_AT)),
          addField(AT, 1),
          when(
            isDigit,
            [],
            seq(
              set(CODE_AT, i32.or(get(CODE_AT), i32.const(0x20))),
              when(i32.isZero(isWithin(CODE.a, CODE.f)), fail),
            ),
          ),
        ),
        i32.below(get(AT), get(START)),
      ),
    ),
    when(i32.isZero([...'"\\/bfnrt'].map((short) => is(CODE_AT, short.charCodeAt(0))).reduce(i32.or)), fail),
  ),
);

/** From the opening quote to behind the closing one, sixteen bytes a step. */
const passString: Code = seq(
  writeCode(i32.const(CODE.quote)),
  addField(AT, 1),
  repeatWhile(
    seq(
      set(CHUNK, v128.load(get(AT))),
      v128.store(get(OUT), get(CHUNK)),
      set(
        FOUND,
        v128.bitmask(
          v128.or(
            v128.or(bytesAre(CODE.quote), bytesAre(CODE.backslash)),
            // Below a space: the smaller of both is the byte itself.
            v128.equalBytes(v128.smallerBytes(get(CHUNK), v128.bytes(CODE.space - 1)), get(CHUNK)),
          ),
        ),
      ),
      set(CODE_AT, i32.const(0)),
      when(
        get(FOUND),
        seq(
          set(FOUND, i32.trailingZeros(get(FOUND))),
          set(AT, i32.add(get(AT), get(FOUND))),
          set(OUT, i32.add(get(OUT), get(FOUND))),
          readCode(),
          when(
            isNot(CODE_AT, CODE.quote),
            when(is(CODE_AT, CODE.backslash), seq(passEscape, set(CODE_AT, i32.const(0))), fail),
          ),
        ),
        seq(addField(AT, 16), addField(OUT, 16)),
      ),
    ),
    isNot(CODE_AT, CODE.quote),
  ),
  writeCode(i32.const(CODE.quote)),
  addField(AT, 1),
);

const copyCode: Code = seq(writeCode(get(CODE_AT)), addField(AT, 1), readCode());

/** At least one digit, from `CODE_AT` on. */
const passDigits: Code = seq(when(i32.isZero(isDigit), fail), whileTrue(isDigit, copyCode));

const passNumber: Code = seq(
  when(is(CODE_AT, CODE.minus), copyCode),
  when(is(CODE_AT, CODE.zero), copyCode, passDigits),
  when(is(CODE_AT, CODE.point), seq(copyCode, passDigits)),
  when(
    i32.equal(i32.or(get(CODE_AT), i32.const(0x20)), i32.const(CODE.e)),
    seq(copyCode, when(i32.or(is(CODE_AT, CODE.plus), is(CODE_AT, CODE.minus)), copyCode), passDigits),
  ),
);

/** The first four bytes of a word as a number. */
const wordStart = (word: string): number => Buffer.from(word, 'ascii').readInt32LE(0);

const passWord = (word: string, otherwise: Code): Code =>
  when(
    i32.equal(i32.load(get(AT)), i32.const(wordStart(word))),
    seq(
      v128.store(get(OUT), v128.load(get(AT))),
      word.length > 4 ? when(i32.unequal(i32.load8(get(AT), 4), i32.const(word.charCodeAt(4))), fail) : [],
      addField(AT, word.length),
      addField(OUT, word.length),
    ),
    otherwise,
  );

const open: Code = seq(
  writeCode(get(CODE_AT)),
  addField(AT, 1),
  skipSpace,
  when(
    i32.equal(i32.load8(get(AT)), i32.add(get(CODE_AT), i32.const(2))),
    seq(writeCode(i32.load8(get(AT))), addField(AT, 1), next(AFTER_VALUE)),
    seq(
      when(is(DEPTH, MAX_DEPTH), fail),
      i32.store8(get(DEPTH), get(CODE_AT)),
      addField(DEPTH, 1),
      when(is(CODE_AT, CODE.brace), next(NAME), next(VALUE)),
    ),
  ),
);

const passValue: Code = seq(
  readCode(),
  when(
    is(CODE_AT, CODE.quote),
    seq(passString, next(AFTER_VALUE)),
    when(
      i32.or(is(CODE_AT, CODE.brace), is(CODE_AT, CODE.bracket)),
      open,
      seq(
        when(
          i32.or(isDigit, is(CODE_AT, CODE.minus)),
          passNumber,
          passWord('true', passWord('false', passWord('null', fail))),
        ),
        next(AFTER_VALUE),
      ),
    ),
  ),
);

const passName: Code = seq(
  when(i32.unequal(i32.load8(get(AT)), i32.const(CODE.quote)), fail),
  passString,
  skipSpace,
  when(i32.unequal(i32.load8(get(AT)), i32.const(CODE.colon)), fail),
  addField(AT, 1),
  i32.store16(get(OUT), i32.const(CODE.colon | (CODE.space << 8))),
  addField(OUT, 2),
  // One space is usual.
  set(AT, i32.add(get(AT), i32.equal(i32.load8(get(AT)), i32.const(CODE.space)))),
  skipSpace,
);

/** At the end of the outermost value: only white space follows. The line end behind the text is not part of it. */
const finish: Code = seq(
  whileTrue(
    i32.and(
      i32.below(get(AT), get(END)),
      [CODE.space, CODE.lineFeed, CODE.carriageReturn, CODE.tab]
        .map((code) => i32.equal(i32.load8(get(AT)), i32.const(code)))
        .reduce(i32.or),
    ),
    addField(AT, 1),
  ),
  when(i32.unequal(get(AT), get(END)), fail),
  writeCode(i32.const(CODE.lineFeed)),
  give(get(OUT)),
);

const passEnd: Code = seq(
  when(i32.isZero(get(DEPTH)), finish),
  skipSpace,
  readCode(),
  when(
    is(CODE_AT, CODE.comma),
    seq(
      addField(AT, 1),
      i32.store16(get(OUT), i32.const(CODE.comma | (CODE.space << 8))),
      addField(OUT, 2),
      skipSpace,
      when(i32.equal(opened, i32.const(CODE.brace)), next(NAME), next(VALUE)),
    ),
    seq(when(i32.unequal(get(CODE_AT), i32.add(opened, i32.const(2))), fail), addField(DEPTH, -1), copyCode),
  ),
);

/**
 * Checks that a text is one JSON value (RFC 8259) and writes it on one line, with a line end: one space after commas and
 * colons, everything else unchanged. Returns the address behind the result, or 0 if the text is refused. A text that
 * runs on behind `END` is refused there at the latest: a value that ends exactly at `END` has not read further.
 */
const body: Code = seq(
  skipSpace,
  forever(seq(when(is(STATE, NAME), passName), passValue, whileTrue(is(STATE, AFTER_VALUE), passEnd))),
);

export const squeezeModule = (): Uint8Array<ArrayBuffer> =>
  assemble({ parameters: 3, numbers: 5, vectors: 1, body, pages: PAGES });
