import { afterAll, describe, expect, test } from '@jest/globals';
import { globalsView, makeOwnedGlobals } from '../../../../../src/domain/globals/owned.js';
import { globalsLock } from '../../../../../src/plugins/events/script/python/globals.js';
import { HAS_PYTHON, NEEDS_PYTHON, scriptStarter } from './scripts.js';

const scripts = scriptStarter();
afterAll(scripts.remove);

const check = HAS_PYTHON ? describe : describe.skip;

check(`globals of a Python script ${NEEDS_PYTHON}`, () => {
  const globals = globalsView(makeOwnedGlobals('home', { list: [1, { a: null }] }, 0), []);
  const start = (text: string) => scripts.start(text, { more: { globals } });

  test('are read and written as JSON', async () => {
    const { call } = await start(`
def produce(params):
    g = params['globals']
    g.set('word', 'ж')
    g.update({'n': 1, 'm': 2})
    return [repr(x) for x in (g.get('list'), g['word'], g.get('no'), g.get('no', 5), 'n' in g, 'no' in g,
                              g.pop('m'), g.pop('m', 'gone'), g.increment('n'), g.increment('n', 2.5), sorted(g.as_dict()))]`);
    expect((await call()).events).toEqual([
      "[1, {'a': None}]",
      "'ж'",
      'None',
      '5',
      'True',
      'False',
      '2',
      "'gone'",
      '2',
      '4.5',
      "['list', 'n', 'word']",
    ]);
    expect(globals.snapshot()).toEqual({ list: [1, { a: null }], word: 'ж', n: 4.5 });
  });

  test('clear removes all', async () => {
    const { call } = await start(`def produce(params):\n    params['globals'].clear()\n    return 'a'`);
    await call();
    expect(globals.snapshot()).toEqual({});
  });

  test.each([
    ['a value that JSON lacks', `g.set('x', float('nan'))`, 'ValueError: Out of range float values'],
    ['an object', `g.set('x', object())`, 'TypeError: Object of type object is not JSON serializable'],
    [
      'a sum with a text',
      `g.set('x', 'a'); g.increment('x')`,
      'ValueError: globals.increment("x"): the value there is string',
    ],
    ['a lock that is not held', 'g.release()', 'RuntimeError: release() without acquire()'],
  ])('%s is an exception in the script', async (_, line, reason) => {
    const { call, lines } = await start(`def produce(params):\n    g = params['globals']\n    ${line}`);
    expect(await call()).toMatchObject({ failed: 1 });
    expect(lines[0]?.context['reason']).toContain(reason);
  });

  test('with the lock, no increment of two scripts is lost, and an exception leaves none behind', async () => {
    const text = `def produce(params):
    g = params['globals']
    g.acquire()
    g.set('sum', g.get('sum', 0) + 1)
    if g.get('sum') % 7 == 0: raise ValueError('held')
    g.release()
    return 'a'`;
    const [one, two] = [await start(text), await start(text)];
    await Promise.all([one.call(200), two.call(200)]);
    expect(globals.get('sum')).toBe(400);
  });
});

describe('the lock of Python scripts', () => {
  test('is given in order, and those that leave the queue are passed over', async () => {
    const lock = globalsLock();
    const [a, b, c] = [{}, {}, {}];
    const taken: string[] = [];
    void lock.acquire(a).then(() => taken.push('a'));
    void lock.acquire(b).then(() => taken.push('b'));
    void lock.acquire(c).then(() => taken.push('c'));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect(taken).toEqual(['a']);
    lock.release(b);
    lock.release({});
    await turn();
    expect(taken).toEqual(['a']);
    lock.release(a);
    await turn();
    expect(taken).toEqual(['a', 'c']);
  });
});
