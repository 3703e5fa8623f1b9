import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type NodeDocument,
  parseLease,
  parseNode,
  parseOrders,
  parseWanted,
  printClusterDocument,
} from '../../src/cluster/documents.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: object): Uint8Array => bytes(JSON.stringify(value));

const NODE: NodeDocument = {
  format: 1,
  session: 'x7',
  follows: 'x6',
  previous: 'x6',
  since: 7,
  generation: { timezone: 'UTC' },
  version: '0.1.0',
  api: 'http://10.0.0.1:8000',
  capacity: 1.5,
  labels: { zone: 'a' },
  beat: 12,
  load: { generators: 3, events_per_second: 120.5, cpu: 0.2 },
  local: ['only-here'],
  draining: false,
  refused: [{ reason: 'secret "db" is missing', tasks: ['g.web'] }],
  problems: ['a problem'],
};

const LEASE = {
  format: 2,
  node: 'node-a',
  session: 'x7',
  epoch: 7,
  deaths: 1,
  since: '2026-01-01T00:00:00Z',
};

const parsers = { parseNode, parseLease, parseOrders, parseWanted };

describe('documents', () => {
  test('of a version without problems have none', () => {
    const { problems: _problems, ...former } = NODE;
    expect(parseNode(json(former))).toEqual({ kind: 'valid', document: { ...NODE, problems: [] } });
  });

  test('are read as they were written', () => {
    expect(parseNode(printClusterDocument(NODE))).toEqual({ kind: 'valid', document: NODE });
    expect(parseLease(printClusterDocument(LEASE))).toEqual({ kind: 'valid', document: LEASE });
    expect(parseOrders(printClusterDocument({ format: 1, drain: true }))).toMatchObject({
      document: { drain: true },
    });
    const wanted = { format: 1, state: 'stopped', quarantine: 'it ended its process' } as const;
    expect(parseWanted(printClusterDocument(wanted))).toEqual({ kind: 'valid', document: wanted });
  });

  test('of a version without quarantine have no deaths and no quarantine', () => {
    const { deaths: _, ...former } = LEASE;
    expect(parseLease(json(former))).toMatchObject({ document: { deaths: 0 } });
    expect(parseWanted(json({ format: 1, state: 'stopped' }))).toMatchObject({
      document: { quarantine: null },
    });
  });

  test('of nodes that older versions write have no former session, no place and no settings', () => {
    const { follows: _, previous: ____, since: __, generation: ___, ...older } = NODE;
    const missing = { follows: null, previous: null, since: 0, generation: {} };
    expect(parseNode(json(older))).toEqual({ kind: 'valid', document: { ...NODE, ...missing } });
  });

  test.each(Object.entries(parsers))('of a newer format are known as such by %s', (_, parse) => {
    expect(parse(json({ format: 3, anything: [] }))).toEqual({ kind: 'newer', format: 3 });
  });

  test.each<[string, object]>([
    ['session', { ...NODE, session: '' }],
    ['follows', { ...NODE, follows: 1 }],
    ['since', { ...NODE, since: -1 }],
    ['generation', { ...NODE, generation: { timezone: 1 } }],
    ['capacity', { ...NODE, capacity: -1 }],
    ['capacity', { ...NODE, capacity: 1e9 }],
    ['labels', { ...NODE, labels: { zone: 1 } }],
    ['beat', { ...NODE, beat: 1.5 }],
    ['load', { ...NODE, load: { generators: 1 } }],
    ['local', { ...NODE, local: [1] }],
    ['draining', { ...NODE, draining: 'no' }],
    ['refused', { ...NODE, refused: [{ reason: 'x' }] }],
  ])('with a wrong %s are invalid', (field, value) => {
    expect(parseNode(json(value))).toEqual({
      kind: 'invalid',
      problem: `"${field}" is missing or has a wrong value`,
    });
  });

  test.each(['', '{', '[]', 'null', '1', '{"format":0}', '{"format":"1"}', '{"__proto__":{"format":1}}'])(
    '%j is invalid',
    (text) => {
      for (const parse of Object.values(parsers)) expect(parse(bytes(text)).kind).toBe('invalid');
    },
  );

  test('that are too large are not parsed', () => {
    const huge = json({ ...LEASE, since: ' '.repeat(1_100_000) });
    expect(parseLease(huge)).toMatchObject({ kind: 'invalid' });
  });

  test('take nothing from a prototype, and change none', () => {
    const text = JSON.stringify(NODE).replace('"zone":"a"', '"__proto__":"a","constructor":"b"');
    const parsed = parseNode(bytes(text));
    if (parsed.kind !== 'valid') throw new Error(parsed.kind);
    expect(Object.entries(parsed.document.labels)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(parsed.document.labels)).toBe(Object.prototype);
    expect(parseOrders(json({ format: 1 }))).toMatchObject({ kind: 'invalid' });
  });

  test('of any kind never make a parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (content) => {
        for (const parse of Object.values(parsers))
          expect(['valid', 'newer', 'invalid']).toContain(parse(content).kind);
      }),
    );
  });
});
