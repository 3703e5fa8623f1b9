import * as E from 'fp-ts/lib/Either.js';
import { type Command, NO_POSITIONALS } from '../arguments/command.js';
import { reportError } from '../report.js';
import { EXIT } from '../terminal/io.js';
import { enteredPassword } from '../terminal/password.js';

export const hashPasswordCommand: Command<Record<never, never>> = {
  name: 'hash-password',
  summary: 'Makes the hash of a password for server.auth.password.',
  positionals: NO_POSITIONALS,
  options: {},
  notes: [
    'The password comes from a hidden prompt, or from standard input without its final line feed. Only the salted scrypt hash is printed.',
  ],
  examples: [{ title: 'Enter a password at a hidden prompt', line: 'spate hash-password' }],
  run: async (_, { io }) => {
    const password = await enteredPassword(io);
    if (E.isLeft(password)) return reportError(io, password.left);
    // Lazy: other commands start faster without it.
    const { newPasswordHash } = await import('../../daemon/newPasswordHash.js');
    io.stdout.write(`${await newPasswordHash(password.right)}\n`);
    return EXIT.ok;
  },
};
