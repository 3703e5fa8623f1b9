import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStream } from '../../../../src/plugins/outputs/stdout/plugin.js';
import type { StartDestination } from '../../../conformance/support.js';
import { newPipe } from '../../../support/pipe.js';
import { spawn } from '../../../support/programs.js';

/** A pipe in the place of the standard output of the test run; a program reads its other end. */
export const destination: StartDestination = (folder) => {
  const pipe = newPipe(folder);
  const path = join(folder, 'arrived');
  const file = openSync(path, 'w');
  const reader = spawn('cat', [], { stdio: [pipe.readFd, file, 'inherit'] });
  const ended = new Promise<void>((resolve) => reader.once('exit', () => resolve()));
  closeSync(pipe.readFd);
  closeSync(file);
  let isWritable = true;
  const closeEnd = (): void => {
    if (isWritable) closeSync(pipe.writeFd);
    isWritable = false;
  };
  return {
    params: {},
    open: (params, context) => openStream(pipe.writeFd, params, context),
    arrived: async () => {
      closeEnd();
      await ended;
      return readFileSync(path, 'utf8');
    },
    takeAway: async () => {
      reader.kill('SIGKILL');
      await ended;
    },
    end: async () => {
      closeEnd();
      reader.kill('SIGKILL');
      await ended;
    },
  };
};
