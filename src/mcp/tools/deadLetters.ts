import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { defaulted, integer, optional, record, required } from '../../schema/index.js';
import { apiPath } from '../api.js';
import { asks, name, type Tool, tool } from '../tool.js';

const id = required(name, { help: 'Id of the generator.', example: 'clicks' });
const output = optional(name, {
  help: 'Only this output, as list_dead_letters shows it (default: all).',
  example: '1-http',
});

export const deadLetterTools: readonly Tool[] = [
  tool({
    name: 'list_dead_letters',
    title: 'List dead letters',
    description:
      'Counts the events that outputs of a generator could not deliver, with age and the most frequent reasons per output.',
    effect: 'reads',
    input: record({ id }),
    run: asks('outputs', ({ id: given }) => ({
      method: 'get',
      path: apiPath`/generators/${given}/dead-letters`,
    })),
  }),
  tool({
    name: 'read_dead_letters',
    title: 'Read dead letters',
    description:
      'Returns dead letters of one output, oldest first: the event, the code and the reason of its failure. next_offset is null at the end.',
    effect: 'reads',
    input: record({
      id,
      output: required(name, { help: 'Output, as list_dead_letters shows it.', example: '1-http' }),
      offset: defaulted(integer({ min: 0, max: 1_000_000_000 }), 0, { help: 'Older letters to skip.' }),
      limit: defaulted(integer({ min: 1, max: 500 }), 20, { help: 'Maximum letters.' }),
    }),
    run: async ({ id: given, output: box, ...query }, { api }) =>
      E.map((page: Json) => (isJsonObject(page) ? page : {}))(
        await api({ method: 'get', path: apiPath`/generators/${given}/dead-letters/${box}`, query }),
      ),
  }),
  tool({
    name: 'resend_dead_letters',
    formerName: 'replay_dead_letters',
    title: 'Send dead letters again',
    description:
      'Sends dead letters through formatter and output of the current config. Delivered letters are removed; refused ones stay with the new ' +
      'reason. Call again until is_done. Letters of a write that timed out may arrive twice.',
    effect: 'changes',
    input: record({
      id,
      output,
      limit: defaulted(integer({ min: 1, max: 1_000_000 }), 100_000, { help: 'Maximum letters to try.' }),
    }),
    run: asks('outputs', ({ id: given, ...query }) => ({
      method: 'post',
      path: apiPath`/generators/${given}/resend-dead-letters`,
      query,
    })),
  }),
  tool({
    name: 'purge_dead_letters',
    title: 'Remove dead letters',
    description: 'Removes dead letters permanently. They cannot be restored. Read them first.',
    effect: 'removes',
    input: record({ id, output }),
    run: asks('outputs', ({ id: given, ...query }) => ({
      method: 'delete',
      path: apiPath`/generators/${given}/dead-letters`,
      query,
    })),
  }),
];
