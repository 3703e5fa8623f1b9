import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { lokiPlugin } from '../../../../src/plugins/outputs/loki/plugin.js';
import { decode, maskSecrets, readBack } from '../../../../src/schema/index.js';
import { type LogPeer, startLogPeer } from '../../../support/servers/logPeers/logPeer.js';
import { scriptedHttp } from '../../../support/servers/scriptedHttp.js';
import { never, newFolder, outputContext, removeFolders } from '../support.js';
import { lokiParams } from './support.js';

/* The server is a fake of our own (test/support/servers/logPeers/loki.mjs): Loki cannot run here. */

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  removeFolders();
});

const started = async (state: JsonObject = {}): Promise<LogPeer> => {
  const peer = await startLogPeer('loki', newFolder(), state);
  closers.push(peer.kill);
  return peer;
};

const tryOpen = async (params: JsonObject) => {
  const result = await lokiPlugin.open(lokiParams(params), { ...outputContext('/').context, zone: utc });
  if (E.isRight(result)) closers.push(result.right.close);
  return result;
};

const open = async (params: JsonObject) => {
  const result = await tryOpen(params);
  if (E.isLeft(result)) throw new Error(result.left.message);
  return result.right;
};

describe('a batch', () => {
  test.each(['none', 'gzip'])('with compression %s arrives, for its tenant', async (compression) => {
    const peer = await started({ tenant: 'lab' });
    const output = await open({ url: peer.url, compression, tenant_id: 'lab' });
    const events = Array.from({ length: 1_000 }, (_, n) => `${n} – é\u{1f600}`);
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: { written: 1_000, failed: 0 },
    });
    expect(peer.arrived()).toEqual(events);
  });

  test('that is sent again keeps its timestamps, so nothing doubles; equal events are two entries', async () => {
    const peer = await started();
    const output = await open({ url: peer.url });
    const batch = textBatch(['same', 'same', 'other']);
    await output.write(batch, never);
    expect(await output.write(batch, never)).toMatchObject({ right: { written: 3 } });
    await output.write(textBatch(['same']), never);
    expect(peer.arrived()).toEqual(['same', 'same', 'other', 'same']);
  });

  test('with entries that Loki rejects writes the others and names the positions', async () => {
    const peer = await started({ bad: 'bad' });
    const output = await open({ url: peer.url });
    const events = Array.from({ length: 100 }, (_, n) => (n === 17 || n === 80 ? `bad ${n}` : `good ${n}`));
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: {
        written: 98,
        failed: 0,
        missed: [
          { items: [17], reason: { code: 'rejected', message: expect.stringContaining('too far behind') } },
          { items: [80], reason: { code: 'rejected' } },
        ],
      },
    });
    expect(peer.arrived()).toEqual(events.filter((event) => event.startsWith('good')));
  });

  test('that is too old as a whole is rejected with one request', async () => {
    const peer = await started({ oldest: '1700000000000000000' });
    const output = await open({ url: peer.url, time: '{/t}' });
    const before = await peer.requests();
    expect(await output.write(textBatch(['{"t":1}', '{"t":2}']), never)).toMatchObject({
      left: { code: 'rejected', message: expect.stringContaining('total ignored: 2 out of 2') },
    });
    expect(await peer.requests()).toBe(before + 1);
  });

  test('with more streams than allowed, or without labels, is rejected in part', async () => {
    const peer = await started();
    const output = await open({ url: peer.url, labels: { l: '{/l}' }, max_streams: 1 });
    const events = ['{"l":1}', '{"l":2}', 'x'];
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: {
        written: 1,
        missed: [
          { items: [2], reason: { code: 'unroutable', message: expect.stringContaining('no label') } },
          { items: [1], reason: { code: 'unroutable', message: expect.stringContaining('max_streams (1)') } },
        ],
      },
    });
    expect(await output.write(textBatch(['x']), never)).toMatchObject({ left: { code: 'unroutable' } });
    expect(peer.arrived()).toEqual(['{"l":1}']);
  });

  test.each([
    [401, 'no org id', 'rejected', /Set `tenant_id`/],
    [403, 'forbidden', 'rejected', /rights/],
    [413, 'too large', 'rejected', /batch\.size/],
    [429, 'Ingestion rate limit exceeded', 'output_failed', /overloaded/],
    [500, 'no space left on device', 'output_failed', /no space/],
    [503, 'not ready', 'output_failed', /not ready/],
  ])('with the reply %i %s is %s', async (status, message, code, words) => {
    const peer = await started();
    const output = await open({ url: peer.url });
    await peer.control({ refuse: { status, message } });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({
      left: { code, message: expect.stringMatching(words) },
    });
  });
});

