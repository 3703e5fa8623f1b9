/** The smallest template (a timestamp and a word), to a file, against a hand-written loop. */
import { LINE_BYTES, minimalToFiles } from '../lib/lines.mjs';

const EVENTS = 6_000_000;

export const limits = 'The frame around each render (names, picks, limits), then joining strings.';

export const disk_bytes = 2 * LINE_BYTES * EVENTS;

export const pairs = async ({ folder, scale }) =>
  minimalToFiles({ folder, events: Math.ceil(EVENTS * scale), copies: 1 });
