import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type InstanceLogOptions, instanceLog } from '../../../src/adapters/logs/instanceLog.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { inFolder } from '../directories/support.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z /gm;

const withLog = (
  run: (rig: {
    readonly logs: ReturnType<typeof instanceLog>;
    /** What the console got, without the times. */
    readonly console: () => string;
    /** A file after everything was written, without the times. */
    readonly file: (name: string) => Promise<string>;
    readonly folder: string;
  }) => Promise<void>,
  more: Partial<InstanceLogOptions> = {},
) => {
  return () =>
    inFolder(async (folder) => {
      let shown = '';
      const logs = instanceLog({
        folder,
        level: 'info',
        format: 'plain',
        max_bytes: 1_000_000,
        backups: 1,
        console: (line) => {
          shown += line;
        },
        clock: fakeClock(),
        ...more,
      });
      const file = async (name: string): Promise<string> => {
        await logs.close();
        return (await readFile(join(folder, name), 'utf8')).replace(TIME, '');
      };
      await run({ logs, console: () => shown.replace(TIME, ''), file, folder });
    });
};

describe('the log of an instance', () => {
  test(
    'has a file for itself and one per generator, without the id in its lines',
    withLog(async ({ logs, file, folder }) => {
      logs.log.write('info', 'the service starts', { port: 9474 });
      const generator = logs.log.with({ generator_id: 'web.1' });
      generator.write('info', 'generator starts');
      generator.write('error', 'generator failed', { reason: 'no file' });
      expect(await file('main.log')).toBe('info     the service starts port=9474\n');
      expect(await file('generator_web.1.log')).toBe(
        'info     generator starts\nerror    generator failed reason="no file"\n',
      );
      expect((await readdir(folder)).sort()).toEqual(['generator_web.1.log', 'main.log']);
    }),
  );

  test(
    'as JSON is one object per line, in files that are named so',
    withLog(
      async ({ logs, file, console }) => {
        logs.log.write('warning', 'two\nlines', { generator_id: 'a', reason: 'x "y"' });
        const { timestamp, ...rest } = JSON.parse(await file('generator_a.json')) as Record<string, unknown>;
        expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        expect(rest).toEqual({ level: 'warning', event: 'two\nlines', reason: 'x "y"' });
        expect(JSON.parse(console())).toMatchObject({ generator_id: 'a' });
      },
      { format: 'json' },
    ),
  );

  test(
    'leaves out what is below its level, everywhere',
    withLog(
      async ({ logs, file, console }) => {
        for (const level of ['debug', 'info', 'warning', 'error', 'critical'] as const) {
          logs.log.write(level, level);
        }
        expect(await file('main.log')).toBe('error    error\ncritical critical\n');
        expect(console()).toBe('error    error\ncritical critical\n');
        expect(logs.tail.open(null, { from_bytes: 1_000, onMore: () => {} }).take().lines).toHaveLength(2);
      },
      { level: 'error' },
    ),
  );

  test(
    'shows generator lifecycle on the console, but only warnings and worse of their plugins',
    withLog(async ({ logs, console, file }) => {
      const generator = logs.log.with({ generator_id: 'a' });
      const plugin = generator.with({ plugin_name: 'script' });
      generator.write('info', 'generator starts');
      plugin.write('info', 'hello');
      plugin.write('warning', 'careful');
      expect(console()).toBe(
        'info     generator starts generator_id=a\nwarning  careful generator_id=a plugin_name=script\n',
      );
      expect((await file('generator_a.log')).split('\n')).toHaveLength(4);
    }),
  );

  test.each(['../../etc/passwd', '', '.hidden', 'a/b', 'x'.repeat(200), 7, null])(
    'a line about %j is one of the instance: no path is made of it',
    (id) =>
      withLog(async ({ logs, file, folder }) => {
        logs.log.write('error', 'an entry is left out', { generator_id: id });
        expect(await file('main.log')).toMatch(/^error {4}an entry is left out generator_id=/);
        expect(await readdir(folder)).toEqual(['main.log']);
      })(),
  );

  test(
    'keeps the last lines of each source in memory, as the file has them',
    withLog(async ({ logs, file }) => {
      logs.log.write('info', 'main');
      logs.log.write('info', 'one', { generator_id: 'a' });
      logs.log.write('info', 'two', { generator_id: 'a' });
      const lines = logs.tail
        .open('a', { from_bytes: 10_000, onMore: () => {} })
        .take()
        .lines.join('');
      expect(lines.replace(TIME, '')).toBe(await file('generator_a.log'));
      expect(logs.tail.has(null)).toBe(true);
    }),
  );

  test(
    'reports on the console only that its files cannot be written',
    withLog(
      async ({ logs, console }) => {
        logs.log.write('info', 'hello');
        await logs.close();
        const [hello, trouble, lost] = console().split('\n');
        expect(hello).toBe('info     hello');
        expect(trouble).toMatch(/^error {4}cannot write log files: .* reason="cannot write \/dev\/null\/x/);
        expect(lost).toMatch(/^error {4}log lines lost at shutdown .*lines_dropped=1$/);
        const lines = logs.tail.open(null, { from_bytes: 1_000, onMore: () => {} }).take().lines;
        expect(lines).toHaveLength(1);
      },
      { folder: '/dev/null/x' },
    ),
  );
});
