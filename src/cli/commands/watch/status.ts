import * as E from 'fp-ts/lib/Either.js';
import type { GeneratorListItem } from '../../../messages/generators.js';
import { type Command, NO_POSITIONALS } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { alignedLines } from '../../terminal/text.js';
import { CREDENTIALS_NOTE, generatorsOf, SERVICE_OPTIONS, watchedService } from './service.js';

const statusOptions = {
  ...SERVICE_OPTIONS,
  json: flagOption({ help: 'Print the generators as JSON, as GET /api/generators/ does.' }),
};

const HEAD = ['GENERATOR', 'HEALTH', 'PHASE', 'REASON'];

/** The worst first, then by id. */
const RANKS = ['failing', 'degraded', 'ok', 'idle'];

/** What the service says about the health of a generator, and what to do. */
export const saidOf = ({ status }: GeneratorListItem): string =>
  [status.health_reason, status.remedy]
    .filter((text) => text !== null)
    .join('. ')
    .replaceAll(/\s*\n\s*/g, ' ');

const textOf = (items: readonly GeneratorListItem[]): string => {
  if (items.length === 0) return 'no generators\n';
  const sorted = [...items].sort(
    (a, b) =>
      RANKS.indexOf(a.status.health) - RANKS.indexOf(b.status.health) || a.id.localeCompare(b.id, 'en'),
  );
  const rows = sorted.map((item) => [item.id, item.status.health, item.status.phase, saidOf(item)]);
  return `${alignedLines([HEAD, ...rows]).join('\n')}\n`;
};

export const status: Command<typeof statusOptions> = {
  name: 'status',
  summary: 'Shows the health of the generators of a running service, the worst first.',
  positionals: NO_POSITIONALS,
  options: statusOptions,
  notes: [
    'Health is ok, degraded, failing or idle, with one sentence and what to do. It follows from the counters of the last seconds.',
    CREDENTIALS_NOTE,
    'Exit codes: 0 no generator is failing; 1 one is, or no service answers; 2 wrong usage.',
  ],
  examples: [
    { title: 'Look at the service on this machine', line: 'spate status' },
    { title: 'Look at the service of a settings file', line: 'spate status -c settings/spate.yml' },
  ],
  run: async ({ options }, { io }) => {
    const service = await watchedService(options, io);
    if (E.isLeft(service)) return reportError(io, service.left);
    const items = await generatorsOf(service.right);
    if (E.isLeft(items)) return reportError(io, items.left);
    io.stdout.write(
      options.json === true ? `${JSON.stringify(items.right, null, 2)}\n` : textOf(items.right),
    );
    return items.right.some((item) => item.status.health === 'failing') ? EXIT.failed : EXIT.ok;
  },
};
