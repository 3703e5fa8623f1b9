import * as E from 'fp-ts/lib/Either.js';
import { callApi } from '../../../adapters/apiClient.js';
import { failure, type Result } from '../../../domain/errors.js';
import { DEFAULT_TAIL_RATE, MAX_TAIL_BYTES, MAX_TAIL_RATE, MAX_TAILED } from '../../../domain/events/tail.js';
import { onOneLine } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import type { Command, CommandContext } from '../../arguments/command.js';
import { integerOption, textOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT, stopOnSignal } from '../../terminal/io.js';
import {
  CREDENTIALS_NOTE,
  generatorsOf,
  SERVICE_OPTIONS,
  type WatchedService,
  watchedService,
} from './service.js';

const MAX_LIMIT = 1_000_000_000;

const tailOptions = {
  ...SERVICE_OPTIONS,
  rate: integerOption(
    'N',
    { help: `At most N events a second of each generator (default ${DEFAULT_TAIL_RATE}).` },
    { min: 1, max: MAX_TAIL_RATE },
  ),
  find: textOption('SEARCH', {
    help: 'Only events that this search finds, such as \'status:>=500 -"/health"\'. Looks at all events; `--rate` limits those that match.',
  }),
  limit: integerOption('N', { short: 'n', help: 'End after N events.' }, { min: 1, max: MAX_LIMIT }),
};

/** One message of a stream of server-sent events, whose data is JSON. */
interface Message {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Messages of a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), as the
 * service writes them: lines end with \n, and each message has one line of data.
 */
async function* messagesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined)
        yield { event, data: JSON.parse(data) as Message['data'] };
    }
  }
}

/** Names the first id that the service does not know. */
const checkIds = async (service: WatchedService, ids: readonly string[]): Promise<Result<null>> => {
  const items = await generatorsOf(service);
  if (E.isLeft(items)) return items;
  const missing = ids.find((id) => !items.right.some((item) => item.id === id));
  if (missing === undefined) return E.right(null);
  const known = items.right.map(({ id }) => id).sort();
  const some =
    known.length === 0
      ? 'It has none.'
      : `It has ${known.slice(0, 10).join(', ')}${known.length > 10 ? ', …' : ''}.`;
  return E.left(failure('not_found', `The service has no generator "${missing}". ${some}`));
};

interface Followed {
  readonly ids: readonly string[];
  readonly rate: number;
  /** Empty: all events. */
  readonly find: string;
  readonly limit: number;
}

/** Prints messages until the limit, a signal, or the end of the stream. Resolves to the exit code. */
const follow = async (
  { address }: WatchedService,
  { ids, rate, find, limit }: Followed,
  { io }: CommandContext,
): Promise<number> => {
  const query = [
    ...ids.map((id) => `id=${encodeURIComponent(id)}`),
    `rate=${rate}`,
    `max_bytes=${MAX_TAIL_BYTES}`,
    ...(find === '' ? [] : [`find=${encodeURIComponent(find)}`]),
  ];
  const target = `/api/tails?${query.join('&')}`;
  let left = limit;
  const print = ({ event, data }: Message): void => {
    const id = String(data['id']);
    if (event === 'event') {
      left--;
      io.stdout.write(`${ids.length > 1 ? `${id}: ` : ''}${onOneLine(String(data['text']))}\n`);
      if (data['is_cut'] === true)
        io.stderr.write(`spate: the event above was cut at ${MAX_TAIL_BYTES} bytes.\n`);
    } else if (event === 'state') {
      const reason = typeof data['reason'] === 'string' ? `: ${data['reason']}` : '';
      io.stderr.write(`spate: ${id} is ${String(data['phase'])}${reason}\n`);
    } else if (event === 'missed') {
      io.stderr.write(
        `spate: ${plural(Number(data['count']), 'event')} missed, because this side is too slow\n`,
      );
    } else if (event === 'moved') {
      io.stderr.write(`spate: ${id} is on node ${String(data['node'])}\n`);
    }
  };
  const call = { method: 'GET', target, contentType: '', body: null };
  const ended = await callApi(address, call, async (answer, chunks) => {
    if (answer.statusCode !== 200) return `The service answered with status ${answer.statusCode}.`;
    const signals = stopOnSignal(io, () => answer.destroy());
    try {
      for await (const message of messagesIn(chunks)) {
        print(message);
        if (left === 0) return null;
      }
    } catch (thrown) {
      if (signals.received() === null) throw thrown;
    } finally {
      signals.release();
    }
    return signals.received() === null ? 'The service ended the stream.' : null;
  });
  if (E.isLeft(ended)) return reportError(io, ended.left);
  return ended.right === null ? EXIT.ok : reportError(io, failure('unavailable', ended.right));
};

export const tail: Command<typeof tailOptions> = {
  name: 'tail',
  summary: 'Prints a sample of the events of generators of a running service, as they are made.',
  positionals: { usage: 'ID...', min: 1, max: MAX_TAILED },
  options: tailOptions,
  notes: [
    'Events are printed before formatting, JSON on one line, with the id in front if there are several generators. Their states go to standard error.',
    'The stream stays open when a generator ends, and goes on at its next start. Ctrl-C ends it.',
    'SEARCH has terms that must all match, whatever the case: a word or "quoted text"; `field:value` with `*` for any text, where the last keys of a nested field are enough; `field:>=500`, also with >, < and <=; `-` before a term excludes.',
    CREDENTIALS_NOTE,
    'Exit codes: 0 ended by --limit or Ctrl-C; 1 no service answers, a generator is unknown, or the service ended the stream; 2 wrong usage.',
  ],
  examples: [
    { title: 'See what a generator makes now', line: 'spate tail shop-orders' },
    { title: 'Wait for one that is rare', line: "spate tail web --find 'status:>=500' -n 1" },
    { title: 'A hundred events for another program', line: 'spate tail shop-orders --rate 1000 -n 100' },
  ],
  run: async ({ positionals: ids, options }, context) => {
    const { io } = context;
    const service = await watchedService(options, io);
    if (E.isLeft(service)) return reportError(io, service.left);
    const known = await checkIds(service.right, ids);
    if (E.isLeft(known)) return reportError(io, known.left);
    const { rate = DEFAULT_TAIL_RATE, find = '', limit = Number.POSITIVE_INFINITY } = options;
    return follow(service.right, { ids, rate, find, limit }, context);
  },
};
