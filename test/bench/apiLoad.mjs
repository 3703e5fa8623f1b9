/**
 * Clients that read, change and preview at once, beside two generators at full speed: what each kind of request
 * takes, and whether an answered change is lost anywhere. Shared by `npm run bench -- api` and the test of the same.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { figures, openLoop } from '../support/openLoop.mjs';
import {
  configText,
  jsonOf,
  MAX_BYTES,
  makePlaces,
  mixOf,
  PASSWORD,
  PLACES,
  previewOf,
  randomOf,
  sees,
} from './apiMix.mjs';

export { LOAD_INSTANCE } from './apiMix.mjs';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');
const MAX_SHOWN = 10;

/** Runs the command line; its exit code and what it wrote. */
const spate = (args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => resolve({ code, text }));
  });

/** What is wrong with the files: changes that are lost, text by hand that is gone, leftovers, invalid ones. */
const problemsOfFiles = async (folder, places) => {
  const text = (path) => readFileSync(join(folder, path), 'utf8');
  const found = [];
  const expectSeen = (what, seen, place) => found.push(sees(what, seen, place.possible()));
  for (const [n, place] of places.configs.entries()) {
    const path = `generators/c${n}/generator.yml`;
    const seen = parse(text(path)).input[0].static.count;
    expectSeen(path, seen, place);
    if (text(path) !== configText(`c${n}`, seen))
      found.push(`${path} is not as it was written by hand: ${text(path)}`);
  }
  const startup = text('startup.yml');
  const entries = new Map(parse(startup).map((entry) => [entry.id, entry]));
  if (entries.size !== PLACES + 2 || !startup.startsWith('# Kept by hand.'))
    found.push(`startup.yml has ${entries.size} entries`);
  for (const [n, place] of places.entries.entries())
    expectSeen(`startup.yml: e${n}`, entries.get(`e${n}`)?.params?.n, place);
  const max_bytes = parse(text('spate.yml')).log?.max_bytes;
  expectSeen('spate.yml', max_bytes === undefined ? 0 : max_bytes - MAX_BYTES, places.settings);
  for (const [n, place] of places.secrets.entries()) {
    const args = ['keyring', 'get', `s${n}`, '--file', join(folder, 'keyring')];
    const { text: value } = await spate(args, { SPATE_KEYRING_PASSWORD: PASSWORD });
    expectSeen(
      `secret s${n}`,
      Number(/^value (\d+)\n$/.exec(value)?.[1] ?? (/not in|no keyring/.test(value) ? 0 : value)),
      place,
    );
  }
  const left = readdirSync(folder, { recursive: true }).filter((name) => /\.tmp$|\.lock$/.test(name));
  if (left.length > 0) found.push(`left behind: ${left.join(', ')}`);
  const paths = ['spate.yml', 'startup.yml', 'generators'].map((path) => join(folder, path));
  const validated = await spate(['validate', '--no-files', ...paths]);
  if (validated.code !== 0) found.push(`spate validate: ${validated.text}`);
  return found.filter((problem) => problem !== undefined);
};

const rounded = (value) => Math.round(value);

/** Latencies of all kinds whose name begins so. */
const together = (latencies, method) =>
  figures([...latencies].filter(([kind]) => kind.startsWith(method)).flatMap(([, all]) => all));

/** Events that the two generators have produced. */
const produced = async (url) => {
  const of = async (id) => {
    const response = await fetch(`${url}/generators/${id}/stats`);
    // 400: it has not run yet.
    return response.status === 400 ? 0 : (await response.json()).event.produced;
  };
  return { script: await of('script'), replay: await of('replay') };
};

/** Waits until both generators have produced something. */
const bothRun = async (url) => {
  for (let tries = 0; tries < 300; tries++) {
    const { script, replay } = await produced(url);
    if (script > 10_000 && replay > 10_000) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the generators do not get to full speed');
};

/**
 * Loads the instance in a folder, which runs and was made of `LOAD_INSTANCE`. `stop` ends it, and the files
 * are looked at after that. Latencies are milliseconds from the time a request was due to its last byte.
 */
export const apiLoad = async ({ folder, port, connections, per_second, seconds, seed, stop }) => {
  const url = `http://127.0.0.1:${port}/api`;
  await bothRun(url);
  const places = makePlaces();
  const parts = {
    places,
    random: randomOf(seed),
    preview: await previewOf(url),
    settings: await jsonOf(url, '/instance/settings'),
  };
  const mix = mixOf(parts);
  const next = (index) => {
    const { path, ...request } = mix(index);
    return { ...request, path: `/api${path}` };
  };
  const before = await produced(url);
  const begin = performance.now();
  const warmUp = { method: 'GET', path: '/api/health' };
  const { latencies, lags, errors, opened } = await openLoop({
    port,
    connections,
    per_second,
    seconds,
    next,
    warmUp,
  });
  const took_s = (performance.now() - begin) / 1_000;
  const after = await produced(url);
  const problems = errors.slice(0, MAX_SHOWN);
  if (errors.length > MAX_SHOWN) problems.push(`and ${errors.length - MAX_SHOWN} more errors`);
  for (const id of ['script', 'replay']) if (after[id] <= before[id]) problems.push(`${id} has stopped`);
  const globals = await jsonOf(url, '/scenarios/busy/globals');
  for (const [n, place] of places.globals.entries())
    problems.push(...[sees(`k${n}`, globals[`k${n}`] ?? 0, place.possible())].filter(Boolean));
  await stop();
  problems.push(...(await problemsOfFiles(folder, places)));
  return {
    connections: { asked_for: connections, opened },
    requests: lags.length,
    per_second,
    seconds: Number(took_s.toFixed(1)),
    seed,
    events_per_second: {
      script: rounded((after.script - before.script) / took_s),
      replay: rounded((after.replay - before.replay) / took_s),
    },
    sent_late_ms: figures(lags),
    reads_ms: together(latencies, 'GET'),
    writes_ms: together(latencies, 'P'),
    previews_ms: together(latencies, 'preview'),
    kinds_ms: Object.fromEntries([...latencies].sort().map(([kind, all]) => [kind, figures(all)])),
    problems,
  };
};
