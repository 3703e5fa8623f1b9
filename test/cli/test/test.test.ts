import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { junitText } from '../../../src/cli/commands/test/report.js';
import { failure } from '../../../src/domain/errors.js';
import { codePoint } from '../../support/codePoint.js';
import { fakeIo, folderWith, spate } from '../support.js';

const GENERATOR = `
input: [{timer: {seconds: 1, count: 1, repeat: 50}}]
event: {script: {path: produce.mjs}}
output: [{file: {path: never.log, formatter: {format: json}}}]
`;

const PRODUCE = `let n = 0;
export const produce = ({ globals, params, drop }) => {
  n++;
  if (n === globals.get('fails_at')) throw new Error('as asked');
  if (n === globals.get('breaks_at')) return 'no JSON';
  return JSON.stringify({ n, act: n % 2 === 1 ? 'in' : 'out', id: Math.ceil(n / 2), who: params.who ?? 'none' });
};
`;

const HEAD = 'seed: 1\nnow: 2026-03-02T09:00:00Z\nevents: 10\n';
const SIZE = '  - size: {min: 30, max: 60}\n';

const withTests = (tests: Readonly<Record<string, string>>) =>
  folderWith({
    'shop/generator.yml': GENERATOR,
    'shop/produce.mjs': PRODUCE,
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`shop/tests/${name}`, text])),
  });

const run = (folder: string, line = '') => spate(`test ${line}`, fakeIo({ cwd: folder }));

/** Runs one tests file. */
const runText = async (text: string, line = '') => run(await withTests({ 'a.yml': text }), line);

describe('spate test', () => {
  test('prints a line a check and a summary', async () => {
    const { code, out } = await runText(`${HEAD}checks:
  - pattern: '^\\{"n": \\d+, "act"'
  - order: {key: /id, field: /act, sequence: [in, out]}
${SIZE}  - rate: {from: 2026-03-02T09:00:00Z, hours: 1, per_hour: {9: 50}}
  - schema: {type: object, required: [n]}
`);
    expect(out).toBe(`ok     shop/tests/a.yml: events: 10 events, none failed
ok     shop/tests/a.yml: pattern: 10 events match
ok     shop/tests/a.yml: order in, out by /id: 10 events of 5 keys in order
ok     shop/tests/a.yml: size: 45 to 47 bytes, median 46
ok     shop/tests/a.yml: rate from 2026-03-02T09:00:00Z: 50 timestamps in 1 hour
ok     shop/tests/a.yml: schema inline: 10 events valid
1 generator, 1 test, 6 checks: all ok
`);
    expect(code).toBe(0);
  });

  test('--failed-only leaves out the checks that are ok', async () => {
    const text = `${HEAD}checks:\n  - pattern: '^\\{"n": \\d+, "act"'\n  - size: {min: 9000, max: 9999}\n`;
    const { code, out } = await runText(text, '--failed-only');
    expect(code).toBe(1);
    expect(out).not.toMatch(/^ok/m);
    expect(out).toMatch(/^FAILED shop\/tests\/a\.yml: size: /);
    expect(out).toMatch(/\n1 generator, 1 test, \d checks: 1 FAILED\n$/);
  });

  test('shows expected and measured values and the first event with its timestamp', async () => {
    const { code, out } = await runText(`${HEAD}timezone: Europe/Berlin
checks:
  - shares: {field: /act, values: {in: 0.9}, tolerance: 0.1}
  - pattern: '"n": [1-4],'
`);
    expect(code).toBe(1);
    expect(out).toContain(`FAILED shop/tests/a.yml: shares /act: largest difference 0.4 over 10 events
       in: expected 0.9 ± 0.1, measured 0.5 (5 of 10)
       other values: out 0.5
FAILED shop/tests/a.yml: pattern: 6 of 10 events do not match
       event 5 at 2026-03-02T10:00:05+01:00: {"n": 5, "act": "in", "id": 3, "who": "none"}
`);
    expect(out).toContain('1 generator, 1 test, 3 checks: 2 FAILED\n');
  });

  test('gives the generator its params and globals, and takes each failure for one of the test', async () => {
    const { code, out } = await runText(`${HEAD}globals: {fails_at: 3, breaks_at: 5}
checks: [{pattern: '"who": "none"'}]
`);
    expect(code).toBe(1);
    expect(out).toMatch(
      /FAILED .*: events: 10 of 10 events, 2 failed\n {7}no event at 2026-03-02T09:00:03\+00:00: .*as asked.*\n {7}not formatted at 2026-03-02T09:00:05\+00:00: .*: no JSON\n/,
    );
    expect(out).toContain('pattern: 9 events match');
  });

  test('fails where the inputs end before the number of events', async () => {
    const { code, out } = await runText(`${HEAD.replace('10', '60')}checks:\n${SIZE}`);
    expect(out).toContain(
      'FAILED shop/tests/a.yml: events: 50 of 60 events, 0 failed; the inputs ended after 50 events',
    );
    expect(code).toBe(1);
  });

  test('opens no output', async () => {
    const folder = await withTests({ 'a.yml': `${HEAD}checks:\n${SIZE}` });
    await run(folder);
    await expect(readFile(join(folder, 'shop/never.log'))).rejects.toThrow('ENOENT');
  });
});

