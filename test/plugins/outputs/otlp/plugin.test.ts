import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { otlpPlugin } from '../../../../src/plugins/outputs/otlp/plugin.js';
import { decode, maskSecrets, readBack } from '../../../../src/schema/index.js';
import { type LogPeer, startLogPeer } from '../../../support/servers/logPeers/logPeer.js';
import { scriptedHttp } from '../../../support/servers/scriptedHttp.js';
import { never, newFolder, outputContext, removeFolders } from '../support.js';
import { otlpParams } from './support.js';

/* The collector is a fake of our own (test/support/servers/logPeers/otlp.mjs): none can run here. */

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  removeFolders();
});

const started = async (state: JsonObject = {}): Promise<LogPeer> => {
  const peer = await startLogPeer('otlp', newFolder(), state);
  closers.push(peer.kill);
  return peer;
};

const tryOpen = async (params: JsonObject) => {
  const { context, lines } = outputContext('/');
  const result = await otlpPlugin.open(otlpParams(params), { ...context, zone: utc });
  if (E.isRight(result)) closers.push(result.right.close);
  return { result, lines };
};

const open = async (params: JsonObject) => {
  const { result, lines } = await tryOpen(params);
  if (E.isLeft(result)) throw new Error(result.left.message);
  return { output: result.right, lines };
};

describe.each(['protobuf', 'json'])('a batch in %s', (encoding) => {
  test.each(['none', 'gzip'])('with compression %s arrives', async (compression) => {
    const peer = await started({ token: 'right' });
    const { output } = await open({ url: peer.url, encoding, compression, bearer_token: 'right' });
    const events = Array.from({ length: 1_000 }, (_, n) => `${n} – é\u{1f600}`);
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: { written: 1_000, failed: 0 },
    });
    expect(peer.arrived()).toEqual(events);
  });

  test.each([1, 300])('of which %i records are rejected counts them and logs the message', async (count) => {
    const peer = await started({ bad: 'bad' });
    const { output, lines } = await open({ url: peer.url, encoding });
    const events = [...Array.from({ length: count }, () => 'bad'), 'good'];
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: { written: 1, failed: count },
    });
    expect(lines).toMatchObject([{ level: 'warning', context: { count, reason: 'bad records' } }]);
    expect(peer.arrived()).toEqual(['good']);
  });

  test.each([
    [400, 'rejected'],
    [401, 'rejected'],
    [429, 'output_failed'],
    [500, 'rejected'],
    [502, 'output_failed'],
    [503, 'output_failed'],
    [504, 'output_failed'],
  ])('with the reply %i is %s, with the message of the collector', async (status, code) => {
    const peer = await started();
    const { output } = await open({ url: peer.url, encoding });
    await peer.control({ refuse: { status, message: 'as told' } });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({
      left: { code, message: expect.stringContaining(`as told (HTTP status ${status})`) },
    });
  });
});

test('what is not JSON, and must be, counts as failed and is not sent', async () => {
  const peer = await started();
  const { output, lines } = await open({ url: peer.url, content: 'json' });
  expect(await output.write(textBatch(['"a"', 'b']), never)).toMatchObject({
    right: { written: 1, failed: 1 },
  });
  expect(await output.write(textBatch(['b']), never)).toEqual(E.right({ written: 0, failed: 1, bytes: 0 }));
  expect(lines).toHaveLength(2);
  expect(peer.arrived()).toEqual(['a']);
});

test('a path in the address is kept, headers are sent, secrets in replies are masked', async () => {
  const server = await scriptedHttp((request, response) => {
    response.writeHead(request.body === '' ? 200 : 400);
    response.end(`the key ${String(request.headers['api-key'])} is wrong`);
  });
  closers.push(server.close);
  const { output } = await open({ url: `${server.url}/otlp/logs`, headers: { 'api-key': 'hush-hush' } });
  const written = await output.write(textBatch(['a']), never);
  expect(server.seen.map(({ url, headers }) => [url, headers['api-key'], headers['content-type']])).toEqual(
    Array.from({ length: 2 }, () => ['/otlp/logs', 'hush-hush', 'application/x-protobuf']),
  );
  expect(JSON.stringify(written)).toMatch(/the key \*\*\* is wrong/);
});

test.each([
  [{ token: 'another' }, /wrong token \(HTTP status 401\)/],
  [{ always: { status: 404, body: 'no' } }, /HTTP status 404/],
])('opening fails with %j', async (state, message) => {
  const peer = await started(state);
  expect((await tryOpen({ url: peer.url })).result).toMatchObject({
    left: { code: 'output_failed', message: expect.stringMatching(message) },
  });
});

describe('the declaration', () => {
  const issuesOf = (params: object) => {
    const decoded = decode(outputShape, { otlp: { url: 'http://c:4318', ...params } });
    return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
  };
  test.each([
    [{ url: 'c:4318' }, 'url bad_format'],
    [{ encoding: 'grpc' }, 'encoding not_allowed'],
    [{ resource: { a: { pointer: '/x' } } }, 'resource.a wrong_type'],
    [{ resource: { a: '{/x}' } }, 'resource.a bad_format'],
    [{ body: 'constant' }, 'body bad_format'],
    [{ attributes: { a: '{x}' } }, 'attributes.a bad_format'],
    [{ severity: [] }, 'severity wrong_type'],
    [{ trace_id: 'trace' }, 'trace_id bad_format'],
    [{ password: 'p' }, 'username missing'],
    [{ compression: 'zstd' }, 'compression not_allowed'],
  ])('%j is refused at its place', (wrong, issue) => {
    expect(issuesOf(wrong)).toEqual([`otlp.${issue}`]);
  });
  test('hides credentials and header values where a config is shown', () => {
    const secret = { headers: { 'api-key': 'hush-hush' }, bearer_token: 'hush-hush' };
    const shown = maskSecrets(outputShape, readBack(outputShape, { otlp: { url: 'http://c', ...secret } }));
    expect(JSON.stringify(shown)).not.toContain('hush');
  });
});
