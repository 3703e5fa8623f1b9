/** The beginning of an event, for viewers. */
export interface EventHead {
  readonly text: string;
  /** Size of the text in UTF-8. */
  readonly bytes: number;
  readonly is_cut: boolean;
}

export interface HeadLimits {
  readonly count: number;
  /** Limit of each event. Longer ones are cut. */
  readonly max_bytes: number;
  /** Limit of all heads together. */
  readonly total_bytes: number;
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const headOfBytes = (event: Uint8Array, max_bytes: number): EventHead => {
  if (event.length <= max_bytes) return { text: textOf(event), bytes: event.length, is_cut: false };
  let end = max_bytes;
  // 10xxxxxx continues a character: cut before it begins.
  while (end > 0 && ((event[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: textOf(event.subarray(0, end)), bytes: end, is_cut: true };
};

/** The first `max_bytes` bytes (as UTF-8) of an event. */
export const headOf = (event: string, max_bytes: number): EventHead => {
  // A character has at least one byte.
  const near = event.length > max_bytes ? event.slice(0, max_bytes + 1) : event;
  return headOfBytes(Buffer.from(near, 'utf8'), max_bytes);
};

/** Takes heads within the limits; `next` gives `null` at the end. */
const collect = (next: (max_bytes: number) => EventHead | null, limits: HeadLimits): readonly EventHead[] => {
  const heads: EventHead[] = [];
  let left = limits.total_bytes;
  while (heads.length < limits.count) {
    const head = next(limits.max_bytes);
    if (head === null || head.bytes > left) break;
    heads.push(head);
    left -= head.bytes;
  }
  return heads;
};

export const headsOfTexts = (texts: readonly string[], limits: HeadLimits): readonly EventHead[] => {
  let at = 0;
  return collect((max_bytes) => {
    const text = texts[at++];
    return text === undefined ? null : headOf(text, max_bytes);
  }, limits);
};

/** Heads of the first events in bytes, each followed by the separator; reads no further. */
export const headsOfBytes = (
  bytes: Uint8Array,
  separator: string,
  limits: HeadLimits,
): readonly EventHead[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const step = Buffer.byteLength(separator);
  let from = 0;
  return collect((max_bytes) => {
    if (from >= buffer.length) return null;
    const found = buffer.indexOf(separator, from);
    const to = found < 0 ? buffer.length : found;
    const head = headOfBytes(buffer.subarray(from, to), max_bytes);
    from = to + step;
    return head;
  }, limits);
};

interface Run {
  readonly count: number;
  readonly heads: (limits: HeadLimits) => readonly EventHead[];
}

export const headsOfRuns = (runs: readonly Run[], limits: HeadLimits): readonly EventHead[] => {
  const heads: EventHead[] = [];
  let { count, total_bytes } = limits;
  for (const run of runs) {
    const taken = run.heads({ ...limits, count, total_bytes });
    heads.push(...taken);
    // An event that has no room ends the heads, also if a later one had.
    if (taken.length < Math.min(count, run.count)) break;
    count -= taken.length;
    total_bytes -= taken.reduce((sum, { bytes }) => sum + bytes, 0);
    if (count === 0) break;
  }
  return heads;
};
