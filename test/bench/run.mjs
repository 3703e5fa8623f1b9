/**
 * `npm run bench [-- CASE... options]`: runs benchmark cases against the built program. Fails on wrong results,
 * never on time. A case is a module in cases/ that exports `pairs` (sides that run in turn, see lib/pairs.mjs)
 * or `run` (figures of its own), and perhaps `limits` (what limits it), `disk_bytes` and `isLong` (only when named).
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { baselineOf, compared, mergedBaseline } from './lib/baseline.mjs';
import { readOptions, USAGE } from './lib/options.mjs';
import { runPairs } from './lib/pairs.mjs';
import { profileText } from './lib/profile.mjs';
import { CLI } from './lib/spate.mjs';
import { markdownOf, rowsOf, shown, shownSpread, textTable } from './lib/table.mjs';
import { caseFolder, lackOfRoom, openWorkplace } from './lib/workplace.mjs';

const HERE = import.meta.dirname;
const CASES = join(HERE, 'cases');
const BASELINE = join(HERE, 'baseline.json');

const say = (text) => process.stderr.write(`${text}\n`);
const fail = (text) => {
  say(text);
  process.exit(2);
};

const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 1e9),
  kernel: release(),
  node: process.version,
});

const all = readdirSync(CASES)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort();

const load = (name) => import(join(CASES, `${name}.mjs`));

/** `{rows, problems, skipped?, ...}` of one case. */
const runCase = async (name, options) => {
  const module = await load(name);
  const skipped = (await module.skip?.()) ?? lackOfRoom((module.disk_bytes ?? 0) * options.scale);
  if (skipped !== null) return { skipped, rows: [], problems: [] };
  const begin = performance.now();
  const { scale, seconds, pairs, profile } = options;
  const isNamed = options.cases.length > 0;
  const given = { folder: caseFolder(name), scale, seconds, pairs, profile, isNamed };
  const made = await (module.pairs === undefined
    ? module.run(given)
    : module.pairs(given).then((plan) => runPairs(name, plan, options))
  ).finally(() => rmSync(given.folder, { recursive: true, force: true }));
  const rows = (made.rows ?? []).map((row) => ({ ...row, case: name }));
  const took_seconds = Math.round((performance.now() - begin) / 1_000);
  return { ...made, rows, limits: module.limits, took_seconds };
};

/** One case from its first word to its last. A throw is a wrong result too. */
const runAndTell = async (name, options) => {
  say(`${name} ...`);
  const made = await runCase(name, options).catch((thrown) => ({
    rows: [],
    problems: [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)],
  }));
  const { rows, problems, skipped, limits, profiles, rounds: _, took_seconds, ...report } = made;
  if (skipped !== undefined) say(`${name} was skipped: ${skipped}`);
  if (rows.length > 0) process.stdout.write(`${textTable(rowsOf(rows))}`);
  else if (Object.keys(report).length > 0)
    process.stdout.write(`${JSON.stringify({ case: name, ...report }, null, 2)}\n`);
  if (limits !== undefined && rows.length > 0) process.stdout.write(`what limits it: ${limits}\n`);
  for (const profile of profiles ?? []) process.stdout.write(profileText(profile));
  for (const problem of problems) say(`${name}: ${problem}`);
  return made;
};

const readBaseline = () => {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8'));
  } catch (thrown) {
    if (thrown.code === 'ENOENT') return null;
    throw thrown;
  }
};

const showComparison = (rows, scale) => {
  const baseline = readBaseline();
  if (baseline === null) return say(`there is no ${BASELINE}; --save-baseline makes it`);
  const lines = compared(rows, baseline).map(({ name, before, now, change, isNoise }) => [
    name,
    before === null ? 'none' : shownSpread(before),
    shownSpread(now),
    change === null ? '' : `x ${shown(change)}${isNoise ? ', within the spread' : ''}`,
  ]);
  if (lines.length > 0)
    process.stdout.write(`\n${textTable([['ratio', 'baseline', 'now', 'change'], ...lines])}`);
  if (scale !== 1)
    process.stdout.write(
      `with inputs ${shown(scale)} times those of the baseline: start-up weighs otherwise\n`,
    );
};

const main = async () => {
  const options = readOptions(process.argv.slice(2));
  if (options.problem !== undefined) fail(`${options.problem}\n\n${USAGE}`);
  if (options.help) return process.stdout.write(USAGE);
  if (options.list) return process.stdout.write(`${all.join('\n')}\n`);
  const unknown = options.cases.filter((name) => !all.includes(name));
  if (unknown.length > 0) fail(`no such case: ${unknown.join(', ')}; there are ${all.join(', ')}`);
  if (!existsSync(CLI)) fail(`${CLI} is not there: \`npm run build\` makes it`);
  openWorkplace();
  const names = options.cases.length > 0 ? options.cases : all;
  const report = { machine: machine(), at: new Date().toISOString(), options, cases: {} };
  for (const name of names) {
    if (options.cases.length === 0 && (await load(name)).isLong === true) continue;
    report.cases[name] = await runAndTell(name, options);
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  const made = Object.values(report.cases);
  const rows = made.flatMap((one) => one.rows);
  if (names.length > 1 && rows.length > 0) process.stdout.write(`\n${textTable(rowsOf(rows))}`);
  if (options.markdown) {
    const limits = Object.entries(report.cases).map(([name, one]) => [name, one.limits]);
    process.stdout.write(`\n${markdownOf(rows, Object.fromEntries(limits))}`);
  }
  if (options.compare) showComparison(rows, options.scale);
  if (options.save) {
    const stored = mergedBaseline(readBaseline(), baselineOf(rows, machine()));
    writeFileSync(BASELINE, `${JSON.stringify(stored, null, 2)}\n`);
  }
  const failed = made.reduce((sum, { problems }) => sum + problems.length, 0);
  if (failed > 0) say(`${failed} results are wrong`);
  process.exitCode = failed > 0 ? 1 : 0;
};

await main();
process.exit();
