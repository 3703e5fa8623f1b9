/** A line of a stream with its number since the stream began. */
export interface Numbered<A> {
  readonly number: number;
  readonly value: A;
}

/** The newest lines first, at most `limit`. `news`: oldest first. */
export const withNews = <A>(
  lines: readonly Numbered<A>[],
  news: readonly A[],
  limit: number,
): readonly Numbered<A>[] => {
  if (news.length === 0) return lines;
  const last = lines[0]?.number ?? 0;
  const numbered = news.map((value, index) => ({ number: last + index + 1, value }));
  return [...numbered.reverse(), ...lines].slice(0, limit);
};

/** Removes the sizes of lines that are gone: a stream goes on for days. */
export const forgetGone = <Key>(sizes: Map<Key, number>, lines: readonly Numbered<unknown>[]): void => {
  const oldest = lines.at(-1)?.number ?? Number.POSITIVE_INFINITY;
  for (const number of sizes.keys()) if (Number(number) < oldest) sizes.delete(number);
};
