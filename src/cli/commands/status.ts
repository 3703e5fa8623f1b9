import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../domain/errors.js';
import type { GeneratorListItem } from '../../messages/generators.js';
import { type Command, type CommandContext, type Given, NO_POSITIONALS } from '../arguments/command.js';
import { flagOption, textOption } from '../arguments/option.js';
import { reportError } from '../report.js';
import { EXIT } from '../terminal/io.js';
import { alignedLines } from '../terminal/text.js';
import { API_PASSWORD_VARIABLE, API_USER_VARIABLE } from './limits.js';
import { urlOption } from './mcp/mcp.js';

const statusOptions = {
  config: textOption('FILE', { short: 'c', help: 'Settings of the service: its address and user.' }),
  url: urlOption,
  json: flagOption({ help: 'Print the generators as JSON, as GET /api/generators/ does.' }),
};

const HEAD = ['GENERATOR', 'HEALTH', 'PHASE', 'REASON'];

/** The worst first, then by id. */
const RANKS = ['failing', 'degraded', 'ok', 'idle'];

const textOf = (items: readonly GeneratorListItem[]): string => {
  if (items.length === 0) return 'no generators\n';
  const sorted = [...items].sort(
    (a, b) =>
      RANKS.indexOf(a.status.health) - RANKS.indexOf(b.status.health) || a.id.localeCompare(b.id, 'en'),
  );
  const rows = sorted.map(({ id, status }) => {
    const said = [status.health_reason, status.remedy].filter((text) => text !== null);
    return [id, status.health, status.phase, said.join('. ').replaceAll(/\s*\n\s*/g, ' ')];
  });
  return `${alignedLines([HEAD, ...rows]).join('\n')}\n`;
};

const run = async ({ options }: Given<typeof statusOptions>, { io }: CommandContext): Promise<number> => {
  // Lazy: they load what settings and TLS need.
  const { addressOf, sendTo } = await import('./mcp/address.js');
  const { apiOf } = await import('../../mcp/api.js');
  const address = await addressOf(options, io);
  if (E.isLeft(address)) return reportError(io, address.left);
  const answer = await apiOf(sendTo(address.right))({ method: 'get', path: '/generators/' });
  if (E.isLeft(answer)) return reportError(io, failure('unavailable', answer.left.message));
  const items = answer.right as unknown as readonly GeneratorListItem[];
  io.stdout.write(options.json === true ? `${JSON.stringify(items, null, 2)}\n` : textOf(items));
  return items.some(({ status }) => status.health === 'failing') ? EXIT.failed : EXIT.ok;
};

export const status: Command<typeof statusOptions> = {
  name: 'status',
  summary: 'Shows the health of the generators of a running service, the worst first.',
  positionals: NO_POSITIONALS,
  options: statusOptions,
  notes: [
    'Health is ok, degraded, failing or idle, with one sentence and what to do. It follows from the counters of the last seconds.',
    `Credentials: $${API_USER_VARIABLE} and $${API_PASSWORD_VARIABLE}, else user and plain password of --config.`,
    'Exit codes: 0 no generator is failing; 1 one is, or no service answers; 2 wrong usage.',
  ],
  examples: [
    { title: 'Look at the service on this machine', line: 'spate status' },
    { title: 'Look at the service of a settings file', line: 'spate status -c settings/spate.yml' },
  ],
  run,
};
