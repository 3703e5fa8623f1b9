/**
 * The matches of a pattern with flag `g`, in order. Unlike `matchAll`, it does not clone the pattern for each text: a
 * clone of a long one takes longer than the search (17 µs for a pattern of 8,000 characters on Node 20).
 */
export function* matchesOf(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let from = 0; ; ) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) return;
    from = Math.max(pattern.lastIndex, match.index + 1);
    yield match;
  }
}
