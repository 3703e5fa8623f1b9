import * as E from 'fp-ts/lib/Either.js';
import { type Command, NO_POSITIONALS } from '../arguments/command.js';
import { flagOption } from '../arguments/option.js';
import { reportError } from '../report.js';
import { EXIT } from '../terminal/io.js';
import { enteredPassword } from '../terminal/password.js';

const options = {
  token: flagOption({ help: 'Make a token for a program instead, and print it with its hash.' }),
};

export const hashPasswordCommand: Command<typeof options> = {
  name: 'hash-password',
  summary: 'Makes the hash of a password, or a token and its hash, for server.auth.',
  positionals: NO_POSITIONALS,
  options,
  notes: [
    'The password comes from a hidden prompt, or from standard input without its final line feed. Only the salted scrypt hash is printed.',
    'A token has 256 random bits. The program sends it as `Authorization: Bearer TOKEN`; the settings hold only its hash. It is shown this once.',
  ],
  examples: [
    { title: 'Enter a password at a hidden prompt', line: 'spate hash-password' },
    { title: 'A token for Prometheus or CI', line: 'spate hash-password --token' },
  ],
  run: async ({ options: { token } }, { io }) => {
    // Lazy: other commands start faster without it.
    const { newPasswordHash, newToken } = await import('../../daemon/newPasswordHash.js');
    if (token === true) {
      const made = newToken();
      io.stdout.write(`token: ${made.token}\nhash: ${made.hash}\n`);
      return EXIT.ok;
    }
    const password = await enteredPassword(io);
    if (E.isLeft(password)) return reportError(io, password.left);
    io.stdout.write(`${await newPasswordHash(password.right)}\n`);
    return EXIT.ok;
  },
};
