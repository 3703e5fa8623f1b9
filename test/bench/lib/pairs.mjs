/** Runs the sides of a case in turn and makes the rows of its report. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.mjs';
import { filled } from './options.mjs';
import { profilesIn, profilingEnv } from './profile.mjs';
import { OURS, rowsOfRounds } from './rows.mjs';
import { CLI } from './spate.mjs';
import { orderOf } from './statistics.mjs';

const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const remove = (path) => path !== undefined && rmSync(path, { force: true, recursive: true });

/** Runs a side once: what it measured, with its problems. */
const runSide = async (side, name) => {
  const measured = side.run === undefined ? await runCommand(side.command(), side) : await side.run();
  const { code = 0, text = '' } = measured;
  const problems = code === 0 ? [] : [`${name} ended with ${code}: ${text.slice(-1_000)}`];
  problems.push(...(measured.problems ?? []), ...((await side.check?.(measured)) ?? []));
  return { events: side.events, ...measured, problems };
};

/** The yardstick that the command line names, in place of those of the case. */
const outsideSide = (command, { config, folder, sides }, input) => {
  const output = join(folder, 'outside.out');
  const values = { input: input ?? '', output, config: config ?? '', folder, spate: CLI };
  return { command: () => filled(command, values), output, events: sides[OURS].events };
};

/** Runs every side once in the order of the round, and looks at what they wrote: `{[side]: measured}`. */
const runRound = async (names, { sides, before }, sizes, isKept) => {
  const round = {};
  for (const name of names) {
    const side = sides[name];
    // All of them: an outside command may write to the file of Spate.
    for (const other of isKept ? [side] : Object.values(sides)) remove(other.output);
    await before?.();
    const measured = await runSide(side, name);
    if (side.output !== undefined) {
      const size = (side.files ?? [side.output]).reduce((sum, path) => sum + sizeOf(path), 0);
      sizes[name] ??= side.bytes ?? size;
      if (size !== sizes[name])
        measured.problems.push(`${name} wrote ${size} bytes instead of ${sizes[name]}`);
      if (!isKept) remove(side.output);
    }
    round[name] = measured;
    if (side.short !== undefined && !isKept) {
      measured.short = await runSide({ ...side, ...side.short, check: undefined }, name);
      measured.problems.push(...measured.short.problems);
      remove(side.output);
    }
  }
  return round;
};

/**
 * Runs a pair case. What it makes (`plan`): `sides` (`spate` and yardsticks, each `{command() | run(env?), output?,
 * events, bytes? (of the output), files? (below the output), check?(measured), short? (`{command(), events}`, a shorter run
 * for figures at the margin)}`), `bars` (least ratio by yardstick),
 * `input`, `config`, `before()` each run, `verify(warmUp)` for the content of all outputs, `figures(rounds)` for rows of
 * its own, `close()`.
 */
export const runPairs = async (name, plan, options) => {
  const { yardstick, pairs, profile } = options;
  const sides =
    yardstick === null
      ? plan.sides
      : { [OURS]: plan.sides[OURS], outside: outsideSide(yardstick, plan, plan.input) };
  const names = Object.keys(sides);
  const sizes = {};
  const problems = [];
  const rounds = [];
  try {
    const used = { ...plan, sides };
    const warmUp = await runRound(names, used, sizes, true);
    if (yardstick === null) problems.push(...((await plan.verify?.(warmUp)) ?? []));
    for (const side of Object.values(sides)) remove(side.output);
    for (const measured of Object.values(warmUp)) problems.push(...measured.problems);
    for (let turn = 0; turn < pairs && problems.length === 0; turn++) {
      const measured = await runRound(orderOf(names, turn), used, sizes, false);
      for (const { problems: found } of Object.values(measured)) problems.push(...found);
      rounds.push(measured);
    }
    const profiles = profile ? await profileSide(plan) : undefined;
    if (problems.length > 0 || rounds.length === 0) return { rows: [], problems, profiles };
    const yardsticks = names.filter((side) => side !== OURS);
    const rows = rowsOfRounds(name, rounds, yardsticks, plan.bars ?? {});
    return { rows: [...rows, ...(plan.figures?.(rounds) ?? [])], rounds, problems, profiles };
  } finally {
    await plan.close?.();
  }
};

/** One run of Spate under the profiler. */
const profileSide = async (plan) => {
  const side = plan.sides[OURS];
  const folder = join(plan.folder, 'profile');
  mkdirSync(folder, { recursive: true });
  const env = profilingEnv(folder);
  if (side.command === undefined) await side.run(env);
  else await runCommand(side.command(), { ...side, env });
  remove(side.output);
  return profilesIn(folder);
};
