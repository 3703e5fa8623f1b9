import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PYTHON_FILE } from '../../../../../src/host/singleThread.js';
import { memoryLog } from '../../../../support/logs.js';
import { spawnSync } from '../../../../support/programs.js';
import { HAS_PYTHON, handClock, NEEDS_PYTHON, scriptStarter } from './scripts.js';

const scripts = scriptStarter();
afterAll(scripts.remove);

const { start, refusal } = scripts;
const check = HAS_PYTHON ? describe : describe.skip;

const returning = (value: string): string => `def produce(params): return ${value}`;

check(`events of a Python script that fail ${NEEDS_PYTHON}`, () => {
  test.each([
    ['None', 'produce returned None (is a return missing?), not a string or a list of strings'],
    ['12', 'produce returned int, not a string or a list of strings'],
    ["b'x'", 'produce returned bytes, not a string or a list of strings'],
    ["('a', 'b')", 'produce returned tuple, not a string or a list of strings'],
    [
      "['a', 1, None]",
      'produce returned a list with None (is a return missing?), int among its items, not only strings',
    ],
  ])('%s is a failed event that names what came, and gives no event', async (value, reason) => {
    const { call, lines } = await start(returning(value));
    expect(await call()).toMatchObject({ consumed: 1, events: [], failed: 1 });
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'event failed: error in the script',
        context: { file_path: 'produce.py', reason, timestamp: '2025-01-15T11:30:00.123456+01:00' },
      },
    ]);
  });

  test('an async function is named as the reason', async () => {
    const { call, lines } = await start(`async def produce(params): return 'a'`);
    expect(await call()).toMatchObject({ failed: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.context['reason']).toContain('coroutine (async functions are not supported)');
  });

  test('an exception is a failed event with class, message and line in a file of the script; the next follows', async () => {
    const { call, lines } = await start(
      `import json
from lib import helper
n = 0
def produce(params):
    global n
    n += 1
    if n == 2: helper.fail()
    if n == 3: json.loads('{')
    return 'fine'`,
      {
        files: {
          'lib/__init__.py': '',
          'lib/helper.py': "class Odd(Exception): pass\ndef fail():\n    raise Odd('so it is')\n",
        },
      },
    );
    expect(await call(4)).toMatchObject({ consumed: 4, events: ['fine', 'fine'], failed: 2 });
    expect(lines.map(({ context }) => context['reason'])).toEqual([
      'Odd: so it is (lib/helper.py:3)',
      expect.stringMatching(/^JSONDecodeError: .* \(produce\.py:8\)$/),
    ]);
  });

  test.each(["Exception('\\ud83d')", 'KeyboardInterrupt()', 'Odd()', 'RecursionError()', 'GeneratorExit()'])(
    'raising %s is contained',
    async (value) => {
      const { call } = await start(
        `class Odd(Exception):\n    def __str__(self): raise self\ndef produce(params): raise ${value}`,
      );
      expect(await call(2)).toMatchObject({ consumed: 2, failed: 2 });
    },
  );

  test('a result above the limit is a failed event', async () => {
    const { call, lines } = await start(returning("'x' * (33 * 1024 * 1024)"));
    expect(await call()).toMatchObject({ consumed: 1, failed: 1, events: [] });
    expect(lines[0]?.context['reason']).toBe(
      'produce returned 34603008 characters. A call may return 33554432.',
    );
  });

  test('many failures are counted, and the first are logged', async () => {
    const { call, lines } = await start(`def produce(params): raise ValueError('no')`);
    expect(await call(1_000)).toMatchObject({ consumed: 1_000, failed: 1_000 });
    expect(lines.length).toBeLessThan(50);
  });
});

