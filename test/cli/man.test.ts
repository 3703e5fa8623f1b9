import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allCommands } from '../../src/cli/arguments/command.js';
import { COMMANDS } from '../../src/cli/cli.js';
import { manPage, VARIABLES } from '../../src/cli/commands/man.js';
import { hasPrograms, needs, spawnSync } from '../support/programs.js';
import { ROOT } from '../support/sources.js';
import { spate } from './support.js';

const PAGE = manPage(COMMANDS, '1.2.3');

/** Runs groff on a page; with every warning. */
const rendered = (page: string) => {
  const { stdout, stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  return { status, stderr, text: stdout.replace(/\s+/g, ' ') };
};

describe('the manual page', () => {
  (hasPrograms('groff') ? test : test.skip)(`renders without a warning ${needs('groff')}`, () => {
    const { status, stderr, text } = rendered(PAGE);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const { name, summary } of allCommands(COMMANDS)) {
      expect(text).toContain(`spate ${name} `);
      expect(text).toContain(summary.split(' ').slice(0, 3).join(' '));
    }
  });

  (hasPrograms('groff') ? test : test.skip)(`prints characters of roff as they are ${needs('groff')}`, () => {
    const hostile = {
      ...(COMMANDS.find(({ name }) => name === 'version') as (typeof COMMANDS)[number]),
      summary: String.raw`.so /etc/passwd \fB'"x" --y`,
    };
    const { stderr, text } = rendered(manPage([hostile], '1'));
    expect(stderr).toBe('');
    expect(text).toContain(String.raw`.so /etc/passwd \fB'"x" --y`);
  });

  test('names every variable that the sources read, and no other', () => {
    const files = ['src', 'actors'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('man.ts'))
        .map((name) => join(ROOT, folder, name)),
    );
    const read = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bSPATE_[A-Z_]+[A-Z]\b/g) ?? []);
    const told = VARIABLES.map(([name]) => name).filter((name) => name.startsWith('SPATE_'));
    expect(told).toEqual([...new Set(read)].filter((name) => name !== 'SPATE_KEYRING').sort());
  });

  test('is what `spate man` prints', async () => {
    const { code, out } = await spate('man');
    expect(code).toBe(0);
    expect(out).toContain('.SS "spate generate"');
  });
});
