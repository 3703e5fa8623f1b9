import * as E from 'fp-ts/lib/Either.js';
import type { ApiAddress } from '../../../adapters/apiClient.js';
import { checkGeneratorText } from '../../../config/generator/config.js';
import { failure, type Result } from '../../../domain/errors.js';
import { apiOf, type SendRequest } from '../../../mcp/api.js';
import { serveStdioUntilClosed } from '../../../mcp/stdio.js';
import { installed } from '../../../plugins/installed.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT, exitCodeOf, stopOnSignal } from '../../terminal/io.js';
import { API_PASSWORD_VARIABLE, API_USER_VARIABLE } from '../limits.js';
import { addressOf, sendTo } from './address.js';
import type { mcpOptions } from './mcp.js';

/** Returns an error when no service answers, or when it refuses the credentials. */
const checkService = async (send: SendRequest, { origin }: ApiAddress): Promise<Result<unknown>> => {
  const user = await apiOf(send)({ method: 'get', path: '/auth/me' });
  if (E.isRight(user)) return user;
  const { code, message } = user.left;
  return code === 'unauthenticated'
    ? E.left(
        failure(
          'unauthenticated',
          `Spate at ${origin} refuses the credentials. Set ${API_USER_VARIABLE} and ${API_PASSWORD_VARIABLE}.`,
        ),
      )
    : E.left(failure(code === 'forbidden' ? 'forbidden' : 'unavailable', message));
};

/** Resolves to the exit code of `spate mcp`. */
export const runMcp = async (
  { options: values }: Given<typeof mcpOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const address = await addressOf(values, io);
  if (E.isLeft(address)) return reportError(io, address.left);
  const send = sendTo(address.right);
  const checked = await checkService(send, address.right);
  if (E.isLeft(checked)) return reportError(io, checked.left);
  if (io.stdin.isTerminal)
    io.stderr.write(
      `spate: MCP server for ${address.right.origin}. It expects messages on standard input; Ctrl-C ends it.\n`,
    );
  const over = new AbortController();
  const signals = stopOnSignal(io, () => over.abort());
  await serveStdioUntilClosed(
    {
      version: services.version,
      send,
      checkConfig: (text) => checkGeneratorText(text, 'config', installed().shapes.generator),
      allowsChanges: values['allow-changes'] === true,
      howToAllow: `Start ${io.program} mcp with --allow-changes.`,
    },
    over.signal,
    ({ message }) => io.stderr.write(`spate: ${message}\n`),
  );
  signals.release();
  const signal = signals.received();
  return signal === null ? EXIT.ok : exitCodeOf(signal);
};
