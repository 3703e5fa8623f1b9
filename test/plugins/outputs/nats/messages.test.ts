import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { contentIds, freshIds, natsMessageMaker } from '../../../../src/plugins/outputs/nats/messages.js';
import { acknowledgementError } from '../../../../src/plugins/outputs/nats/natsErrors.js';
import { payloadsOf } from '../../../../src/plugins/outputs/shared/batchBytes.js';
import { paramsOf } from './support.js';

const makerOf = (more: JsonObject) =>
  natsMessageMaker(paramsOf({ servers: ['h'], subject: 'e', ...more }), 'web shop', 'RUN');

const envelope = (more: JsonObject, event: string) => {
  const made = makerOf(more).envelopeOf(() => event);
  if (E.isLeft(made)) return made.left;
  const { subject, headers } = made.right;
  return {
    subject,
    headers: Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.get(name)])),
  };
};

describe('a message of nats', () => {
  test.each<[JsonObject, string, unknown]>([
    [{}, 'x', { subject: 'e', headers: {} }],
    [{ jetstream: true }, 'x', { subject: 'e', headers: { 'Nats-Msg-Id': 'RUN-0' } }],
    [{ jetstream: true, msg_id: 'none' }, 'x', { subject: 'e', headers: {} }],
    [
      { jetstream: true, msg_id: '{/id}-{/n}' },
      '{"id":"a","n":1}',
      { subject: 'e', headers: { 'Nats-Msg-Id': 'a-1' } },
    ],
    [
      { subject: '{generator}.{/host}', headers: { from: '{generator}', host: '{/host}' } },
      '{"host":"a.b *>"}',
      { subject: 'web_shop.a_b___', headers: { from: 'web shop', host: 'a.b *>' } },
    ],
    [
      { headers: { level: '{/level}', at: '{/host}:{/level}', host: '{/host}' } },
      '{"host":"a"}',
      { subject: 'e', headers: { host: 'a' } },
    ],
    [{ jetstream: true, msg_id: '{/id}' }, '{}', 'the event has no text, number or boolean at /id'],
    [{ subject: 'a.{/host}' }, '{}', 'the event has no text, number or boolean at /host'],
  ])('%j of %s', (params, event, expected) => {
    expect(envelope(params, event)).toEqual(expected);
  });

  test('payloads are the bytes of each event, also with line ends in it', () => {
    const events = ['a', '', 'té\nx', '{"a":1}'];
    const payloadOf = payloadsOf(textBatch(events));
    expect(events.map((_, item) => Buffer.from(payloadOf(item)).toString('utf8'))).toEqual(events);
  });
});

describe('ids of messages', () => {
  test('fresh ids differ, also of equal events; an event in doubt gets its id again, once', () => {
    const { idOf, keep } = freshIds('p');
    const [a, b] = [idOf(() => 'x'), idOf(() => 'x')];
    expect(a).not.toBe(b);
    keep('x', a);
    keep('x', b);
    expect(idOf(() => 'y')).toBe('p-2');
    expect([idOf(() => 'x'), idOf(() => 'x'), idOf(() => 'x')]).toEqual([a, b, 'p-3']);
  });

  test('events in doubt have a limit: the oldest are forgotten', () => {
    const { idOf, keep } = freshIds('p');
    for (let n = 0; n <= 100_000; n++) keep(`${n}`, `kept-${n}`);
    expect([idOf(() => '0'), idOf(() => '1'), idOf(() => '100000')]).toEqual([
      'p-0',
      'kept-1',
      'kept-100000',
    ]);
    const large = 'x'.repeat(65 * 1024 * 1024);
    keep(large, 'large');
    expect(idOf(() => large)).toBe('p-1');
  });

  test('an id of content is equal for equal events only', () => {
    expect(contentIds.idOf(() => 'a')).toBe(contentIds.idOf(() => 'a'));
    expect(contentIds.idOf(() => 'a')).not.toBe(contentIds.idOf(() => 'b'));
  });
});

describe('an acknowledgement', () => {
  const error = (code: number, err_code: number) =>
    `{"error":{"code":${code},"err_code":${err_code},"description":"why"}}`;

  test.each<[string, number, unknown]>([
    ['{"stream":"S", "seq":1}', 0, null],
    ['{"seq":1,"stream":"S","duplicate":true}', 0, null],
    ['', 503, { isRetryable: true, what: expect.stringContaining('no stream') }],
    [error(503, 10_008), 0, { isRetryable: true, code: 10_008, what: 'why' }],
    [error(400, 10_077), 0, { isRetryable: true }],
    [error(429, 1), 0, { isRetryable: true }],
    [error(400, 10_054), 0, { isRetryable: false, code: 10_054 }],
    ['pong', 0, { isRetryable: false, what: expect.stringContaining('not from JetStream') }],
    ['null', 0, { isRetryable: false }],
  ])('%s with status %d', (data, status, expected) => {
    const answer = acknowledgementError(Buffer.from(data), status);
    if (expected === null) expect(answer).toBeNull();
    else expect(answer).toMatchObject(expected as object);
  });
});
