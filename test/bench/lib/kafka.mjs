/** librdkafka's mock brokers of their own on loopback, in a kcat process. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { watchGroup } from './workplace.mjs';

const PATIENCE_MS = 20_000;

/** Why there are no brokers; `null` when there can be some. */
export const lackOfKafka = () =>
  spawnSync('kcat', ['-V'], { stdio: 'ignore' }).error === undefined
    ? null
    : 'kcat is not installed (Debian: apt-get install kcat)';

/** Starts three brokers: `{servers, count(topic), kill()}`. The consumer reads an empty topic. */
export const startKafka = async () => {
  const args = ['-C', '-q', '-b', 'mock', '-t', 'idle', '-d', 'mock', '-X', 'test.mock.num.brokers=3'];
  const options = { stdio: ['ignore', 'ignore', 'pipe'], detached: true };
  const child = watchGroup(spawn('kcat', args, options));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const servers = await new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`kcat did not start: ${said}`)), PATIENCE_MS);
    child.stderr.on('data', (part) => {
      if (said === null) return;
      said += part;
      const found = /bootstrap\.servers=(127[\d.:,]+)/.exec(said);
      if (found === null) return;
      said = null;
      clearTimeout(timer);
      resolve(found[1]);
    });
  });
  return {
    servers,
    /** Messages that the partitions of a topic took. */
    count: (topic) => {
      const asked = [0, 1, 2, 3].flatMap((partition) => ['-t', `${topic}:${partition}:-1`]);
      const text = execFileSync('kcat', ['-Q', '-b', servers, ...asked], { encoding: 'utf8' });
      return [...text.matchAll(/offset (\d+)/g)].reduce((sum, [, offset]) => sum + Number(offset), 0);
    },
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
};
