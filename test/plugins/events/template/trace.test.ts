import { describe, expect, test } from '@jest/globals';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';
import { produced, withProducer } from './support.js';

const files = {
  'web.jinja': [
    '{#- a comment -#}',
    '{%- from "macros.jinja" import field -%}',
    '{%- set n = timestamp.second -%}',
    '{%- if n == 0 -%}',
    '  first',
    '{%- elif n == 1 -%}',
    '  {{ field(n) }}',
    '  second',
    '{%- else -%}',
    '{%- do dispatch.drop() -%}',
    '{%- endif %}',
    '',
    '{% for i in range(n) %}{{ i }}{% endfor %}',
  ].join('\n'),
  'macros.jinja': '{% macro other() %}{% endmacro %}\n{% macro field(x) %}\n<{{ x }}>{% endmacro %}',
};
const params = { mode: 'all', templates: [{ page: { template: 'web.jinja' } }] };

describe('a trace', () => {
  test('logs template, lines and start of each event', () =>
    withProducer(
      params,
      { files, templates: { ...PLAIN_TEMPLATES, isTraced: true } },
      ({ producer, lines }) => {
        const { events } = produced(producer, 3);
        expect(lines).toEqual([
          {
            level: 'info',
            message: 'event made',
            context: { template_alias: 'page', lines: 'web.jinja:3,5', event: events[0] },
          },
          {
            level: 'info',
            message: 'event made',
            context: { template_alias: 'page', lines: 'web.jinja:3,7-8,13 macros.jinja:3', event: events[1] },
          },
        ]);
      },
    ));

  test('changes no event and is off by default', () =>
    withProducer(params, { files }, async ({ producer, lines }) => {
      const plain = produced(producer, 2).events;
      expect(lines).toEqual([]);
      await withProducer(params, { files, templates: { ...PLAIN_TEMPLATES, isTraced: true } }, (traced) => {
        expect(produced(traced.producer, 2).events).toEqual(plain);
      });
    }));
});
