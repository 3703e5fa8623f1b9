import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../src/domain/random.js';
import { eventually, type Instance, makeInstance, runProgram } from '../../support/instance.js';
import {
  COUNTER_FILES,
  FIRST_FILES,
  HAND,
  PASSWORD,
  type Place,
  placesOf,
  readDisk,
} from '../../support/writtenPlaces.js';

/** `SPATE_TEST_KILLS=20` for the long form. */
const KILLS = Number(process.env['SPATE_TEST_KILLS'] ?? 5);
const SEED = String(process.env['SPATE_TEST_SEED'] ?? Date.now());
/** So many clients write to each place at once. */
const WRITERS = 2;
/** After this long a temporary file belongs to nobody any more. */
const STALE_MS = 3_600_000;
const TEMPORARY = /\.spate-[0-9a-f]+\.tmp$/;

const random = seededRandom(SEED);

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

const started = async (generators: Readonly<Record<string, string>>): Promise<Instance> => {
  const made = await makeInstance({
    startup: HAND,
    log: 'max_bytes: 1000000',
    generators,
    env: { SPATE_KEYRING_PASSWORD: PASSWORD },
  });
  instance = made;
  await made.start();
  return made;
};

const namesIn = async (folder: string, pattern: RegExp): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => pattern.test(name)).sort();

/** Clients of an instance, and what was answered to them. */
const clientsOf = (made: Instance) => {
  let serial = 1;
  let onDone: (what: string) => void = () => {};
  const problems: string[] = [];
  const answered = new Map<string, number>();

  const writeOnce = async ({ what, history, request }: Place): Promise<void> => {
    const n = ++serial;
    const [method, path, body] = request(n);
    const write = history.begin(method === 'DELETE' ? null : n);
    const { status, body: said } = await made.api(method, path, method === 'DELETE' ? undefined : body);
    const isDone = status === 200 || status === 201;
    write.end(isDone ? 'done' : 'refused');
    if (isDone) {
      answered.set(what, (answered.get(what) ?? 0) + 1);
      onDone(what);
      return;
    }
    // An entry may be there already, or not be there.
    if (!what.startsWith('entry') || ![404, 409].includes(status))
      problems.push(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
  };
  /** Writes until the instance is killed. */
  const writeOn = async (place: Place): Promise<void> => {
    try {
      for (;;) await writeOnce(place);
    } catch {
      // The connection ended in the middle; whether the write did happen is seen on the disk.
    }
  };
  return {
    problems,
    answered,
    writeOnce,
    writeOn,
    /** Kills in the moment in which a write to this place is answered. */
    killAtAnswer: (place: Place): Promise<void> =>
      new Promise((resolve) => {
        onDone = (what) => {
          if (what !== place.what) return;
          onDone = () => {};
          made.program().child.kill('SIGKILL');
          resolve();
        };
      }),
  };
};

/** Problems of the files while nothing runs; from then on these files are in force. */
const problemsOnDisk = async (folder: string, places: readonly Place[]): Promise<readonly string[]> => {
  const disk = await readDisk(folder);
  return places.flatMap(({ what, history, onDisk }) => {
    const possible = history.possible();
    try {
      const seen = onDisk(disk);
      history.settle(seen);
      return possible.includes(seen) ? [] : [`${what} is ${seen}, not one of ${possible}`];
    } catch (thrown) {
      return [`${what} ${String(thrown)}`];
    }
  });
};

/** The daemon is there again with what lies on the disk. */
const expectInForce = async (made: Instance, places: readonly Place[]): Promise<void> => {
  await made.start();
  const { body } = await made.api('GET', '/instance/settings');
  const settings = places.find(({ what }) => what === 'settings');
  const [max_bytes] = settings?.history.possible() ?? [];
  expect(body).toMatchObject({ log: { max_bytes: 1_000_000 + (max_bytes ?? Number.NaN) } });
  await eventually(async () => {
    const { body } = await made.api('GET', '/generators/counter/status');
    return (body as { phase?: string }).phase === 'running' ? body : null;
  }, 'the counter runs');
};

describe(`an instance that is killed ${KILLS} times (-9) while everything is written`, () => {
  test('has of each file the old version or the new one, every answered write, and starts again', async () => {
    const made = await started(FIRST_FILES);
    const { folder } = made;
    const places = placesOf(await made.file('spate.yml'), random);
    const clients = clientsOf(made);
    const leftBehind: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = (await namesIn(folder, TEMPORARY)).length;
      const writing = Array.from({ length: WRITERS }, () => places.map(clients.writeOn)).flat();
      // However slow the machine is, the first kill is not too early for any of them.
      const areAll = () => places.every(({ what }) => clients.answered.has(what));
      if (kill === 1) await eventually(async () => (areAll() ? true : null), 'an answer for each place');
      await sleep(random.integer(20, 1_000));
      // Some moment, the moment of an answer, or one while some file is being replaced.
      const place = places[random.integer(0, places.length - 1)];
      if (kill % 3 === 2 && place !== undefined) await clients.killAtAnswer(place);
      if (kill % 3 === 1) while ((await namesIn(folder, TEMPORARY)).length <= before);
      await made.kill('SIGKILL');
      await Promise.all(writing);
      const problems = await problemsOnDisk(folder, places);
      expect([SEED, kill, ...clients.problems, ...problems]).toEqual([SEED, kill]);
      leftBehind.push((await namesIn(folder, TEMPORARY)).length - before);
      await expectInForce(made, places);
    }
    const answered = [...clients.answered].map(([what, count]) => `${what} ${count}`).join(', ');
    const shown = `answered ${answered}; temporary files left behind: ${leftBehind.join(' ')}`;
    process.stderr.write(`seed ${SEED}: ${KILLS} kills, ${shown}\n`);
    // One write per place can be under way, those of a file that is received too, and a lock.
    expect(Math.max(...leftBehind)).toBeLessThanOrEqual(places.length + WRITERS + 1);

    // What killed writes left is thrown away by a later write, once nobody can need it any more.
    const old = new Date(Date.now() - 2 * STALE_MS);
    for (const name of await namesIn(folder, TEMPORARY)) await utimes(join(folder, name), old, old);
    for (const place of places) await clients.writeOnce(place);
    const isClean = async () => ((await namesIn(folder, TEMPORARY)).length === 0 ? true : null);
    await eventually(isClean, 'no temporary file is left');
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect([...clients.problems, ...(await problemsOnDisk(folder, places))]).toEqual([]);
    expect(await namesIn(folder, /\.tmp$|\.lock/)).toEqual([]);
    const paths = ['spate.yml', 'startup.yml', 'generators'].map((path) => join(folder, path));
    const validated = runProgram(['validate', '--no-files', ...paths]);
    expect([await validated.exited, validated.stderr()]).toEqual([{ code: 0, signal: null }, '']);
  }, 600_000);
});

describe('an instance that is stopped', () => {
  test('has saved the globals of its scripts to the last event', async () => {
    const made = await started(COUNTER_FILES);
    const count = async (): Promise<number> =>
      (await made.file('out.log').catch(() => '')).split('\n').length - 1;
    for (let stop = 1; stop <= 2; stop++) {
      if (stop > 1) await made.start();
      const before = await count();
      await eventually(async () => ((await count()) > before + 30 ? true : null), 'thirty events');
      expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      const lines = (await made.file('out.log')).trimEnd().split('\n').map(Number);
      expect(lines).toEqual(lines.map((_, index) => index + 1));
      const saved: unknown = JSON.parse(await made.file('state/globals/shop.json'));
      expect(saved).toMatchObject({ globals: { count: lines.length } });
    }
  });
});
