/**
 * The formatter `json` alone on pretty-printed events that no template made, against JSON.parse alone on the same texts.
 * Both run in this process.
 */
import { join } from 'node:path';
import { DIST } from '../lib/spate.mjs';

const EVENTS = 2_000;
const ROUNDS = 50;

export const limits = 'The scan of each byte, and copying the result.';

/** A record of about 2.7 KB when printed with an indent of 2. */
const eventOf = (index) =>
  JSON.stringify(
    {
      '@timestamp': new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
      event: {
        kind: 'event',
        category: ['network', 'session'],
        outcome: index % 7 === 0 ? 'failure' : 'success',
      },
      flows: Array.from({ length: 8 }, (_, flow) => ({
        source: { address: `192.0.2.${(index + flow) % 256}`, port: 1_024 + index, bytes: index * 17.25 },
        network: { community_id: `1:${(index * 7_919 + flow).toString(36)}=`, is_encrypted: flow % 2 === 0 },
        message: `Flow "${flow}" of host-${index % 97} ended after a while, caf\u00e9 ${index}`,
        rules: [null, -1.5e-7, 42],
      })),
    },
    null,
    2,
  );

export const pairs = async ({ folder, scale }) => {
  const [{ jsonPlugin }, { textBatch, bytesBatch }] = await Promise.all(
    ['plugins/formatters/json/plugin.js', 'domain/events/eventBatch.js'].map(
      (file) => import(join(DIST, file)),
    ),
  );
  const { right: formatter } = await jsonPlugin.build({ indent: 0 }, {});
  const texts = Array.from({ length: EVENTS }, (_, index) => eventOf(index));
  const encoded = Buffer.from(texts.map((text) => `${text}\0`).join(''));
  const rounds = Math.ceil(ROUNDS * scale);
  const side = (work) => ({
    run: async () => {
      const [begin, cpu] = [performance.now(), process.cpuUsage()];
      for (let round = 0; round < rounds; round++) work();
      const { user, system } = process.cpuUsage(cpu);
      return {
        events: rounds * EVENTS,
        seconds: (performance.now() - begin) / 1_000,
        cpu_seconds: (user + system) / 1e6,
      };
    },
  });
  // Each batch is new: a batch converts only once.
  const format = (batch) => formatter.format(batch).batch.bytes('\n');
  return {
    folder,
    sides: {
      spate: side(() => format(textBatch(texts))),
      'JSON.parse': side(() => {
        for (const text of texts) JSON.parse(text);
      }),
    },
    bars: { 'JSON.parse': 0.6 },
    verify: () => {
      const lines = texts.map((text) => JSON.stringify(JSON.parse(text)));
      const wrong = [textBatch(texts), bytesBatch(encoded, EVENTS, '\0')].filter((batch) => {
        const made = formatter.format(batch).batch.texts();
        return (
          made.length !== EVENTS || made.some((line, at) => JSON.stringify(JSON.parse(line)) !== lines[at])
        );
      });
      return wrong.length === 0 ? [] : ['the formatter changes what the events say'];
    },
  };
};
