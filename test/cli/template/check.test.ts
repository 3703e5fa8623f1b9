import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fakeIo, folderWith, spate } from '../support.js';

type Files = Readonly<Record<string, string>>;

const check = async (files: Files, line: string) =>
  spate(`template check ${line}`, fakeIo({ cwd: await folderWith(files) }));

const GENERATOR = `input:
  - timer: {seconds: 1, count: 1}
event:
  template:
    mode: all
    templates:
      - login:
          template: login.jinja
          vars: {level: info}
    params: {host: web}
    samples:
      users: {type: items, source: [ann, bob]}
output:
  - stdout: {}
`;

const LOGIN = '{{ timestamp.isoformat() }} {{ params.host }} {{ vars.level }} {{ samples.users.pick() }}\n';

describe('templates that are right', () => {
  const good = { 'shop/generator.yml': GENERATOR, 'shop/login.jinja': LOGIN };

  test.each([
    'shop',
    'shop/generator.yml',
    'shop/login.jinja',
    '.',
    'shop shop/login.jinja shop/generator.yml',
  ])('template check %s: nothing on standard output, exit 0', async (line) => {
    expect(await check(good, line)).toEqual({
      code: 0,
      out: '',
      err: 'spate: no problems in 1 template.\n',
    });
  });

  test('--json gives an empty array', async () => {
    expect((await check(good, '--json shop')).out).toBe('[]\n');
  });
});

describe('findings', () => {
  test('of a config with a mistake in its YAML are told with its line, and the summary counts it', async () => {
    const files = { 'shop/generator.yml': `event\n${GENERATOR}`, 'shop/login.jinja': LOGIN };
    const { code, out, err } = await check(files, 'shop');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      'spate: shop/generator.yml:1:1: `event` has no colon. Write `event:` for a key.\n    event\n    ^\n' +
        'spate: 1 problem in 1 file that cannot be checked; nothing else in 1 template.\n',
    );
  });

  test('a config that cannot start says so, and which command shows why', async () => {
    const files = { 'generator.yml': GENERATOR.replace('seconds', 'second'), 'login.jinja': LOGIN };
    expect(await check(files, 'generator.yml')).toMatchObject({
      code: 0,
      out: 'generator.yml: warning: the config itself has 1 problem, so its generator does not start. Run spate validate generator.yml.\n',
    });
  });

  test('each has file, line, column, severity and hint, with the line and a mark; exit 1', async () => {
    const files = {
      'shop/generator.yml': GENERATOR,
      'shop/login.jinja': '{{ samples.users }}\n  {{ timestmp }} {{ params.hots }}\n',
    };
    expect(await check(files, 'shop')).toEqual({
      code: 1,
      out: `shop/login.jinja:2:6: error: 'timestmp' is not defined. Did you mean 'timestamp'?
      {{ timestmp }} {{ params.hots }}
         ^
shop/login.jinja:2:28: warning: 'params.hots' is not in the config. Did you mean 'host'?
      {{ timestmp }} {{ params.hots }}
                               ^
`,
      err: 'spate: 1 error, 1 warning in 1 template.\n',
    });
  });

  test('findings in inline templates point into the config', async () => {
    const files = { 'generator.yml': GENERATOR.replace('login.jinja', 'gone.jinja') };
    expect(await check(files, 'generator.yml')).toEqual({
      code: 1,
      out: "generator.yml:8:21: error: template 'gone.jinja' not found in the generator's folder. Correct the path or add the file.\n",
      err: 'spate: 1 error in 0 templates.\n',
    });
  });

  test('warnings alone are no failure, unless --strict is given', async () => {
    const files = { 'generator.yml': GENERATOR, 'login.jinja': 'x' };
    const text =
      "generator.yml:12:7: warning: no template uses the sample 'users'. Remove it: Spate loads it at every start.\n";
    expect(await check(files, 'generator.yml')).toMatchObject({ code: 0, out: text });
    expect(await check(files, '--strict generator.yml')).toMatchObject({ code: 1, out: text });
  });

  test('--json has them for programs', async () => {
    const { code, out } = await check({ 'x.jinja': 'a\n{{ 1|nope }}' }, '--json x.jinja');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([
      {
        file: 'x.jinja',
        line: 2,
        column: 6,
        severity: 'error',
        code: 'unknown_filter',
        message: "unknown filter 'nope'.",
      },
    ]);
  });

  test('templates of formatters, inline and in files', async () => {
    const files = {
      'generator.yml': `input: [{timer: {seconds: 1, count: 1}}]
event: {script: {path: x.js}}
output:
  - stdout: {formatter: {format: template, template: '{{ event }}{{ evnt }}'}}
  - file:
      path: x
      formatter:
        format: template-batch
        template: |
          {{ events }}
          {{ event }}
  - stdout: {formatter.format: template, formatter.template_path: f.jinja}
`,
      'f.jinja': '{{ timestamp }}',
    };
    const { code, out, err } = await check(files, 'generator.yml');
    expect({ code, err }).toEqual({ code: 1, err: 'spate: 3 errors in 3 templates.\n' });
    expect(out.split('\n').filter((line) => line.includes(': error: '))).toEqual([
      "generator.yml:4:54: error: 'evnt' is not defined. Did you mean 'event'?",
      "generator.yml:9:19: error: in line 2 of the template: 'event' is not defined. Did you mean 'events'?",
      "f.jinja:1:4: error: 'timestamp' is available only in templates of events. Templates of formatters have 'event'.",
    ]);
  });

  test('control characters of a template do not reach the terminal', async () => {
    const { out } = await check({ 'x.jinja': '\u001b[31m{{ timestmp }}' }, 'x.jinja');
    expect(out).toContain('\\u001b[31m');
    expect(out).not.toContain('\u001b');
  });
});

