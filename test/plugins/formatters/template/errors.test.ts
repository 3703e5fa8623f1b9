import { describe, expect, test } from '@jest/globals';
import { type Given, refusal } from './support.js';

const NAMES = ['template', 'template-batch'] as const;

describe.each(NAMES)('formatter %s cannot be built', (name) => {
  test('from wrong syntax: template, line, column and the line are told at its field', async () => {
    const { code, message, issues } = await refusal(name, 'a\nb {{ event | }}');
    expect(code).toBe('plugin_failed');
    expect(message).toMatch(new RegExp(`^formatter ${name}: template:2:\\d+: TemplateSyntaxError: `));
    expect(message).toContain('\n    b {{ event | }}\n');
    expect(issues).toEqual([
      { path: ['template'], type: 'bad_format', message: message.slice(`formatter ${name}: `.length) },
    ]);
  });

  test.each<[string, Given]>([
    ['an unknown filter', '\n{{ event | shout }}'],
    ['an unknown test', '\n{{ event is loud }}'],
    ['a block without end', '\n{% if event %}'],
    ['a wrong file', { 'main.jinja': '\n{% endif %}' }],
    ['a wrong file that is included', { 'main.jinja': '{% include "b.jinja" %}', 'b.jinja': '\n{{ }}' }],
    ['one in a branch that is never taken', '{% if false %}\n{{ 1 + }}{% endif %}'],
  ])('from %s', async (_, given) => {
    expect((await refusal(name, given)).message).toMatch(
      /: (template|main\.jinja|b\.jinja):2:\d+: Template\w+: /,
    );
  });

  test.each(['gone.jinja', '../gone.jinja', 'parts', 'main.jinja/x'])(
    'from the file %s, which is not there, with where it was looked for',
    async (path) => {
      const { code, message, issues } = await refusal(name, { 'main.jinja': 'x', 'parts/x': '' }, { path });
      expect(code).toBe('plugin_failed');
      expect(message).toMatch(
        new RegExp(
          `^formatter ${name}: there is no file ${path} in /[^ ]*spate-formatter-[^ ]*\\. Correct the path`,
        ),
      );
      expect(issues?.map(({ path: at }) => at)).toEqual([['template_path']]);
    },
  );

  test('from a file that is not UTF-8', async () => {
    expect((await refusal(name, { 'main.jinja': Buffer.from([0x61, 0x0a, 0xff]) })).message).toContain(
      'main.jinja is not UTF-8 in line 2',
    );
    const files = { 'main.jinja': '{% include "b.jinja" %}', 'b.jinja': Buffer.from([0xff]) };
    expect((await refusal(name, files)).message).toContain('b.jinja is not UTF-8 in line 1');
  });
});
