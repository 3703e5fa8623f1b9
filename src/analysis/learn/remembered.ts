/** Texts of logs repeat. Longer ones seldom do. */
const MAX_TEXTS = 20_000;
const MAX_LENGTH = 200;

/** A pure function that remembers its results for up to 20,000 short texts. */
export const remembered = <A>(of: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>();
  return (text) => {
    if (text.length > MAX_LENGTH) return of(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = of(text);
    if (known.size < MAX_TEXTS) known.set(text, made);
    return made;
  };
};
