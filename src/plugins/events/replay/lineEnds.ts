const LF = 10;

/** Looked up once: a buffer finds its methods through prototypes, which takes as long as finding the end of a line. */
const { indexOf } = Buffer.prototype;

/** First LF at or after `from`; -1 if none. */
export const lineFeedFrom = (bytes: Buffer, from: number): number => indexOf.call(bytes, LF, from);

/** First line end at or after `from` that starts at a multiple of its length counted from `base`; -1 if none. */
export const lineEndFrom = (bytes: Buffer, end: Buffer, from: number, base: number): number => {
  if (end.length === 1) return bytes.indexOf(end[0] as number, from);
  let at = bytes.indexOf(end, from);
  while (at >= 0 && (at - base) % end.length !== 0) at = bytes.indexOf(end, at + 1);
  return at;
};

/** Last line end that starts before `before`, as `lineEndFrom`. */
export const lineEndBefore = (bytes: Buffer, end: Buffer, before: number, base: number): number => {
  if (before <= base) return -1;
  let at = bytes.lastIndexOf(end.length === 1 ? (end[0] as number) : end, before - 1);
  while (at > base && (at - base) % end.length !== 0) at = bytes.lastIndexOf(end, at - 1);
  return at < base ? -1 : at;
};
