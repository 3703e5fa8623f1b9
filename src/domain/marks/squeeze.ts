const [QUOTE, BACKSLASH, SPACE, TAB, LF, CR] = [0x22, 0x5c, 32, 9, 10, 13];

/** Longer lines are parsed instead. */
const MAX_BYTES = 64 * 1024;

/** Kept for the next line, so that none is made for each. */
const scratch = Buffer.allocUnsafeSlow(MAX_BYTES);

/**
 * JSON text without the white space between its tokens, in bytes that are good until the next call;
 * `null` where it has none, or is too long. Nothing is checked: what is no JSON comes out as something.
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
