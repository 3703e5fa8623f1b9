import type { Readable } from 'node:stream';
import { MAX_MESSAGE_CHARS } from '../../domain/text/shown.js';

/** Calls `onLine` for each line of a stream of UTF-8, also a last one without end. The rest of a long line is left out. */
export const readLines = (from: Readable, onLine: (line: string) => void): void => {
  let line = '';
  const add = (text: string): void => {
    if (line.length <= MAX_MESSAGE_CHARS) line += text.slice(0, MAX_MESSAGE_CHARS + 1);
  };
  const give = (): void => {
    if (line !== '') onLine(line);
    line = '';
  };
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const parts = text.split('\n');
    parts.forEach((part, index) => {
      add(part);
      if (index < parts.length - 1) give();
    });
  });
  from.on('end', give);
};
