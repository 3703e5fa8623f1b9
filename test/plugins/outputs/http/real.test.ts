import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { httpSpec } from '../../../../src/plugins/outputs/http/spec.js';
import { left, right } from '../../../support/either.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { startCollector } from '../../../support/servers/collector.js';
import { hasNginx, NEEDS_NGINX, type NginxProxy, startNginx } from '../../../support/servers/nginxProxy.js';
import type { ProgramServer } from '../../../support/servers/programServer.js';
import { never } from '../support.js';
import { closeAll, openOutput, tryOpen } from './support.js';

const EVENTS = Array.from({ length: 5_000 }, (_, n) => JSON.stringify({ n, text: `té ${n}` }));

const EXAMPLES = httpSpec.examples.map(({ title, params }): readonly [string, JsonObject] => [title, params]);

(hasNginx && hasPrograms('openssl') ? describe : describe.skip)(
  `HTTP through nginx with TLS ${NEEDS_NGINX} ${needs('openssl')}`,
  () => {
    let collector: ProgramServer;
    let certificates: CertificateFolder;
    let nginx: NginxProxy;
    let strict: NginxProxy;

    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      certificates.make('client', { extensions: CLIENT });
      collector = await startCollector();
      const server = {
        target: collector.port,
        certificate: certificates.path('server.pem'),
        key: certificates.path('server.key'),
      };
      nginx = await startNginx(server);
      strict = await startNginx({
        ...server,
        more: `ssl_verify_client on; ssl_client_certificate ${certificates.path('ca.pem')};`,
      });
    });
    beforeEach(() => collector.reset());
    afterEach(closeAll);
    afterAll(async () => {
      await nginx.stop();
      await strict.stop();
      await collector.remove();
      certificates.remove();
    });

    const at = (path = '/'): JsonObject => ({
      url: `https://127.0.0.1:${nginx.port}${path}`,
      ca_cert: certificates.path('ca.pem'),
    });

    test.each(EXAMPLES)(
      'the example "%s" of the README delivers',
      async (_, { formatter, bearer_token, url, ...params }) => {
        const output = await openOutput({
          ...params,
          ...(bearer_token === undefined ? {} : { bearer_token: 'token' }),
          ...at(decodeURIComponent(new URL(String(url)).pathname)),
        });
        const items = formatter === undefined ? [`[${EVENTS.join(',')}]`] : EVENTS;
        expect(right(await output.write(textBatch(items), never)).written).toBe(items.length);
        const text = collector.arrived();
        const arrived =
          formatter === undefined
            ? JSON.parse(text)
            : text
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line));
        expect(arrived).toEqual(EVENTS.map((event) => JSON.parse(event)));
      },
    );

    test('one request for each of many items keeps its connections', async () => {
      const output = await openOutput({ ...at('/items'), concurrency: 4 });
      expect(right(await output.write(textBatch(EVENTS.slice(0, 500)), never)).written).toBe(500);
      expect(collector.arrived()).toHaveLength(EVENTS.slice(0, 500).join('').length);
    });

    test('a certificate of an unknown authority ends the opening', async () => {
      expect(left(await tryOpen({ ...at(), ca_cert: null })).message).toMatch(
        /the authority of the certificate is unknown \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\). Set `ca_cert`/,
      );
      right(await tryOpen({ ...at(), ca_cert: null, verify: false }));
    });

    test('a client certificate is sent', async () => {
      const url = `https://127.0.0.1:${strict.port}/`;
      const output = await openOutput({
        ...{ ...at(), url, batching: 'joined', success_code: 201 },
        ...{ client_cert: certificates.path('client.pem'), client_cert_key: certificates.path('client.key') },
      });
      expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(EVENTS.length);
      const without = await openOutput({ ...at(), url });
      expect(left(await without.write(textBatch(['a']), never))).toMatchObject({
        code: 'rejected',
        message: expect.stringContaining('400 No required SSL certificate was sent (HTTP status 400)'),
      });
    });

    test('a body above its limit and a redirect are rejected with its words', async () => {
      const large = await openOutput({ ...at(), batching: 'joined', max_batch_bytes: 10_000_000 });
      const many = textBatch(Array.from({ length: 20_000 }, () => 'x'.repeat(100)));
      expect(left(await large.write(many, never))).toMatchObject({
        code: 'rejected',
        message: expect.stringContaining(
          '413 Request Entity Too Large (HTTP status 413). Send smaller batches',
        ),
      });
      const moved = await openOutput(at('/moved'));
      expect(left(await moved.write(textBatch(['a']), never)).message).toContain(
        'the server redirects to https://',
      );
    });

    test('requests above its rate come back as items to send again; sent again, all arrive', async () => {
      const output = await openOutput({ ...at('/slow'), concurrency: 1 });
      const waiting = new Set(['a', 'b', 'c']);
      for (let round = 0; waiting.size > 0 && round < 100; round++) {
        const items = [...waiting];
        const result = await output.write(textBatch(items), never);
        if (result._tag === 'Left') {
          expect(result.left.code).toBe('output_failed');
          continue;
        }
        const { written, missed = [] } = result.right;
        for (const { reason } of missed) expect(reason.message).toContain('429 Too Many Requests');
        const missing = new Set(missed.flatMap(({ items: positions }) => positions));
        expect(written + missing.size).toBe(items.length);
        for (const [index, item] of items.entries()) if (!missing.has(index)) waiting.delete(item);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect([...collector.arrived()].sort()).toEqual(['a', 'b', 'c']);
    });
  },
);