describe('a template by its name', () => {
  test('is checked as its generator uses it, and only its own findings are shown', async () => {
    const files = {
      'shop/generator.yml': GENERATOR,
      'shop/login.jinja': '{% set host = 1 %}{% include "parts/head.jinja" %}{{ nope }}{{ samples.users }}',
      'shop/parts/head.jinja': '{{ host }}{{ vars.level }}{{ vars.colour }}',
    };
    expect((await check(files, 'shop/parts/head.jinja')).out).toMatch(
      /^shop\/parts\/head\.jinja:1:35: warning: 'vars\.colour'[^\n]*\n[^\n]*\n[^\n]*\n$/,
    );
  });

  test('is judged alone where no generator uses it: unknown names may come from others', async () => {
    const files = { 'part.txt': '{{ host }}{% include "other.txt" %}', 'other.txt': '{{ 1|nope }}' };
    const { code, out } = await check(files, 'part.txt');
    expect(code).toBe(1);
    expect(out).toMatch(/^part\.txt:1:4: note: 'host' is never set in this template\./);
    expect(out).toMatch(/^other\.txt:1:6: error: unknown filter 'nope'/m);
  });

  test('a generator that is broken does not keep it from being checked', async () => {
    const files = { 'generator.yml': 'event: [', 'x.jinja': '{{ 1|nope }}' };
    expect(await check(files, 'x.jinja')).toMatchObject({ code: 1, err: 'spate: 1 error in 1 template.\n' });
  });

  test('names begin at the folder of the generator', async () => {
    const files = {
      'shop/generator.yml': GENERATOR,
      'shop/login.jinja': LOGIN,
      'shop/parts/a.jinja': '{% include "parts/b.jinja" %}{% include "b.jinja" %}',
      'shop/parts/b.jinja': 'b',
    };
    const { out } = await check(files, 'shop/parts/a.jinja');
    expect(out).toMatch(/^shop\/parts\/a\.jinja:1:41: error: [^\n]* write 'parts\/b\.jinja'\.\n/);
    expect(out.match(/: error: /g)).toHaveLength(1);
  });
});

