/** Results per cache. */
export const MAX_CACHED = 256;
/** Longer keys are not cached. */
const MAX_KEY_LENGTH = 4_096;

/** Caches the last `MAX_CACHED` results by key, evicting the oldest. Errors are not cached. */
export const bounded = <T extends object>(make: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const made = make(key);
    if (key.length > MAX_KEY_LENGTH) return made;
    if (known.size >= MAX_CACHED) {
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    }
    known.set(key, made);
    return made;
  };
};
