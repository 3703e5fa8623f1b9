/** Copies of what was sent last: a broken connection may have lost it. */
export interface ResendWindow {
  /** Copies a batch that the kernel has taken. `at` is in ms and ascends. */
  readonly remember: (bytes: Uint8Array, at: number) => void;
  /** Forgets what is too old at this time. */
  readonly forgetBefore: (now: number) => void;
  /** Batches in order, valid until the next change. */
  readonly batches: () => readonly Buffer[];
  /** Counts the batches as sent at this time. */
  readonly renew: (now: number) => void;
  readonly clear: () => void;
}

interface Entry {
  readonly slot: Buffer;
  readonly length: number;
  /** Time of the first and the last batch in the slot. */
  readonly since: number;
  at: number;
}

/** Sizes of slots are multiples of this: batches of similar size can reuse them. */
const SLOT_BYTES = 65_536;
/** Small batches share a slot for up to this part of the time that they are kept. */
const SHARED_PART = 0.25;
/** Unused slots, for reuse. */
const MAX_SPARE = 4;

/** Keeps batches for `keep_ms` and up to `max_bytes` in total, the last one always. */
export const makeResendWindow = (keep_ms: number, max_bytes: number): ResendWindow => {
  let entries: Entry[] = [];
  let bytes_held = 0;
  const spare: Buffer[] = [];

  const dropFirst = (count: number): void => {
    for (const { slot, length } of entries.splice(0, count)) {
      bytes_held -= length;
      if (spare.length < MAX_SPARE) spare.push(slot);
    }
  };

  const forgetBefore = (now: number): void => {
    let count = 0;
    while (count < entries.length && now - (entries[count] as Entry).at > keep_ms) count++;
    dropFirst(count);
  };

  const slotOf = (length: number): Buffer => {
    const index = spare.findIndex((slot) => slot.length >= length && slot.length <= 4 * length + SLOT_BYTES);
    const found = index < 0 ? undefined : spare.splice(index, 1)[0];
    return found ?? Buffer.allocUnsafeSlow(Math.ceil(length / SLOT_BYTES) * SLOT_BYTES);
  };

  return {
    remember: (bytes, at) => {
      if (keep_ms === 0 || bytes.length === 0) return;
      forgetBefore(at);
      let count = 0;
      for (let rest = bytes_held; count < entries.length && rest + bytes.length > max_bytes; count++) {
        rest -= (entries[count] as Entry).length;
      }
      dropFirst(count);
      const last = entries.at(-1);
      const length = (last?.length ?? 0) + bytes.length;
      if (last !== undefined && length <= last.slot.length && at - last.since <= SHARED_PART * keep_ms) {
        last.slot.set(bytes, last.length);
        entries[entries.length - 1] = { ...last, length, at };
      } else {
        const slot = slotOf(bytes.length);
        slot.set(bytes);
        entries.push({ slot, length: bytes.length, since: at, at });
      }
      bytes_held += bytes.length;
    },
    forgetBefore,
    batches: () => entries.map(({ slot, length }) => slot.subarray(0, length)),
    renew: (now) => {
      for (const entry of entries) entry.at = now;
    },
    clear: () => {
      entries = [];
      bytes_held = 0;
      spare.length = 0;
    },
  };
};
