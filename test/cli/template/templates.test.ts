import { describe, expect, test } from '@jest/globals';
import { makeInstance, runProgram } from '../../support/instance.js';
import { folderWith } from '../support.js';

const GENERATOR = `
input: [{timer: {seconds: 1, count: 1}}]
event: {template: {mode: spin, templates: [{one: {template: one.jinja}}, {two: {template: two.jinja}}]}}
output: [{stdout: {}}]
`;

const FILES = {
  'generator.yml': GENERATOR,
  'one.jinja': '{% from "m.jinja" import m %}\n{{ m(timestamp.year) }}\n',
  'm.jinja': '{% macro m(x) %}\nyear={{ x }}{% endmacro %}',
  'two.jinja': '{{ subprocess.run("printf %s \\"$A\\"", env={"A": "b"}).stdout }}',
};

/** Runs the built program on the generator in sample mode to its end. */
const generate = async (cwd: string, ...args: readonly string[]) => {
  const fixed = ['--live-mode', 'false', '--now', '2026-01-31T12:00:00Z'];
  const program = runProgram(['generate', '--path', '.', ...fixed, ...args], { cwd });
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

describe('templates on the command line', () => {
  test('--trace shows which lines made each event, and the events are the same', async () => {
    const cwd = await folderWith(FILES);
    const args = ['--limit', '2', '--allow-subprocess'];
    const plain = await generate(cwd, ...args, '--quiet');
    expect(plain).toEqual({ code: 0, out: '\n\nyear=2026\nb\n', err: '' });
    const traced = await generate(cwd, ...args, '--trace');
    expect(traced).toMatchObject({ code: 0, out: plain.out });
    const lines = traced.err.split('\n').filter((line) => line.includes('event made'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/template_alias=one lines="one\.jinja:2 m\.jinja:2"/);
    expect(lines[1]).toMatch(/template_alias=two lines=two\.jinja:1 event=b/);
  });

  test('a program is run only with --allow-subprocess', async () => {
    const cwd = await folderWith(FILES);
    const { code, out, err } = await generate(cwd, '--limit', '3', '-vv');
    expect(code).toBe(1);
    expect(out).toBe('\n\nyear=2026\n'.repeat(3));
    expect(err).toMatch(/two\.jinja:1:\d+: PermissionError: subprocess is disabled/);
  });

  test('--template-limits bounds what a render may use', async () => {
    const cwd = await folderWith({ ...FILES, 'two.jinja': '{{ range(100) | list | length }}' });
    expect(await generate(cwd, '--limit', '2')).toMatchObject({ code: 0 });
    const limited = await generate(
      cwd,
      '--limit',
      '2',
      '-vv',
      '--template-limits',
      '{"collection_items": 50}',
    );
    expect(limited.code).toBe(1);
    expect(limited.err).toContain('exceeds the limit collection_items (50)');
    const wrong = await generate(cwd, '--template-limits', '{"collection_items": 0}');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('--template-limits.collection-items');
  });

  test('a run ends if all its events fail', async () => {
    const cwd = await folderWith({ ...FILES, 'm.jinja': '{% macro m(x) %}{{ x.y.z }}{% endmacro %}' });
    const { code, out, err } = await generate(cwd, '--limit', '2', '-vv', '--allow-failures');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('100000 timestamps in a row gave no event');
  });

  test('an invalid template is reported before anything is generated', async () => {
    const cwd = await folderWith({ ...FILES, 'm.jinja': 'a\n{% macro m( %}' });
    const { code, out, err } = await generate(cwd, '--limit', '2');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/template 'one': m\.jinja:2:\d+: TemplateSyntaxError/);
    // No period behind the mark.
    expect(err).toMatch(/^ {4}\{% macro m\( %\}\n {4} *\^\n$/m);
  });
});

test('a daemon lets templates run programs where its settings allow it, previews too', async () => {
  const instance = await makeInstance({
    startup: '- {id: web, path: web/generator.yml}\n',
    generators: {
      'web/generator.yml': GENERATOR.replace('stdout: {}', 'file: {path: ../../out.log}'),
      ...Object.fromEntries(
        Object.entries(FILES)
          .slice(1)
          .map(([name, text]) => [`web/${name}`, text]),
      ),
    },
    settings: 'allow_subprocess: true',
  });
  try {
    await instance.start();
    await instance.api('POST', '/preview/web/event-plugin', {
      template: { mode: 'all', templates: [{ two: { template: 'two.jinja' } }] },
    });
    const at = { timestamp: '2026-05-01T12:00:00Z', tags: [] };
    const { body } = await instance.api('POST', '/preview/web/event-plugin/produce', [at]);
    expect(body).toMatchObject({ events: ['b'], errors: [] });
  } finally {
    await instance.remove();
  }
});
