import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { LogLevel } from '../../../domain/errors.js';
import type { Log } from '../../../ports/log.js';

const lines = (log: Log, level: LogLevel): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text: string | Buffer, _encoding, done) => {
      log.write(level, String(text).replace(/\n$/, ''), { source: 'console' });
      done();
    },
  });

/**
 * The `console` of a script: it writes to the log of the plugin. The real one would write to stdout,
 * where the events of a stdout output go.
 */
export const scriptConsole = (log: Log): Console =>
  new Console({ stdout: lines(log, 'info'), stderr: lines(log, 'warning'), colorMode: false });
