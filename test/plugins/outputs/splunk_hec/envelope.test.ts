import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { utc } from '../../../../src/domain/time/zone.js';
import {
  type EnvelopeOptions,
  envelopeMaker,
  hecTime,
} from '../../../../src/plugins/outputs/splunk_hec/envelope.js';
import { codePoint } from '../../../support/codePoint.js';

const NOW = 1_700_000_000_123_456_000n;
const NONE: EnvelopeOptions = {
  content: 'auto',
  fields: {},
  time: null,
  zone: utc,
  host: null,
  source: null,
  sourcetype: null,
  index: null,
  generator: 'web',
};

const encode = (events: readonly string[], options: Partial<EnvelopeOptions> = {}) => {
  const { body, ...rest } = envelopeMaker({ ...NONE, ...options })(textBatch(events), NOW);
  const lines = body.length === 0 ? [] : String(body).split('\n');
  return { ...rest, objects: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('an envelope', () => {
  test('holds a text as text and an object as JSON, with the time of delivery', () => {
    expect(encode(['a "b"', '{"a": 1}', '[1]', '7']).objects).toEqual([
      { time: 1_700_000_000.123456, event: 'a "b"' },
      { time: 1_700_000_000.123456, event: { a: 1 } },
      { time: 1_700_000_000.123456, event: [1] },
      { time: 1_700_000_000.123456, event: '7' },
    ]);
  });

  test('with `content: text` and `json` says what all events are', () => {
    expect(encode(['{"a":1}'], { content: 'text' }).objects).toMatchObject([{ event: '{"a":1}' }]);
    const mixed = encode(['7', 'x', '', 'null '], { content: 'json' });
    expect(mixed.objects).toMatchObject([{ event: 7 }, { event: null }]);
    expect(mixed).toMatchObject({ positions: [0, 3], failed: [1, 2] });
  });

  test('takes metadata, fields and the time from constants and from the event', () => {
    const options = {
      host: '{/host/name}',
      source: 'lab',
      index: '{/absent}',
      fields: { n: 3, deep: '{/host}', gone: '{/gone}', list: '{/list}' },
      time: '{/at}',
    };
    const event = { at: '2026-01-02T03:04:05.678Z', host: { name: 'web-1' }, list: [1] };
    expect(encode([JSON.stringify(event), '{"host":{"name":7}}', 'no JSON'], options).objects).toEqual([
      {
        time: 1_767_323_045.678,
        host: 'web-1',
        source: 'lab',
        fields: { n: 3, deep: '{"name":"web-1"}', list: '[1]' },
        event,
      },
      {
        time: 1_700_000_000.123456,
        host: '7',
        source: 'lab',
        fields: { n: 3, deep: '{"name":7}' },
        event: { host: { name: 7 } },
      },
      { time: 1_700_000_000.123456, source: 'lab', fields: { n: 3 }, event: 'no JSON' },
    ]);
  });

  test('of any text is one line of JSON that holds it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint })), fc.string(), (events, host) => {
        const wanted = events.filter((event) => event.trim() !== '');
        const { objects, failed } = encode(events, { content: 'text', host: host.replace(/[{}]/g, '$&$&') });
        expect(objects.map(({ event }) => event)).toEqual(
          // Lone surrogates have no UTF-8: JSON spells them out.
          wanted,
        );
        expect(objects.every((one) => one['host'] === host)).toBe(true);
        expect(failed.length + objects.length).toBe(events.length);
      }),
    );
  });

  test('is the same whether or not what surrounds the event is read from it', () => {
    const event = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.json(),
      fc.json().map((text) => ` ${text} `),
      fc.constantFrom('', ' ', '\u3000', '{', '[1]'),
    );
    const content = fc.constantFrom('auto', 'json', 'text');
    fc.assert(
      fc.property(fc.array(event), content, (events, kind) => {
        const constant = encode(events, { content: kind, source: 'lab' });
        const read = encode(events, { content: kind, source: 'lab', host: '{/no such key}' });
        expect(constant).toEqual(read);
      }),
    );
  });

  test('of any JSON object is that object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (event) => {
        const text = JSON.stringify(event);
        expect(encode([text]).objects.map((one) => one['event'])).toEqual([JSON.parse(text)]);
      }),
    );
  });

  test('has times with six decimals, before the first second, too', () => {
    expect([1n, 999_999_999n, 1_000_000_000n, NOW].map(hecTime)).toEqual([
      '0.000000',
      '0.999999',
      '1.000000',
      '1700000000.123456',
    ]);
  });
});
