const [QUOTE, BACKSLASH, SPACE, TAB, LF, CR] = [0x22, 0x5c, 32, 9, 10, 13];

/** Longer lines are parsed instead. */
const MAX_BYTES = 64 * 1024;

const scratch = Buffer.allocUnsafeSlow(MAX_BYTES);

/**
 * Returns JSON without white space between tokens, valid until the next call. Returns null when there is none to
 * remove, or when the JSON is too long. Does not validate it.
 */
export const squeezeJson = (bytes: Uint8Array, from: number, to: number): Buffer | null => {
  if (to - from > MAX_BYTES) return null;
  let length = 0;
  let isText = false;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (isText) {
      if (byte === QUOTE) isText = false;
      else if (byte === BACKSLASH) {
        scratch[length++] = byte;
        i++;
        if (i >= to) return null;
      }
    } else if (byte === SPACE || byte === TAB || byte === CR || byte === LF) continue;
    else if (byte === QUOTE) isText = true;
    scratch[length++] = bytes[i] as number;
  }
  return length === to - from ? null : scratch.subarray(0, length);
};