describe('a path', () => {
  const files = {
    'a.yml': `${HEAD}checks:\n${SIZE}`,
    'b.yml': `${HEAD}checks:\n${SIZE}`,
    'more/c.yml': 'no: test',
  };

  test.each([
    ['', 2],
    ['shop', 2],
    ['shop/generator.yml', 2],
    ['shop/tests', 2],
    ['shop/tests/b.yml', 1],
    ['shop shop/tests/a.yml .', 2],
    ['--filter tests/b', 1],
  ])('"%s" stands for %i tests', async (line, count) => {
    const { out, code } = await run(await withTests(files), line);
    expect(code).toBe(0);
    expect(out).toContain(`1 generator, ${count} test`);
  });

  test.each([
    ['empty', /^spate: no tests in empty\. Tests are files such as/, 1],
    ['--filter nothing', /^spate: no tests with "nothing" among 2 tests/, 1],
    ['nowhere', /^spate: .*nowhere/, 1],
    ['alone/tests/x.yml', /^spate: alone\/tests\/x\.yml: there is no generator\.yml in alone/, 1],
    ['--filter=', /^spate test: --filter must not be empty/, 2],
    ['--colour', /^spate test: /, 2],
  ])('"%s" is refused', async (line, message, expected) => {
    const folder = await withTests({ ...files, '../../alone/tests/x.yml': HEAD, '../../empty/x.txt': '' });
    const { code, err } = await run(folder, line);
    expect(err).toMatch(message);
    expect(code).toBe(expected);
  });
});

