import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import iconv from 'iconv-lite';
import type { Produced } from '../../../../src/plugins/kit.js';
import { decode } from '../../../../src/schema/index.js';
import { ask, build, directory, drain, fileWith, shape, start } from './support.js';

const replayed = async (content: string | Buffer, params: Record<string, unknown> = {}, count?: number) => {
  const { producer } = await start({ path: await fileWith(content), ...params });
  const drained = await drain(producer, count);
  await producer.close();
  return drained;
};

const SECONDS = { timestamp_format: '%s' };

describe('replay', () => {
  test('one line per timestamp, then the end', async () => {
    expect(await replayed('a\nb\nc\n')).toEqual({
      events: ['a', 'b', 'c'],
      failed: 0,
      consumed: 3,
      exhausted: true,
    });
  });

  test.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n\nb', ['a', '', 'b']],
    ['a\r\nb\r\r\n\r\nc\r', ['a', 'b', '', 'c']],
    ['a\rb\r\n', ['a\rb']],
    ['\ufeffa\n', ['\ufeffa']],
  ])('%j has the lines %j', async (content, events) => {
    expect((await replayed(content)).events).toEqual(events);
    const patterned = { ...SECONDS, timestamp_pattern: '(?P<timestamp>nothing)' };
    expect((await replayed(content, patterned)).events).toEqual(events);
  });

  test('with pattern and format the timestamp group of the first match is replaced', async () => {
    const params = {
      timestamp_pattern: String.raw`\[(?P<timestamp>[^\]]+)\]`,
      timestamp_format: '%d/%b/%Y:%H:%M:%S %z',
    };
    expect((await replayed('a [old] "x" [y]\nno stamp\né [old] é\n', params)).events).toEqual([
      'a [01/Jan/1970:00:00:00 +0000] "x" [y]',
      'no stamp',
      'é [01/Jan/1970:00:00:02 +0000] é',
    ]);
  });

  test('iso8601 is a format by name', async () => {
    const params = { timestamp_pattern: '(?<timestamp>x)', timestamp_format: 'iso8601' };
    expect((await replayed('x', params)).events).toEqual(['1970-01-01T00:00:00+00:00']);
  });

  test('a pattern alone or a format alone leaves lines unchanged; the pattern alone is said once at load', async () => {
    const pattern = { timestamp_pattern: '(?P<timestamp>x)' };
    const { producer, lines } = await start({ path: await fileWith('x\nx\n'), ...pattern });
    expect((await drain(producer)).events).toEqual(['x', 'x']);
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('without timestamp_format'),
    ]);
    expect((await replayed('x\n', SECONDS)).events).toEqual(['x']);
  });

  test('a line without match stays unchanged, with a warning, and counts as produced', async () => {
    const path = await fileWith('1\nnone\n(opt)\n'.repeat(20));
    const { producer, lines } = await start({
      path,
      ...SECONDS,
      timestamp_pattern: String.raw`(?P<timestamp>\d)|opt`,
    });
    const { events, failed } = await drain(producer);
    await producer.close();
    expect([events.length, failed]).toEqual([60, 0]);
    expect(events.slice(3, 6)).toEqual(['3', 'none', '(opt)']);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatchObject({ level: 'warning', context: { line: 2 } });
    expect(lines[1]).toMatchObject({ context: { line: 3 } });
    expect(lines[5]).toMatchObject({ level: 'warning', context: { unmatched: 40, lines: 60 } });
  });

  test('repeat begins again with the first line; an empty file ends all the same', async () => {
    const { events, exhausted } = await replayed('a\nb', { repeat: true }, 5);
    expect([events, exhausted]).toEqual([['a', 'b', 'a', 'b', 'a'], false]);
    expect(await replayed('', { repeat: true })).toMatchObject({ events: [], exhausted: true });
  });

  test('a line that cannot be decoded is a failed event with its number; the others go on', async () => {
    const content = Buffer.concat([Buffer.from('é1\n'), Buffer.from([0xff, 0x0a]), Buffer.from('x2\n')]);
    for (const more of [{}, { ...SECONDS, timestamp_pattern: String.raw`(?P<timestamp>\d)` }]) {
      const { producer, lines } = await start({ path: await fileWith(content), ...more });
      const isChanged = 'timestamp_format' in more;
      expect(await drain(producer)).toEqual({
        events: isChanged ? ['é0', 'x2'] : ['é1', 'x2'],
        failed: 1,
        consumed: 3,
        exhausted: true,
      });
      expect(lines[0]).toMatchObject({ level: 'error', context: { line: 2 } });
    }
  });

  test.each([
    ['utf-8-sig', '\ufeffaé\nb\n', 'utf8'],
    ['latin-1', 'aé\nb\n', 'latin1'],
    ['windows-1252', 'aé€\r\nb\r\n', 'cp1252'],
    ['utf_16', '\ufeffaé\nb\n', 'utf-16le'],
    ['utf_16', '\ufeffaé\nb\n', 'utf-16be'],
    ['utf_16', 'aé\nb\n', 'utf-16le'],
    ['utf_16_be', 'aĊ漢\r\nb', 'utf-16be'],
    ['utf_16_le', '਀aĊ\nb', 'utf-16le'],
    ['utf_32', '\ufeffa😀\nb\n', 'utf-32be'],
    ['shift_jis', '日本\nb', 'shift_jis'],
    ['gb18030', '你好😀\nb', 'gb18030'],
    ['utf_7', 'aé\nb', 'utf-7'],
  ])('%s is read line by line: %j', async (encoding, text, written) => {
    const content = iconv.encode(text, written, { addBOM: false });
    const expected = text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .filter((line) => line !== '');
    for (const chunk_size of [1, 0]) {
      expect((await replayed(content, { encoding, chunk_size })).events).toEqual(expected);
    }
    const stamped = { encoding, ...SECONDS, timestamp_pattern: '(?P<timestamp>b)' };
    expect((await replayed(content, stamped)).events).toEqual([...expected.slice(0, -1), '1']);
  });

  test('EBCDIC has its own line end', async () => {
    const content = Buffer.from([0xc1, 0xc2, 0x25, 0x81, 0x0d, 0x25]);
    expect((await replayed(content, { encoding: 'cp037' })).events).toEqual(['AB', 'a']);
  });

  test('half a code unit at the end of the file is a failed line', async () => {
    const content = Buffer.concat([Buffer.from('a\nb', 'utf16le'), Buffer.from([0x63])]);
    expect(await replayed(content, { encoding: 'utf_16_le' })).toMatchObject({ events: ['a'], failed: 1 });
  });

  test('a format with a line end in it makes events of two lines', async () => {
    for (const end of ['1', 'é']) {
      const { producer } = await start({
        path: await fileWith(`x${end}\n`),
        timestamp_pattern: '(?P<timestamp>x)',
        timestamp_format: '%s\n',
      });
      const { events } = await ask(producer, 0, 1);
      expect([events.count, events.texts()]).toEqual([1, [`0\n${end}`]]);
    }
  });

  test('lines appended before the end is reached are seen; after it the plugin stays exhausted', async () => {
    const path = await fileWith('a\n');
    const { producer } = await start({ path });
    expect((await drain(producer, 1)).events).toEqual(['a']);
    await appendFile(join(directory, path), 'b\nc');
    expect(await drain(producer)).toMatchObject({ events: ['b', 'c'], exhausted: true });
    await appendFile(join(directory, path), '\nd\n');
    expect(await drain(producer)).toMatchObject({ events: [], exhausted: true });
  });

  test('a file replaced meanwhile is read to its end; with repeat the new one follows', async () => {
    const path = await fileWith('old 1\nold 2\n');
    const { producer } = await start({ path, repeat: true });
    expect((await drain(producer, 1)).events).toEqual(['old 1']);
    await rename(join(directory, await fileWith('new\n')), join(directory, path));
    expect((await drain(producer, 3)).events).toEqual(['old 2', 'new', 'new']);
  });

  test('a file cut meanwhile ends there, with a warning', async () => {
    const path = await fileWith('line\n'.repeat(5000));
    const { producer, lines } = await start({ path, chunk_size: 4096 });
    await drain(producer, 1);
    await truncate(join(directory, path), 10);
    expect(await drain(producer)).toMatchObject({ exhausted: true });
    expect(lines.map(({ message }) => message)).toEqual(['the file was truncated while it was read']);
  });

  test('with repeat, a file that has gone fails timestamps until it is there again', async () => {
    const path = await fileWith('a\n');
    const { producer, lines } = await start({ path, repeat: true });
    expect((await drain(producer, 1)).events).toEqual(['a']);
    await rm(join(directory, path));
    expect(await drain(producer, 2)).toMatchObject({ events: [], failed: 2, exhausted: false });
    expect(lines[0]?.message).toContain('cannot be read');
    await writeFile(join(directory, path), 'b\n');
    expect((await drain(producer, 2)).events).toEqual(['b', 'b']);
  });

  test('a line over the limit is a failed event, however it ends', async () => {
    const long = 'x'.repeat(17 * 1024 * 1024);
    const { events, failed, consumed } = await replayed(`a\n${long}\nb\n${long}`, { chunk_size: 100_000 });
    expect([events, failed, consumed]).toEqual([['a', 'b'], 2, 4]);
    const whole = await replayed(`a\n${long}\nb`, { chunk_size: 0 });
    expect([whole.events.length, whole.failed]).toEqual([3, 0]);
  });

  test('one call gives all lines that it has timestamps for and that were read', async () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `${i} ${'é'.repeat(30)}`);
    const path = await fileWith(lines.join('\n'));
    for (const more of [{}, { ...SECONDS, timestamp_pattern: '(?P<timestamp>absent)' }]) {
      const { producer } = await start({ path, chunk_size: 0, ...more });
      expect((await ask(producer, 0, 8_000)).events.texts()).toEqual(lines.slice(0, 8_000));
      expect((await drain(producer)).events).toEqual(lines.slice(8_000));
    }
  });

  test('lines longer than a chunk and chunks of any size give the same lines', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat((i * 7919) % 700)}`);
    for (const chunk_size of [1, 5000, 1_048_576, 0]) {
      expect((await replayed(lines.join('\n'), { chunk_size })).events).toEqual(lines);
    }
  });

  test('memory that was given back is read into again, and no other', async () => {
    const lines = Array.from({ length: 15_000 }, (_, i) => `${i} at 00:00:00 ${'.'.repeat(i % 40)}`);
    const path = await fileWith(lines.join('\n'));
    const clock = { timestamp_pattern: String.raw`at (?P<timestamp>\S+)`, timestamp_format: '%H:%M:%S' };
    for (const more of [{}, clock]) {
      const { producer } = await start({ path, chunk_size: 5000, ...more });
      const events: string[] = [];
      const memories = new Set<unknown>();
      const waiting: Produced[] = [];
      const read = ({ events: batch }: Produced): void => {
        events.push(...Buffer.from(batch.bytes('\n')).toString().trimEnd().split('\n'));
        memories.add(batch.bytes('\n').buffer);
        batch.release?.();
      };
      for (let at = 0; at < lines.length; ) {
        const produced = await ask(producer, at, Math.min(lines.length, at + 97));
        at += produced.consumed;
        // Each is read only when five others were made after it.
        waiting.push(produced);
        if (waiting.length > 5) read(waiting.shift() as Produced);
      }
      waiting.forEach(read);
      const textOf = (i: number) => new Date(i * 1000).toISOString().slice(11, 19);
      expect(events).toEqual(
        more === clock ? lines.map((line, i) => line.replace('00:00:00', textOf(i))) : lines,
      );
      expect(memories.size).toBeLessThan(15);
    }
  });

  test('a spent slice returns what is done', async () => {
    const path = await fileWith('1\n'.repeat(3000));
    const { producer } = await start({ path, ...SECONDS, timestamp_pattern: String.raw`(?P<timestamp>\d)` });
    expect((await ask(producer, 0, 3000, () => true)).consumed).toBe(500);
    expect((await drain(producer)).events).toHaveLength(2500);
  });

  test.each([{}, { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: 'T%s' }])(
    'goes on with the very next line from a snapshot: %j',
    async (more) => {
      for (const text of ['ascii', 'é', 'crlf\r']) {
        const path = await fileWith(Array.from({ length: 9000 }, (_, i) => `${i} ${text}\n`).join(''));
        const first = (await start({ path, ...more })).producer;
        await drain(first, 4321, 100);
        const state = JSON.parse(JSON.stringify(first.snapshot?.()));
        const second = (await start({ path, ...more })).producer;
        await second.restore?.(state);
        expect((await drain(second)).events).toEqual((await drain(first)).events);
        expect(state.line).toBe(4322);
      }
    },
  );

  test('close may be called twice', async () => {
    const { producer } = await start({ path: await fileWith('a') });
    await producer.close();
    await producer.close();
  });

  test('a missing file, a folder and an encoding without decoder are refused at load', async () => {
    const reason = async (params: Record<string, unknown>): Promise<string> => {
      const { built } = await build(params);
      return E.isLeft(built) ? built.left.message : 'accepted';
    };
    expect(await reason({ path: 'gone.log' })).toContain(
      'replay file gone.log cannot be read: it does not exist',
    );
    expect(await reason({ path: '.' })).toContain('it is a directory; name a regular file');
    expect(await reason({ path: await fileWith(''), encoding: 'hz' })).toContain('hz is not supported');
  });

  test.each([
    [{ encoding: 'utf_9' }, "Did you mean 'utf_8'?"],
    [{ timestamp_pattern: 'x' }, 'has no group named'],
    [{ timestamp_format: '%Q' }, 'no strftime code'],
    [{ chunk_size: -1 }, 'must be'],
  ])('%j is refused by the declaration', (params, reason) => {
    const decoded = decode(shape, { path: 'x', ...params });
    expect(JSON.stringify(decoded)).toContain(reason);
  });
});

describe('the fast path', () => {
  /** Patterns in the form that JavaScript has, so that the test can search line by line itself. */
  const PATTERNS = [
    String.raw`\[(?<timestamp>[^\]]+)\]`,
    String.raw`(?<timestamp>[^\]]*)\]`,
    String.raw`^(?<timestamp>\S+)`,
    String.raw`(?<timestamp>\d+)$`,
    '^(?<timestamp>)$',
    String.raw`(?<timestamp>[\s\S]{2,4})`,
    String.raw`a(?<timestamp>\s*)1?`,
    '(?<timestamp>)$',
    '(?<timestamp>.*)',
    '(?<timestamp>.+?)1',
    String.raw`(a|\[)(?<timestamp>\W+)`,
    String.raw`(?<=a)(?<timestamp>\D)`,
    String.raw`(?<!a|^)(?<timestamp>\D)`,
    String.raw`(?<timestamp>\w)(?!a|$)`,
    String.raw`(?<timestamp>\w)(?=[^a])`,
    String.raw`(?<timestamp>\w)(?!\n)`,
    String.raw`(?<timestamp>\w)(?=\s|\b)`,
    '1|(?<timestamp>a)',
    String.raw`(a)?(?<timestamp>1)\1`,
    String.raw`(?:(?<timestamp>a)|\])+`,
    '(?<timestamp>a)+1',
    'x?(?<timestamp>a)?1',
    String.raw`\b(?<timestamp>a+)\b`,
    String.raw`\B(?<timestamp>1)`,
    '(?<timestamp>[^a-]+)',
    String.raw`(?:a|(?<timestamp>[\W])){2}`,
    '((?<timestamp>[^x])1)',
    '(?<timestamp>é+)',
    '(?<timestamp>[漢😀é])',
    '(?<timestamp>.).1',
  ];
  const TOKENS = ['a', 'a', '1', '1', ' ', '[', ']', '\n', '\n', '\r\n', '-', 'x', '"'];
  const RARE = [...TOKENS, 'é', '漢', '😀', '\r', '\t', '\u2028', '\u00a0', '\udfff'];

  /** What a line gets: mostly longer than what was there, or often just as long. */
  const FORMATS = { '<%s>': (i: number) => `<${i}>`, '%s': String };
  type Format = keyof typeof FORMATS;

  /** What replay means, without any haste. */
  const expected = (
    content: Buffer,
    source: string,
    format: Format,
  ): { events: string[]; failed: number } => {
    const search = new RegExp(source, 'dsu');
    const events: string[] = [];
    let failed = 0;
    const lines = content.toString('latin1').split('\n');
    if (lines.at(-1) === '') lines.pop();
    lines.forEach((line, i) => {
      const bytes = Buffer.from(line, 'latin1');
      const text = bytes.toString('utf8').replace(/\r+$/, '');
      if (!Buffer.from(text).equals(bytes.subarray(0, Buffer.byteLength(text)))) {
        failed++;
        return;
      }
      const place = search.exec(text)?.indices?.groups?.['timestamp'];
      events.push(place ? text.slice(0, place[0]) + FORMATS[format](i) + text.slice(place[1]) : text);
    });
    return { events, failed };
  };

  const content = fc.oneof(
    fc.array(fc.constantFrom(...TOKENS), { maxLength: 120 }),
    fc.array(fc.constantFrom(...RARE), { maxLength: 60 }),
  );

  const formats = fc.constantFrom<Format>('<%s>', '%s');

  test.each(PATTERNS)('gives what the search of each line alone gives: %s', async (source) => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), formats, async (tokens, step, format) => {
        // A lone surrogate stands for a byte that is no UTF-8.
        const bytes = Buffer.concat(
          tokens.map((t) => (t === '\udfff' ? Buffer.from([0xfe]) : Buffer.from(t))),
        );
        const path = await fileWith(bytes);
        const { producer } = await start({ path, timestamp_pattern: source, timestamp_format: format });
        const { events, failed } = await drain(producer, 20_000, step);
        await producer.close();
        await rm(join(directory, path));
        expect({ events, failed }).toEqual(expected(bytes, source, format));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  test('a bracket that nothing closes costs no search through the whole run', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `[${i}`);
    const params = { timestamp_pattern: String.raw`\[(?P<timestamp>[^\]]+)\]`, ...SECONDS };
    expect((await replayed(lines.join('\n'), params)).events).toEqual(lines);
  });
});
