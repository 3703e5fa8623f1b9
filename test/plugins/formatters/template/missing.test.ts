import { describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { built, type Given, refusal } from './support.js';

const mainFile = (text: string): Given => ({ 'main.jinja': text, 'there.jinja': 'T' });

describe('a template that is named by a literal and missing is found when the formatter is built', () => {
  test.each([
    ['{% include "gone.jinja" %}'],
    ["{%- include 'gone.jinja' -%}"],
    ['{%+include "gone.jinja" without context%}'],
    ['{% import "gone.jinja" as m %}'],
    ["{% from 'gone.jinja' import a, b %}"],
    ['{%\textends "gone.jinja" %}'],
    ['{% if false %}{% include "gone.jinja" %}{% endif %}'],
    ['{# " #}{% raw %}{# {% endraw %}{% include "gone.jinja" %}'],
    ['{% include "gone.jinja" ignore missing %}{% include "gone.jinja" %}'],
  ])('%s', async (text) => {
    const column = Math.max(text.lastIndexOf('"gone'), text.lastIndexOf("'gone")) + 1;
    const { message } = await refusal('template', mainFile(`a\r\nb\n${text}\nz`));
    const mark = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
    expect(message).toBe(
      `formatter template: main.jinja:3:${column}: TemplateNotFound: template "gone.jinja" does not exist\n    ${text}\n    ${mark}^`,
    );
  });

  test('in an inline template and in what it includes', async () => {
    const files = { 'a.jinja': '{% include "b.jinja" %}', 'b.jinja': '\n{% include "gone.jinja" %}' };
    expect((await refusal('template', {}, { inline: '{% include "gone.jinja" %}' })).message).toContain(
      ': template:1:12: TemplateNotFound: ',
    );
    expect((await refusal('template', files, { inline: '{% include "a.jinja" %}' })).message).toContain(
      ': b.jinja:2:12: TemplateNotFound: ',
    );
  });

  test('an inline template and a file called template are two', async () => {
    const { message } = await refusal(
      'template',
      { template: 'x' },
      { inline: '{% include "template" %}{% include "gone.jinja" %}' },
    );
    expect(message).toContain(': template:1:36: TemplateNotFound: ');
  });

  test('leaving the folder is not found either', async () => {
    for (const name of ['../x.jinja', '/etc/hostname', 'a/../there.jinja']) {
      const { message } = await refusal('template', mainFile(`{% include "${name}" %}`));
      expect(message).toContain(`TemplateNotFound: template "${name}" does not exist`);
    }
  });

  test('a very long line is shown in part', async () => {
    const text = `${'x'.repeat(500)}{% include "gone.jinja" %}${'y'.repeat(500)}`;
    const [first, line = '', mark = '', ...rest] = (await refusal('template', text)).message.split('\n');
    expect(first).toContain(': template:1:512: TemplateNotFound: ');
    expect(line).toMatch(/^ {4}x+\{% include "gone\.jinja" %\}y+$/);
    expect(line).toHaveLength(124);
    expect(line.slice(mark.indexOf('^'))).toMatch(/^"gone/);
    expect(rest).toEqual([]);
  });
});

describe('what a template can do without is left to the render', () => {
  test.each([
    ['{% include "gone.jinja" ignore missing %}x', 'x'],
    ['{% include ["gone.jinja", "there.jinja"] %}', 'T'],
    ['{% include ("gone.jinja", "there.jinja") ignore missing %}', 'T'],
    ['{# {% include "gone.jinja" %} #}{% include "gone.jinja" ignore missing %}x', 'x'],
    [
      '{% raw %}{% include "gone.jinja" %}{% endraw %}{% include "gone.jinja" ignore missing %}',
      '{% include "gone.jinja" %}',
    ],
    ['{% include "gone" ~ ".jinja" ignore missing %}x', 'x'],
  ])('%s', async (text, expected) => {
    // Files are gone when a formatter is used, so what it needs was read when it was built.
    const { batch, failures } = (await built('template', mainFile(text))).format(textBatch(['a']));
    expect({ texts: batch.texts(), failures }).toEqual({ texts: [expected], failures: [] });
  });

  test('a name made at the render that is not there fails its event', async () => {
    const text = '{% include event %}';
    const { batch, failures } = (await built('template', text)).format(
      textBatch(['../x', '/etc/passwd', 'x']),
    );
    expect(batch.count).toBe(0);
    expect(failures.map(({ reason }) => reason.split('\n')[0])).toEqual(
      ['../x', '/etc/passwd', 'x'].map((name) => `template:1:4: TemplateNotFound: ${name}`),
    );
  });
});
