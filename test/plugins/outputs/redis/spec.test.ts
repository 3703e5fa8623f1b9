import { describe, expect, test } from '@jest/globals';
import { ErrorReply } from '@redis/client';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { commandMaker } from '../../../../src/plugins/outputs/redis/commands.js';
import { redisError } from '../../../../src/plugins/outputs/redis/session.js';
import { decode, maskSecrets, readBack } from '../../../../src/schema/index.js';

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { redis: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.slice(1).join('.')} ${type}`) : [];
};

describe('the declaration of redis', () => {
  test.each<[JsonObject, readonly string[]]>([
    [{ host: 'h', key: 'k' }, []],
    [{ host: '::1', key: '{{tag}}:{/a/b}:{generator}', mode: 'list', push: 'left' }, []],
    [{ host: 'h', key: 'k', password: 'p' }, []],
    [{ key: 'k' }, ['host missing']],
    [{ host: 'h' }, ['key missing']],
    [{ host: 'h:6379', key: 'k' }, ['host bad_format']],
    [{ host: 'h', key: 'k{/a~2}' }, ['key bad_format']],
    [{ host: 'h', key: '{tag}' }, ['key bad_format']],
    [{ host: 'h', key: 'k', mode: 'queue' }, ['mode not_allowed']],
    [{ host: 'h', key: 'k', mode: 'list', max_length: 5 }, ['max_length not_allowed']],
    [{ host: 'h', key: 'k', username: 'u' }, ['password missing']],
    [{ host: 'h', key: 'k', database: -1 }, ['database out_of_range']],
  ])('%j: %j', (params, issues) => {
    expect(issuesOf(params)).toEqual(issues);
  });

  test('the password is masked', () => {
    const shown = readBack(outputShape, { redis: { host: 'h', key: 'k', password: 'hush' } });
    expect(JSON.stringify(maskSecrets(outputShape, shown))).not.toContain('hush');
  });
});

describe('commands', () => {
  const base = { field: 'event', max_length: null, push: 'right' } as const;

  test('a stream gets one per event', () => {
    const make = commandMaker({ ...base, mode: 'stream', keyOf: () => 's', max_length: 9 });
    expect(make(['a', 'b'])).toEqual({
      commands: [
        { args: ['XADD', 's', 'MAXLEN', '~', '9', '*', 'event', 'a'], items: [0] },
        { args: ['XADD', 's', 'MAXLEN', '~', '9', '*', 'event', 'b'], items: [1] },
      ],
      unfit: [],
    });
  });

  test('a list gets one per key and 500 events', () => {
    const make = commandMaker({
      ...base,
      mode: 'list',
      keyOf: (event) => (event === '7' ? null : event.slice(-1)),
    });
    const { commands, unfit } = make(Array.from({ length: 10_010 }, (_, n) => String(n)));
    expect(unfit).toEqual([7]);
    expect(commands).toHaveLength(29);
    for (const { args, items } of commands) {
      expect(items.length).toBeLessThanOrEqual(500);
      expect(args).toEqual(['RPUSH', args[1], ...items.map(String)]);
      expect([...items].sort((a, b) => a - b)).toEqual(items);
    }
    expect(commands.flatMap(({ items }) => items)).toHaveLength(10_009);
  });
});

describe('error replies', () => {
  test.each([
    ['OOM command not allowed', 'retry'],
    ['LOADING Redis is loading', 'retry'],
    ['BUSY Redis is busy', 'retry'],
    ['MISCONF Errors writing to the AOF file', 'retry'],
    ['READONLY You can', 'retry, reconnect'],
    ['MASTERDOWN Link', 'retry, reconnect'],
    ['CLUSTERDOWN Hash slot not served', 'retry'],
    ['NOREPLICAS Not enough', 'retry'],
    ['ERR max number of clients reached', 'retry, reconnect'],
    ['WRONGTYPE Operation', 'reject'],
    ['NOPERM this user', 'reject'],
    ['NOAUTH Authentication required.', 'reject'],
    ['WRONGPASS invalid', 'reject'],
    ['MOVED 3999 127.0.0.1:6381', 'reject'],
    ['ERR syntax error', 'reject'],
  ])('%s: %s', (text, meaning) => {
    const { isRetryable, needsReconnect, origin, remedy } = redisError(new ErrorReply(text));
    expect(`${isRetryable ? 'retry' : 'reject'}${needsReconnect ? ', reconnect' : ''}`).toBe(meaning);
    expect(origin).toBe(text.split(' ')[0]);
    expect(remedy).toMatch(/\.$/);
  });

  test('a lost connection is retried on another one', () => {
    expect(redisError(new Error('Socket closed unexpectedly'))).toMatchObject({
      isRetryable: true,
      needsReconnect: true,
    });
  });
});