describe('a tests file', () => {
  test.each([
    ['', '', 'must be an object'],
    ['seed: [1]', '1:1: seed: must be text, not a list'],
    [`${HEAD}cheks: []`, "4:1: cheks: unknown key 'cheks'. Did you mean 'checks'?"],
    [
      `${HEAD}checks: [{shcema: {}}]`,
      "4:11: checks[0].shcema: unknown kind 'shcema'. Did you mean 'schema'?",
    ],
    [`${HEAD}checks: []`, 'checks: must have at least 1 item'],
    [`${HEAD}checks: [{shares: {field: a, values: {}, tolerance: 2}}]`, 'tolerance: must be at most 1'],
    [
      `${HEAD}checks: [{shares: {field: a, values: {}, tolerance: 1}}]`,
      'field: must be a JSON pointer such as /event/action',
    ],
    [`${HEAD}checks: [{pattern: '('}]`, '4:20: checks[0].pattern: must be a JavaScript regular expression'],
    [`${HEAD}checks: [{schema: missing.json}]`, '4:19: checks[0].schema: the schema cannot be used: '],
    [
      `${HEAD}checks: [{schema: {type: strnig}}]`,
      'checks[0].schema: the schema cannot be used: schema is invalid',
    ],
    [`${HEAD}checks: [{schema: 7}]`, 'checks[0].schema: must be an object'],
    [`${HEAD}checks: [{order: {key: /a, field: /b, sequence: [x]}}]`, 'sequence: must have at least 2 items'],
    [`${HEAD}checks: [{size: {}}]`, 'checks[0].size: needs min, max or median'],
    [`${HEAD}checks: [{size: {min: 5, max: 4}}]`, 'size.min: must not be more than max'],
    [`${HEAD}checks: [{size: {median: [5, 4]}}]`, 'size.median: must be [low, high]'],
    [`${HEAD}checks: [{rate: {from: x, hours: 1, per_hour: {1: 1}}}]`, 'rate.from: must be an ISO 8601 time'],
    [
      `${HEAD}checks: [{rate: {from: 2026-01-01T00:00:00Z, hours: 999999, per_hour: {1: 1}}}]`,
      'hours: must be at most 744',
    ],
    [
      `${HEAD}checks: [{rate: {from: 2026-01-01T00:00:00Z, hours: 1, per_hour: {24: 1}}}]`,
      'per_hour: must have hours from 0 to 23',
    ],
    [`${HEAD}checks: [{fingerprint: abc}]`, 'fingerprint: must be SHA-256'],
    [`${HEAD.replace('10', '10000001')}checks:\n${SIZE}`, 'events: must be at most 10000000'],
    [`${HEAD.replace('10', '1e300')}checks:\n${SIZE}`, 'events: must be within'],
    [`${HEAD.replace('10', '-1')}checks:\n${SIZE}`, 'events: must be at least 1'],
    [`${HEAD}timezone: Mars/Base\nchecks:\n${SIZE}`, 'timezone: must be an IANA time zone'],
    [`${HEAD}params: [1]\nchecks:\n${SIZE}`, 'params: must be an object'],
    ['a: b: c', 'shop/tests/a.yml:1:'],
  ])('%j has a located problem', async (...[text, place, more = '']: readonly string[]) => {
    const { code, out } = await runText(text ?? '');
    expect(out).toContain(place);
    expect(out).toContain(more);
    expect(out).toContain('FAILED shop/tests/a.yml');
    expect(out).not.toContain('FAILED shop/tests/a.yml: shop');
    expect(code).toBe(1);
  });

  test('with a problem does not stop the others', async () => {
    const { code, out } = await run(await withTests({ 'a.yml': 'x', 'b.yml': `${HEAD}checks:\n${SIZE}` }));
    expect(code).toBe(1);
    expect(out).toContain('ok     shop/tests/b.yml: size');
    expect(out).toContain('1 generator, 2 tests, 2 checks: 1 FAILED');
  });

  test('of a generator that cannot be built says why', async () => {
    const folder = await folderWith({
      'generator.yml': GENERATOR,
      'tests/a.yml': `${HEAD}checks:\n${SIZE}`,
    });
    const { code, out } = await run(folder);
    expect(out).toMatch(/FAILED tests\/a\.yml: .*produce\.mjs does not exist/);
    expect(code).toBe(1);
  });
});

