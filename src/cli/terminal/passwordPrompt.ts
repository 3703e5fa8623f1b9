import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { EMPTY_LINE, typeHidden } from './hiddenLine.js';

/** The terminal, even if standard input and output are redirected. */
const TERMINAL = '/dev/tty';

/** Reads a line without echo. Returns null when there is no terminal. Calls `cancel` on Ctrl-C. */
export const askHidden = (question: string, cancel: () => void): Promise<string | null> => {
  const open = (): number | null => {
    try {
      return openSync(TERMINAL, 'r+');
    } catch {
      return null;
    }
  };
  const terminal = open();
  if (terminal === null) return Promise.resolve(null);
  // A second descriptor: the stream closes the other one.
  const screen = openSync(TERMINAL, 'w');
  const input = new ReadStream(terminal);
  input.setRawMode(true);
  input.setEncoding('utf8');
  writeSync(screen, question);
  return new Promise((resolve) => {
    let line = EMPTY_LINE;
    let isOver = false;
    const finish = (text: string | null): void => {
      if (isOver) return;
      isOver = true;
      input.setRawMode(false);
      input.destroy();
      writeSync(screen, '\n');
      closeSync(screen);
      resolve(text);
    };
    input.on('error', () => finish(null));
    input.on('end', () => finish(null));
    input.on('data', (keys) => {
      line = typeHidden(line, String(keys));
      if (line.state === 'typing') return;
      const isCancelled = line.state === 'cancelled';
      finish(isCancelled ? null : line.text);
      if (isCancelled) cancel();
    });
  });
};
