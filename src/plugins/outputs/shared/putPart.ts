/** Parts up to this length are copied in a loop: a native call costs as much as forty bytes. */
const SHORT = 48;

/** Writes a part that is made once; returns the index behind it. `out` must have room. */
export const putPart = (out: Uint8Array, at: number, part: Uint8Array): number => {
  const { length } = part;
  if (length > SHORT) out.set(part, at);
  else for (let index = 0; index < length; index++) out[at + index] = part[index] as number;
  return at + length;
};
