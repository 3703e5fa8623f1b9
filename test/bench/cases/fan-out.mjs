/** The smallest template to three files at once, against a hand-written loop that writes three. */
import { LINE_BYTES, minimalToFiles } from '../lib/lines.mjs';

const EVENTS = 5_000_000;
const FILES = 3;

export const limits = 'As minimal-template: events are encoded once, and each output writes the same bytes.';

export const disk_bytes = 2 * FILES * LINE_BYTES * EVENTS;

export const pairs = async ({ folder, scale }) =>
  minimalToFiles({ folder, events: Math.ceil(EVENTS * scale), copies: FILES });
