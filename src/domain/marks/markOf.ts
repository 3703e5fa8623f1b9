import { hex8 } from './mark.js';
import { readMarks } from './read.js';

/** Returns `<stream>:<sequence>` of the mark of an event, or null when it has none. */
export const markOf = (text: string): string | null => {
  const bytes = Buffer.from(text);
  // The mark of an event of several lines is on the last one.
  const [mark] = readMarks(bytes, 0, bytes.length).marks;
  return mark === undefined ? null : `${hex8(mark.token.stream)}:${mark.token.sequence}`;
};
