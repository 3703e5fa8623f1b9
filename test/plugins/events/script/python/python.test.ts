import { afterAll, describe, expect, test } from '@jest/globals';
import { HAS_PYTHON, NEEDS_PYTHON, scriptStarter } from './scripts.js';

const scripts = scriptStarter();
afterAll(scripts.remove);

const { start } = scripts;
const check = HAS_PYTHON ? describe : describe.skip;

check(`calling a Python script ${NEEDS_PYTHON}`, () => {
  test('a string is one event, a list of strings is one event each, an empty list is none', async () => {
    const { call } = await start(
      `results = ['a', ['b', 'c'], []]\ndef produce(params): return results.pop(0)`,
    );
    expect(await call(3)).toEqual({
      consumed: 3,
      events: ['a', 'b', 'c'],
      failed: 0,
      dropped: 0,
      exhausted: false,
    });
  });

  test('the timestamp is an aware datetime in the zone of the generator, to the microsecond', async () => {
    const { call } = await start(`
from datetime import datetime, timedelta
def produce(params):
    t = params['timestamp']
    summer = (t + timedelta(days=180)).isoformat()
    return [t.isoformat(), t.strftime('%d/%b/%Y:%H:%M:%S %z'), str(isinstance(t, datetime)), summer]`);
    expect((await call()).events).toEqual([
      '2025-01-15T11:30:00.123456+01:00',
      '15/Jan/2025:11:30:00 +0100',
      'True',
      '2025-07-14T11:30:00.123456+02:00',
    ]);
  });

  test('tags are a tuple, params and partition are there', async () => {
    const { call } = await start(
      `def produce(params): return [repr(params['tags']), repr(params['params']), repr(params['partition'])]`,
    );
    expect((await call(1, ['a', 'b'])).events).toEqual([
      "('a', 'b')",
      "{'answer': 42}",
      "{'index': 0, 'count': 1}",
    ]);
  });

  test('each timestamp has the tags of its input', async () => {
    const { producer } = await start(`def produce(params): return '+'.join(params['tags'])`);
    const lists = [Object.freeze(['a']), Object.freeze(['b', 'c']), Object.freeze([])];
    const micros = Float64Array.of(0, 1, 2, 3);
    const made = await producer.produce({
      micros,
      from: 0,
      to: 4,
      tagsOf: (at) => lists[at % 3] ?? [],
      isSpent: () => false,
    });
    expect(made.events.texts()).toEqual(['a', 'b+c', '', 'a']);
  });

  test('what a call changes in params, the next one does not see', async () => {
    const { call } = await start(
      `def produce(params):\n    was = len(params)\n    params['more'] = 1\n    return str(was)`,
    );
    expect(new Set((await call(3)).events).size).toBe(1);
  });

  test('events with line ends, other scripts and NUL arrive whole; lone surrogates become U+FFFD', async () => {
    const { call } = await start(
      `events = ['a\\nb', '', 'ж€😀', 'x\\0y', '\\ud83d', '\\ud83d\\ude00']\ndef produce(params): return events`,
    );
    expect((await call()).events).toEqual(['a\nb', '', 'ж€😀', 'x\0y', '\ufffd', '😀']);
  });

  test('10,000 timestamps come in order, whatever the size of the batches', async () => {
    const { call } = await start(`n = 0\ndef produce(params):\n    global n\n    n += 1\n    return str(n)`);
    const { events } = await call(10_000);
    expect(events).toEqual(Array.from({ length: 10_000 }, (_, index) => String(index + 1)));
  });

  test('the same seed gives the same random numbers and order of sets, another seed others', async () => {
    const text = `import random\ndef produce(params): return [str(random.random()), str(list({'a', 'b', 'c', 'd', 'e', 'f'}))]`;
    const eventsWith = async (seed: string) => (await (await start(text, { seed })).call(20)).events.join();
    const [one, same, other] = [await eventsWith('1'), await eventsWith('1'), await eventsWith('2')];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test('a script imports modules beside it, reads files by its folder, and has its path in __file__', async () => {
    const { call, directory } = await start(
      `import helper\nwith open('words.txt') as f: word = f.read()\ndef produce(params): return [helper.WORD, word, __file__]`,
      { files: { 'helper.py': "WORD = 'beside'", 'words.txt': 'żółw' } },
    );
    expect((await call()).events).toEqual(['beside', 'żółw', `${directory}/produce.py`]);
  });

  test('texts of a preview stand for the script and its modules', async () => {
    const { call } = await start('saved = 1', {
      files: { 'helper.py': "WORD = 'saved'" },
      drafts: {
        'produce.py': `import helper\ndef produce(params): return helper.WORD`,
        'helper.py': "WORD = 'typed'",
      },
    });
    expect((await call()).events).toEqual(['typed']);
  });

  test('marks number the events of all timestamps', async () => {
    const { call } = await start(`def produce(params): return ['a', 'b\\nc']`, { marks: 'text' });
    const { events } = await call(2);
    expect(events.map((event) => event.replace(/[0-9a-f]{8}:(\d+):.*$/, '$1'))).toEqual([
      'a spate=1',
      'b\nc spate=2',
      'a spate=3',
      'b\nc spate=4',
    ]);
  });
});

check(`signals of a Python script ${NEEDS_PYTHON}`, () => {
  const PEER = `from eventum.plugins.event.exceptions import PluginEventDroppedError, PluginEventsExhaustedError
from eventum.plugins.event.base.plugin import ProduceParams
n = 0
def produce(params: ProduceParams) -> str:
    global n
    n += 1
    if n % 2 == 0: raise PluginEventDroppedError()
    if n == 5: raise PluginEventsExhaustedError()
    return str(n)
`;
  const OWN = `from spate import drop, exhaust
n = 0
def produce(params):
    global n
    n += 1
    if n % 2 == 0: drop()
    if n == 5: exhaust()
    return str(n)
`;

  test.each([
    ['those of Eventum', PEER],
    ['those of the older name', PEER.replaceAll('PluginEventsExhaustedError', 'PluginExhaustedError')],
    ['those of Spate', OWN],
  ])('drop and exhaust: %s', async (_, text) => {
    const { call } = await start(text);
    expect(await call(10)).toEqual({
      consumed: 4,
      events: ['1', '3'],
      failed: 0,
      dropped: 2,
      exhausted: true,
    });
    expect(await call(3)).toMatchObject({ consumed: 0, exhausted: true });
  });
});
