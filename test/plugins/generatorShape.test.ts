import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { generatorShape } from '../../src/plugins/generatorShape.js';
import { decode, decodeStored, readBack } from '../../src/schema/index.js';

const CONFIG = {
  input: [{ static: { count: 3 } }],
  event: { replay: { path: 'access.log' } },
  output: [{ stdout: {} }, { file: { path: 'out.log', file_mode: '0640' } }],
};

const issuesOf = (config: unknown) => {
  const decoded = decode(generatorShape, config);
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the shape of a generator config', () => {
  test('entries decode to kind, name as written and parameters with defaults', () => {
    const decoded = decode(generatorShape, CONFIG);
    expect(decoded).toMatchObject({
      right: {
        input: [{ kind: 'static', params: { count: 3, tags: [] } }],
        event: { kind: 'replay', params: { path: 'access.log', repeat: false } },
        output: [
          { kind: 'stdout', params: { stream: 'stdout', formatter: { kind: 'plain', params: {} } } },
          { kind: 'file', params: { cleanup_interval: 10, write_mode: 'append' } },
        ],
      },
    });
  });

  test('read-back shows defaults, keeps what was written, and is accepted again unchanged', () => {
    const shown = readBack(generatorShape, CONFIG);
    expect(shown).toMatchObject({
      output: [
        { stdout: { formatter: { format: 'plain' }, separator: '\n', encoding: 'utf_8', flush_interval: 1 } },
        { file: { file_mode: '0640', path: 'out.log' } },
      ],
    });
    expect(decodeStored(generatorShape, shown)).toEqual(E.right(shown));
  });

  test('of templates by the kind of activity has a world with a template for each kind', () => {
    const item = { template: 'a.jinja', kinds: ['logon'] };
    const event = { template: { mode: 'activity', templates: [{ a: item }] } };
    const world = { kinds: ['logon'] };
    expect(issuesOf({ ...CONFIG, input: [{ world }], event })).toEqual([]);
    expect(issuesOf({ ...CONFIG, input: [{ world }, { static: { count: 1 } }], event })).toEqual([
      'input not_allowed',
    ]);
    const more = { world: { kinds: ['logon', 'logoff', 'lock'] } };
    expect(issuesOf({ ...CONFIG, input: [more], event })).toEqual(['event.template.templates missing']);
  });

  test('replay from an input needs that input and no other, and is read back and stored like others', () => {
    const recorded = { path: 'a.log', timestamp_pattern: '(?P<timestamp>.+)', timestamp_format: '%s' };
    const paired = { ...CONFIG, input: [{ recorded }], event: { replay: { from: 'recorded' } } };
    expect(issuesOf(paired)).toEqual([]);
    const shown = readBack(generatorShape, paired);
    expect(decodeStored(generatorShape, shown)).toEqual(E.right(shown));
    expect(issuesOf({ ...paired, input: [{ recorded }, { timer: { seconds: 1, count: 1 } }] })).toEqual([
      'input not_allowed',
    ]);
    expect(issuesOf({ ...paired, input: CONFIG.input })).toEqual(['input not_allowed']);
    expect(issuesOf({ ...paired, event: CONFIG.event })).toEqual([]);
  });

  test.each(['fsm', 'all'])('templates read back in mode %s can be written again', (mode) => {
    const item = mode === 'fsm' ? { template: 'a.jinja', initial: true } : { template: 'a.jinja' };
    const config = {
      ...CONFIG,
      event: { template: { mode, templates: [{ a: item }, { b: { template: 'b.jinja' } }] } },
    };
    const shown = readBack(generatorShape, config);
    expect(shown).toMatchObject({
      event: { template: { templates: [{ a: item }, { b: { initial: false, transitions: [] } }] } },
    });
    expect(decodeStored(generatorShape, shown)).toEqual(E.right(shown));
    expect(E.isRight(decode(generatorShape, shown))).toBe(true);
  });

  test('placeholders stand anywhere in a stored config', () => {
    const stored = {
      ...CONFIG,
      input: [{ static: { count: '${params.n}' } }],
      output: [{ stdout: { formatter: { format: '${params.format}' } } }],
    };
    expect(E.isRight(decodeStored(generatorShape, stored))).toBe(true);
  });

  test('exactly the three keys, with at least one input and one output', () => {
    expect(issuesOf({ ...CONFIG, name: 'x' })).toEqual(['name unknown_key']);
    expect(issuesOf({ input: [], event: CONFIG.event, output: [] })).toEqual([
      'input too_short',
      'output too_short',
    ]);
    expect(issuesOf({})).toEqual(['input missing', 'event missing', 'output missing']);
  });

  test('an entry names one kind that exists, and its problems are at their place', () => {
    expect(issuesOf({ ...CONFIG, output: [{ stdoutt: {} }] })).toEqual(['output.0.stdoutt unknown_kind']);
    expect(issuesOf({ ...CONFIG, output: [{ stdout: null }] })).toEqual(['output.0.stdout wrong_type']);
    expect(issuesOf({ ...CONFIG, output: [{ stdout: {}, file: {} }] })).toEqual(['output.0 not_one_key']);
    expect(issuesOf({ ...CONFIG, output: [{ file: { path: '', file_mode: 689 } }] })).toEqual([
      'output.0.file.path too_short',
      'output.0.file.file_mode bad_format',
    ]);
    expect(issuesOf({ ...CONFIG, output: [{ stdout: { stream: 'std' } }] })).toEqual([
      'output.0.stdout.stream not_allowed',
    ]);
    expect(issuesOf({ ...CONFIG, output: [{ stdout: { flush_interval: -1, encoding: 'utf_9' } }] })).toEqual([
      'output.0.stdout.flush_interval out_of_range',
      'output.0.stdout.encoding not_allowed',
    ]);
  });
});
