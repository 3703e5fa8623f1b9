import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Comparison } from '../../../src/analysis/learn/compare/compare.js';
import { folderWith } from '../../cli/support.js';
import { runProgram } from '../../support/instance.js';
import { madeFrom } from './made.js';

const LOGS = join(dirname(fileURLToPath(import.meta.url)), 'logs');
const LOG_NAMES = readdirSync(LOGS).filter((name) => name.endsWith('.log'));
const SEED = 'a seed of the tests';

/** The built program: what it computes takes twice as long within Jest. */
const spate = async (args: readonly string[], cwd: string) => {
  const program = runProgram(args, { cwd });
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

const textOf = (name: string): string => readFileSync(join(LOGS, name), 'utf8');

/** People and machines that the logs name. */
const NAMES =
  /\b(?:mkowalski|tgreen|sfischer|jdoe77|ops-backup|fileserver3|lwagner|ppetrov|backupsvc|buildbox9|reporting_jane|hmeyer|qadams|build_ci|acme-widgets|mwatson|jfernandez|k\.oduya|baduser|ngreene|tobias\.kern|svc_deploy|olgap|hiroshi|oracle1|ftpguy|testy|hannah_vogt|r_delgado|etl_nightly|intruder_x|edge-fra-07|kundenpost|fabrikam-labs)\b/g;
const ADDRESSES =
  /\b(?:203\.0\.113|198\.51\.100|192\.168\.7|(?:10\.14|46\.4|185\.22|85\.214|91\.189|203\.0|52\.47)\.\d{1,3})\.\d{1,3}\b/g;
const MACS = /(?<![\da-f:])[\da-f]{2}(?::[\da-f]{2}){5,}/g;
const FINGERPRINTS = /(?<=SHA256:)[\w+/]{43}/g;
const UUIDS = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

const privateValues = (text: string): readonly string[] => [
  ...new Set([NAMES, ADDRESSES, UUIDS, MACS, FINGERPRINTS].flatMap((look) => text.match(look) ?? [])),
];

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

interface Report {
  readonly records: number;
  readonly formats: readonly (readonly [string, number])[];
  readonly templates: readonly { readonly name: string; readonly fields: readonly string[] }[];
  readonly comparison: Comparison;
}

const learned = async (name: string, ...more: readonly string[]) => {
  const cwd = await folderWith({ 'the.log': textOf(name) });
  const args = ['learn', 'the.log', '--out', 'made', '--seed', SEED, '--json', ...more];
  const { code, out, err } = await spate(args, cwd);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return { cwd, folder: join(cwd, 'made'), report: JSON.parse(out) as Report };
};

/** What is learned without more options: once for all tests, which read it only. */
const known = new Map<string, ReturnType<typeof learned>>();
const learnedOnce = (name: string): ReturnType<typeof learned> => {
  const made = known.get(name) ?? learned(name);
  known.set(name, made);
  return made;
};

describe.each(LOG_NAMES)('a generator learned from %s', (name) => {
  test('runs, is as close as 5 % and holds no private value', async () => {
    const { folder, report } = await learnedOnce(name);
    const { comparison } = report;
    expect(comparison.failed).toBe(0);
    expect(comparison.unmatched / comparison.events).toBeLessThan(0.02);
    const far = comparison.fields.filter(
      ({ kind, difference }) => kind !== 'number' && (difference ?? 0) > 0.05,
    );
    expect(far).toEqual([]);
    expect(comparison.worst.number).toBeLessThan(0.1);
    const values = privateValues(textOf(name));
    for (const file of filesBelow(folder)) {
      const text = await readFile(file, 'utf8');
      expect({ file, found: values.filter((value) => text.includes(value)) }).toEqual({ file, found: [] });
    }
  });
});

test('all generators are valid', async () => {
  const folders = await Promise.all(LOG_NAMES.map(async (name) => (await learnedOnce(name)).folder));
  const { code, err, out } = await spate(['validate', ...folders], folders[0] ?? '');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`${LOG_NAMES.length} files are valid`);
});

test('the logs hold private values to look for', () => {
  const counts = LOG_NAMES.map((name) => privateValues(textOf(name)).length);
  expect(counts.filter((count) => count > 0).length).toBeGreaterThanOrEqual(5);
});

test.each([
  ['nginx-access.log', 'access'],
  ['rsyslog.log', 'syslog'],
  ['journalctl.log', 'syslog'],
  ['auditd.log', 'pairs'],
  ['postgresql.log', 'lines'],
  ['dpkg.log', 'lines'],
  ['journalctl-json.log', 'json'],
  ['rsyslog-5424.log', 'syslog'],
  ['haproxy.log', 'syslog'],
  ['apache-error.log', 'lines'],
])('the format of %s is %s', async (name, format) => {
  const { report } = await learnedOnce(name);
  expect(report.formats[0]?.[0]).toBe(format);
});

test('the same logs and seed give the same files, another seed other pseudonyms', async () => {
  const textsOf = ({ folder }: Awaited<ReturnType<typeof learned>>): string =>
    filesBelow(folder)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
  expect(textsOf(await learned('rsyslog.log'))).toBe(textsOf(await learnedOnce('rsyslog.log')));
  const samplesOf = async (seed: string): Promise<readonly string[]> =>
    [...(await madeFrom(textOf('rsyslog.log'), { events: 1, seed })).files].map(String);
  expect(await samplesOf(SEED)).toEqual(await samplesOf(SEED));
  expect(await samplesOf('another')).not.toEqual(await samplesOf(SEED));
});

test('values are kept when asked', async () => {
  const { folder } = await learned('rsyslog.log', '--keep-values');
  const texts = filesBelow(folder).map((file) => readFileSync(file, 'utf8'));
  for (const name of ['mkowalski', 'fileserver3']) expect(texts.join('\n')).toContain(name);
});

test.each([
  ['postgresql.log', ['--seed', SEED]],
  ['rsyslog.log', ['--seed', SEED]],
  ['rsyslog.log', []],
])('a generator of %s passes the check with its log and %j', async (name, seed) => {
  const { cwd } = await learnedOnce(name);
  const checked = await spate(['learn', '--check', 'made', 'the.log', ...seed], cwd);
  expect({ code: checked.code, err: checked.err }).toEqual({ code: 0, err: '' });
  expect(checked.out.includes('by rank')).toBe(seed.length === 0);
});

test('a generator of another log fails the check, with the fields that differ', async () => {
  const { cwd } = await learnedOnce('rsyslog.log');
  const other = textOf('rsyslog.log').replaceAll('sshd', 'dropbear');
  await writeFile(join(cwd, 'other.log'), other);
  const { code, err } = await spate(['learn', '--check', 'made', 'other.log', '--seed', SEED], cwd);
  expect(code).toBe(1);
  expect(err).toMatch(/^spate: not within 5 %: .*program differs by 6\d\.\d %/);
});