test('timestamps ascend over batches, also when the clock stands still', async () => {
  const stamps: string[] = [];
  const server = await scriptedHttp((request, response) => {
    const { streams } = JSON.parse(request.body) as { streams: readonly { values: readonly string[][] }[] };
    stamps.push(...streams.flatMap(({ values }) => values.map(([nanos]) => String(nanos))));
    response.writeHead(204);
    response.end();
  });
  closers.push(server.close);
  const { context } = outputContext('/');
  const clock = { ...context.clock, now: () => 1_700_000_000_000_000 };
  const result = await lokiPlugin.open(lokiParams({ url: server.url }), { ...context, clock, zone: utc });
  if (E.isLeft(result)) throw new Error(result.left.message);
  closers.push(result.right.close);
  await result.right.write(textBatch(['a', 'b']), never);
  await result.right.write(textBatch(['c']), never);
  expect(stamps).toEqual(['1700000000000000000', '1700000000000000001', '1700000000000000002']);
});

test.each([
  [{ tenant: 'lab' }, /no org id.*Set `tenant_id`/],
  [{ always: { status: 404, body: 'no' } }, /HTTP status 404/],
  [{ always: { status: 503, body: 'Ingester not ready' } }, /not ready/],
  [
    {
      always: { status: 400, body: '<html><title>400 The plain HTTP request was sent to HTTPS port</title>' },
    },
    /plain HTTP/,
  ],
])('opening fails with %j', async (state, message) => {
  const peer = await started(state);
  expect(await tryOpen({ url: peer.url })).toMatchObject({
    left: { code: 'output_failed', message: expect.stringMatching(message) },
  });
});

describe('the declaration', () => {
  const issuesOf = (params: object) => {
    const decoded = decode(outputShape, { loki: { url: 'http://l:3100', ...params } });
    return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
  };
  test.each([
    [{ url: 'l:3100' }, 'url bad_format'],
    [{ labels: {} }, 'labels too_short'],
    [{ labels: { 'a-b': 'x' } }, 'labels bad_format'],
    [{ labels: { __a: 'x' } }, 'labels bad_format'],
    [{ labels: { a: null } }, 'labels.a wrong_type'],
    [{ max_streams: 0 }, 'max_streams out_of_range'],
    [{ structured_metadata: { a: '{x}' } }, 'structured_metadata.a bad_format'],
    [{ labels: { a: { pointer: '/x' } } }, 'labels.a wrong_type'],
    [{ time: '/t' }, 'time bad_format'],
    [{ time: 't' }, 'time bad_format'],
    [{ tenant_id: 'a b' }, 'tenant_id bad_format'],
    [{ username: 'u', bearer_token: 't' }, 'bearer_token not_allowed'],
  ])('%j is refused at its place', (wrong, issue) => {
    expect(issuesOf(wrong)).toEqual([`loki.${issue}`]);
  });
  test('hides credentials where a config is shown', () => {
    const secret = { username: 'u', password: 'hush-hush', headers: { 'X-Key': 'hush-hush' } };
    const shown = maskSecrets(outputShape, readBack(outputShape, { loki: { url: 'http://l', ...secret } }));
    expect(JSON.stringify(shown)).not.toContain('hush');
  });
});
