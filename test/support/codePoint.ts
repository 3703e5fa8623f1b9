import fc from 'fast-check';

/** Surrogates, which are no character of a well-formed text. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * One character of any text that is well-formed: what the unit `binary` of fast-check makes, without the map of 1.1
 * million characters that the latter fills in each test file.
 */
export const codePoint = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    if (point < 0 || String.fromCodePoint(point) !== text) throw new Error('it is not one character');
    if (point < SURROGATES.from) return point;
    if (point < SURROGATES.from + SURROGATES.count) throw new Error('it is a surrogate');
    return point - SURROGATES.count;
  },
);