describe('--update', () => {
  const NOTED = `# What this is for
${HEAD}
checks:   # all of them
  # sizes first
  - size: {min: 30,  max: 60}   # kept as it is
`;
  const WRONG = 'f'.repeat(64);
  const update = async (text: string) => {
    const folder = await withTests({ 'a.yml': text });
    const result = await run(folder, '--update');
    return { ...result, folder, text: await readFile(join(folder, 'shop/tests/a.yml'), 'utf8') };
  };

  test('adds a fingerprint; comments and layout stay', async () => {
    const { text, code, folder } = await update(NOTED);
    expect(code).toBe(0);
    expect(text).toMatch(/^ {2}- fingerprint: [0-9a-f]{64}\n$/m);
    expect(text.replace(/^ {2}- fingerprint: .*\n/m, '')).toBe(NOTED);
    expect((await run(folder)).code).toBe(0);
  });

  test('replaces a wrong fingerprint, and leaves a right one alone', async () => {
    const wrong = `${NOTED}  - fingerprint: ${WRONG} # of 2026\n`;
    expect((await runText(wrong)).out).toContain(`expected ${WRONG}`);
    const first = await update(wrong);
    expect(first.code).toBe(0);
    expect(first.text).not.toContain(WRONG);
    expect(first.text).toContain(' # of 2026\n');
    expect((await update(first.text)).text).toBe(first.text);
  });

  test.each([
    ['another check fails', NOTED.replace('min: 30', 'min: 50')],
    ['an event fails', NOTED.replace('checks:', 'globals: {fails_at: 2}\nchecks:')],
  ])('changes nothing while %s', async (_, given) => {
    const { code, text, err } = await update(given);
    expect(code).toBe(1);
    expect(text).toBe(given);
    expect(err).toContain('the fingerprint is not written, because another check failed');
  });

  test('writes into a list on one line, too', async () => {
    const { code, text } = await update(`${HEAD}checks: [{size: {min: 1}}]\n`);
    expect(code).toBe(0);
    expect(text).toMatch(/fingerprint: [0-9a-f]{64}/);
  });
});

describe('reports', () => {
  const FAILING = `${HEAD}checks:\n  - pattern: '"n": [1-4],'\n`;

  test('--json prints one object', async () => {
    const folder = await withTests({ 'a.yml': FAILING, 'b.yml': 'x' });
    const { code, out } = await run(folder, '--json');
    const json = JSON.parse(out);
    expect(code).toBe(1);
    expect(json).toMatchObject({ generators: 1, tests: 2, checks: 2, failed: 2 });
    expect(json.results[0]).toMatchObject({
      generator: 'shop',
      file: 'shop/tests/a.yml',
      ok: false,
      problems: [],
    });
    expect(json.results[0].checks[1]).toMatchObject({
      check: 'pattern',
      subject: null,
      ok: false,
      measured: '6 of 10 events do not match',
      event: { number: 5, timestamp: '2026-03-02T09:00:05+00:00' },
    });
    expect(json.results[1]).toMatchObject({
      ok: false,
      checks: [],
      problems: [expect.stringContaining('b.yml')],
    });
  });

  test('--junit writes a suite a test and a case a check', async () => {
    const folder = await withTests({ 'a.yml': FAILING, 'b.yml': 'x' });
    await run(folder, '--junit results.xml');
    const xml = await readFile(join(folder, 'results.xml'), 'utf8');
    expect(xml).toMatch(/<testsuites name="spate test" tests="3" failures="2">/);
    expect(xml).toMatch(
      /<testsuite name="shop\/tests\/a\.yml" tests="2" failures="1" errors="0" time="\d+\.\d{3}">/,
    );
    expect(xml).toContain('<testcase classname="shop/tests/a.yml" name="events"/>');
    expect(xml).toContain('<failure message="6 of 10 events do not match">event 5 at');
    expect(xml).toContain('<testcase classname="shop/tests/b.yml" name="run"><failure');
  });

  test('JUnit XML holds any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const found = { path: '', shown: text, config: '', generator: '' };
        const error = failure('invalid', text);
        const xml = junitText([
          { found, error, read: null, checks: [], fingerprint: null, time: String, seconds: 0 },
        ]);
        // Each attribute and text is free of what would end it, and of what XML 1.0 cannot hold.
        const values = [...xml.matchAll(/(?:name|message)="([^"]*)"/g)].map(([, value = '']) => value);
        expect(values.length).toBeGreaterThanOrEqual(4);
        for (const value of values) expect(value).not.toMatch(/[<>]|&(?!#\d+;)/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
        expect(xml.match(/<testcase/g)).toHaveLength(1);
      }),
    );
  });
});

test('spate schema --tests describes the format', async () => {
  const { out, code } = await spate('schema --tests');
  expect(code).toBe(0);
  const schema = JSON.parse(out);
  expect(Object.keys(schema.properties)).toEqual([
    'seed',
    'now',
    'events',
    'params',
    'globals',
    'timezone',
    'checks',
  ]);
});
