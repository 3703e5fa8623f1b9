import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runFile } from '../../../support/programs.js';

/** Ten million in the long suite. */
const RENDERS = Number(process.env['SPATE_TEST_RENDERS'] ?? 200_000);
/** From the first quarter to the last: caches are full after the first. */
const MAX_GROWTH_BYTES = 1_000_000;

const FILES = {
  'users.csv': 'name,weight\nada,3\nbob,1\n',
  'm.jinja': '{% macro field(name, value) %}"{{ name }}": {{ value | tojson }}{% endmacro %}',
  'one.jinja':
    '{% from "m.jinja" import field %}{% set sessions = shared.get("sessions", []) %}{% do sessions.append({"user": samples.users.weighted_pick("weight"), "at": timestamp}) %}' +
    '{% if sessions | length > 50 %}{% do sessions.pop(0) %}{% endif %}{% do shared.set("sessions", sessions) %}' +
    '{{ field("user", sessions[-1].user.name) }} {{ timestamp.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] }} {{ module.rand.crypto.uuid4() }} {{ module.rand.string.pattern("%a{3}%d") }}',
  'two.jinja':
    '{% do globals.set("n", timestamp.second) %}{{ module.faker.locale.en_US.user_name() }} {{ samples.users.where(name="bob") | random }} {{ timestamp - module.datetime.timedelta(seconds=module.rand.number.integer(1, 100)) }}' +
    '{% if timestamp.microsecond == 0 %}{{ nothing.here }}{% endif %}',
};

test(`memory does not grow over ${RENDERS} renders`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-memory-'));
  try {
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
    const program = join(import.meta.dirname, '..', '..', '..', 'support', 'templateRenders.mjs');
    const { stdout } = await runFile(process.execPath, ['--expose-gc', program, String(RENDERS), folder]);
    const { heaps, failed } = JSON.parse(stdout) as {
      readonly heaps: readonly number[];
      readonly failed: number;
    };
    expect(heaps).toHaveLength(4);
    // One timestamp in a thousand fails: that must cost no memory either.
    expect(failed).toBeGreaterThan(RENDERS / 10_000);
    expect((heaps[3] ?? 0) - (heaps[0] ?? 0)).toBeLessThan(MAX_GROWTH_BYTES);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 1_800_000);
