/** Kinds of frames. All but the last two are numbered, from 1, and must arrive in this order without a gap. */
export const FRAME = {
  /** Part of a request or head. */
  part: 1,
  /** Last part of a request, or of a head without a stream. */
  last: 2,
  /** Last part of a head with a stream. */
  lastBeforeStream: 3,
  item: 4,
  end: 5,
  /** The sender failed; the payload says why. */
  fail: 6,
  /** How many numbered frames were sent, and how many of the other side are consumed. */
  state: 7,
  /** The reader needs no more. */
  cancel: 8,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly kind: number;
  /** Number of a numbered frame. In a state, how many numbered frames were sent. */
  readonly number: number;
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 5;
const STATE_BYTES = HEADER_BYTES + 4;

export const writtenFrame = (kind: FrameKind, number: number, payload: Uint8Array): Uint8Array => {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32BE(number, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
};

export const writtenState = (sent: number, consumed: number): Uint8Array => {
  const frame = Buffer.allocUnsafe(STATE_BYTES);
  frame.writeUInt8(FRAME.state, 0);
  frame.writeUInt32BE(sent, 1);
  frame.writeUInt32BE(consumed, HEADER_BYTES);
  return frame;
};

/** Returns null when `bytes` is not a frame. The payload shares memory with `bytes`. */
export const frameOf = (bytes: Uint8Array): Frame | null => {
  if (bytes.length < HEADER_BYTES) return null;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = view.readUInt8(0);
  if (kind === FRAME.state && bytes.length !== STATE_BYTES) return null;
  return { kind, number: view.readUInt32BE(1), payload: bytes.subarray(HEADER_BYTES) };
};

export const consumedOf = ({ payload }: Frame): number =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.length).readUInt32BE(0);