describe('a folder', () => {
  test('stands for its configs and templates; a template that nothing uses is noted', async () => {
    const files = {
      'g/a/generator.yml': GENERATOR,
      'g/a/login.jinja': LOGIN,
      'g/a/old.j2': 'x',
      'g/b/generator.yml': GENERATOR,
      'g/b/login.jinja': `${LOGIN}{{ nope }}`,
      'g/b/.hidden/x.jinja': '{{ 1|nope }}',
      'g/b/node_modules/x.jinja': '{{ 1|nope }}',
      'g/b/samples/other.yml': 'a: [',
      'g/b/notes.txt': '{{ 1|nope }}',
    };
    expect(await check(files, 'g')).toEqual({
      code: 1,
      out: `g/b/login.jinja:2:4: error: 'nope' is not defined.
    {{ nope }}
       ^
g/a/old.j2: note: no template of g/a/generator.yml uses this file.
`,
      err: 'spate: 1 error, 1 note in 3 templates.\n',
    });
  });

  test('nothing is noted where a name of a template is known to a render only', async () => {
    const files = {
      'generator.yml': GENERATOR,
      'login.jinja': `${LOGIN}{% include 'parts/' ~ params.host ~ '.jinja' %}`,
      'parts/web.jinja': '{{ timestamp }}',
    };
    expect(await check(files, '.')).toMatchObject({ code: 0, out: '' });
  });

  test('without any template is no success', async () => {
    expect(await check({ 'g/notes.txt': 'x', 'g/x.yml': 'a: 1' }, 'g')).toEqual({
      code: 1,
      out: '',
      err: 'spate: no template to check in g.\n',
    });
  });
});

describe('what cannot be checked', () => {
  test('a path where nothing is: exit 1, the others are checked', async () => {
    expect(await check({ 'x.jinja': 'x' }, 'nope.jinja x.jinja')).toEqual({
      code: 1,
      out: '',
      err: 'spate: cannot read nope.jinja: it does not exist\nspate: 1 problem in 1 file that cannot be checked; nothing else in 1 template.\n',
    });
  });

  test('a config that cannot be parsed', async () => {
    const { code, err } = await check({ 'generator.yml': 'event: [' }, 'generator.yml');
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: generator\.yml:\d+:\d+: /);
  });

  test('a template that is not UTF-8, and one that is a folder', async () => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    await writeFile(join(cwd, 'login.jinja'), new Uint8Array([0xff, 0xfe, 0x41]));
    const io = fakeIo({ cwd });
    expect(await spate('template check generator.yml', io)).toMatchObject({ code: 1 });
    expect(io.out()).toMatch(
      /^login\.jinja:1:1: error: cannot read [^\n]*: it is not UTF-8 at byte 0; save it as UTF-8\.\n/,
    );
    const other = await folderWith({ 'generator.yml': GENERATOR });
    await mkdir(join(other, 'login.jinja'));
    expect((await spate('template check generator.yml', fakeIo({ cwd: other }))).code).toBe(1);
  });

  test('links and names that lead out of the folder of the generator are not followed', async () => {
    const outside = await folderWith({ 'secret.jinja': '{{ 1|nope }}' });
    const cwd = await folderWith({
      'g/generator.yml': GENERATOR,
      'g/login.jinja': `${LOGIN}{% include "link.jinja" %}{% include "../up.jinja" %}{% include "${outside}/secret.jinja" %}`,
      'up.jinja': '{{ 1|nope }}',
    });
    await symlink(join(outside, 'secret.jinja'), join(cwd, 'g/link.jinja'));
    const { out } = await spate('template check g', fakeIo({ cwd }));
    expect(out.match(/not found in the generator/g)).toHaveLength(3);
    expect(out).not.toContain('nope');
  });

  test.each([
    ['template check', /^spate template check: PATH\.\.\. is missing\./],
    ['template chek x', /^spate template: unknown command 'chek'\. Did you mean 'check'\?/],
    ['template check --strct x', /unknown option '--strct'\. Did you mean '--strict'\?/],
  ])('%s: exit 2', async (line, message) => {
    const { code, err } = await spate(line);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