check(`Python scripts that cannot be loaded ${NEEDS_PYTHON}`, () => {
  test.each([
    ['a syntax error', 'x = 1\ndef produce(:', /^script produce\.py: syntax error at produce\.py:2:\d+: /],
    ['a NUL', 'x = 1\0', /^script produce\.py: syntax error(?: at produce\.py:\d+:\d+)?: .*null bytes$/],
    [
      'no produce',
      'x = 1',
      /^script produce\.py does not define a function named produce\. Add "def produce/,
    ],
    [
      'a produce that is no function',
      'produce = 1',
      /^script produce\.py defines produce as int, not as a function$/,
    ],
    [
      'an import that fails',
      'import nowhere_to_be_found\n',
      /^script produce\.py failed to load: ModuleNotFoundError: No module named 'nowhere_to_be_found' \(produce\.py:1\)$/,
    ],
    [
      'an exception',
      "\nraise ValueError('not today')",
      /failed to load: ValueError: not today \(produce\.py:2\)$/,
    ],
    ['sys.exit', 'import sys\nsys.exit(3)', /^script produce\.py called sys\.exit\(3\) while it loaded$/],
  ])('%s', async (_, text, message) => {
    const { code, message: said } = await refusal(text);
    expect(code).toBe('plugin_failed');
    expect(said).toMatch(message);
  });

  test('a missing interpreter is named with what to do', async () => {
    expect(await refusal(returning("'a'"), { python: 'no-such-python' })).toMatchObject({
      code: 'plugin_failed',
      message:
        'script produce.py needs no-such-python, which was not found. Install Python 3.9 or later, or set `python` to the path of an interpreter.',
    });
  });

  test('an interpreter that is too old says so', () => {
    const old = 'import sys; sys.version_info = (3, 8, 1); exec(open(sys.argv[1]).read())';
    const { output } = spawnSync('python3', ['-c', old, fileURLToPath(PYTHON_FILE)], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const frame = output[3] as unknown as Buffer;
    expect(frame.readUInt32BE()).toBe(frame.length - 4);
    expect(frame.toString('utf8', 4)).toBe(
      'X{"message": "Python 3.8 is too old: scripts need Python 3.9 or later"}',
    );
  });

  test('a program that is not Python is named as the reason', async () => {
    const { code, message } = await refusal(returning("'a'"), { python: 'false' });
    expect(code).toBe('host_crashed');
    expect(message).toBe('the Python process of script produce.py was lost: it ended with code 1');
  });
});

check(`Python processes that are lost ${NEEDS_PYTHON}`, () => {
  test.each([
    ['sys.exit', `import sys\n${returning('sys.exit(3)')}`, 'it called sys.exit(3)'],
    ['os._exit', `import os\n${returning('os._exit(5)')}`, 'it ended with code 5'],
    [
      'a crash',
      `import os, signal\n${returning('os.kill(os.getpid(), signal.SIGSEGV)')}`,
      'SIGSEGV ended it',
    ],
    [
      'a memory bomb',
      'def produce(params):\n    all = []\n    while True: all.append(bytearray(1024 * 1024))',
      'it used more memory than it may have (256 MB, generation.thread_memory_mb)',
    ],
    ['a closed channel', `import os\n${returning("os.close(3) or 'a'")}`, 'it ended with code 1'],
    [
      'garbage on the channel',
      `import os\n${returning("str(os.write(3, b'garbage' * 10))")}`,
      'its process sent an invalid frame',
    ],
  ])('%s ends the generator with the reason', async (_, text, reason) => {
    const { failure } = await start(text);
    const { code, message } = await failure();
    expect(code).toBe('host_crashed');
    expect(message).toContain(`the Python process of script produce.py was lost: ${reason}`);
  });

  /** Lets time pass once the script has printed something. */
  const untilPrinted = async (lines: readonly unknown[], act: () => void): Promise<void> => {
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    act();
  };

  test.each([
    ['an endless loop', 'while True: pass'],
    ['a pattern that never ends', "re.match('(a+)+b', 'a' * 200)"],
    ['a sleep', 'time.sleep(1000)'],
  ])('%s is stopped', async (_, line) => {
    const { clock, pass } = handClock();
    const text = `import re, time\ndef produce(params):\n    print('called')\n    ${line}`;
    const { failure, lines } = await start(text, { clock });
    const ended = failure();
    await untilPrinted(lines, () => {
      for (let half = 0; half < 20; half++) pass();
    });
    expect(await ended).toMatchObject({
      code: 'host_stalled',
      message:
        'the Python process of script produce.py was lost: it kept busy for 10 s (an endless loop, or work that must be split)',
    });
  });

  test('an endless loop while loading is stopped', async () => {
    const { clock, pass } = handClock();
    const { log, lines } = memoryLog();
    const refused = refusal("print('loads')\nwhile True: pass", { clock, more: { log } });
    await untilPrinted(lines, () => {
      for (let half = 0; half < 60; half++) pass();
    });
    expect(await refused).toMatchObject({
      code: 'host_stalled',
      message: expect.stringContaining('busy for 30 s'),
    });
  });

  test('a stop in the middle of a call ends it without an error', async () => {
    const { call, abort, lines } = await start(
      `import time\ndef produce(params):\n    print('called')\n    time.sleep(1000)`,
    );
    const pending = call();
    await untilPrinted(lines, abort);
    expect(await pending).toMatchObject({ consumed: 0, exhausted: true });
  });
});

check(`what a Python script prints ${NEEDS_PYTHON}`, () => {
  test('goes to the log, by line, and does not disturb the events', async () => {
    const { call, lines, producer } = await start(
      `import sys, os
print('loaded')
def produce(params):
    print('one\\ntwo')
    print('bad', file=sys.stderr)
    os.system('echo from a program')
    return 'event'`,
    );
    expect((await call()).events).toEqual(['event']);
    await producer.close();
    const of = (source: string) => lines.filter(({ context }) => context['source'] === source);
    expect(of('stdout').map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info loaded',
      'info one',
      'info two',
      'info from a program',
    ]);
    expect(of('stderr')).toEqual([{ level: 'warning', message: 'bad', context: { source: 'stderr' } }]);
  });

  test('long lines are cut, and a last line without end is kept', async () => {
    const { call, lines, producer } = await start(
      `import sys\ndef produce(params):\n    print('x' * 1000000)\n    sys.stdout.write('end')\n    return 'event'`,
    );
    await call();
    await producer.close();
    expect(lines.map(({ message }) => message.length)).toEqual([8_193, 3]);
  });
});
