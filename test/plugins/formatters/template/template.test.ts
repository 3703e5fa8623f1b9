import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesBatch, emptyBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Formatter } from '../../../../src/plugins/kit.js';
import { codePoint } from '../../../support/codePoint.js';
import { built, type Given } from './support.js';

const formatted = (formatter: Formatter, events: readonly string[]): readonly string[] =>
  formatter.format(textBatch(events)).batch.texts();

const render = async (given: Given, ...events: readonly string[]): Promise<readonly string[]> =>
  formatted(await built('template', given), events);

const identity = await built('template', '{{ event }}');

describe('template', () => {
  test('renders once for each event, which it sees as a text', async () => {
    expect(await render('<{{ event | upper }} {{ event is string }}>', 'a', '{"b": 1}', '')).toEqual([
      '<A True>',
      '<{"B": 1} True>',
      '< True>',
    ]);
    const formatter = await built('template', '{{ event }}');
    expect(formatter.joins).toBe(false);
    expect(formatter.format(textBatch(['a', 'b'])).eventsPerItem).toBe(1);
  });

  test('{{ event }} gives every event back as it was', () => {
    const event = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string({ unit: fc.constantFrom('{{', '}}', '{%', '%}', '{#', '\n', '\r', '<', '&', '"', 'a') }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { batch, failures } = identity.format(textBatch(events));
        expect(batch.texts()).toEqual(events);
        expect(failures).toEqual([]);
      }),
    );
  });

  test('events that were made as bytes are rendered too', async () => {
    const { batch } = identity.format(bytesBatch(Buffer.from('\u00e9\nb\n'), 2));
    expect(batch.texts()).toEqual(['\u00e9', 'b']);
  });

  test('escapes nothing', async () => {
    expect(await render('{{ event }}', '<a href="x">&\'</a>')).toEqual(['<a href="x">&\'</a>']);
  });

  test('drops one line end at the end of the template and keeps all others', async () => {
    expect(await render('{{ event }}\n', 'a\n')).toEqual(['a\n']);
    expect(await render({ 'x.jinja': '\n{{ event }}\r\n\r\n' }, 'a\r\n')).toEqual(['\na\r\n\n']);
  });

  test('an empty result is an event', async () => {
    expect(await render('{% if event == "b" %}{{ event }}{% endif %}', 'a', 'b')).toEqual(['', 'b']);
  });

  test('no events give nothing', () => {
    expect(identity.format(emptyBatch)).toEqual({ batch: emptyBatch, eventsPerItem: 1, failures: [] });
  });

  test('knows the language and nothing else', async () => {
    const names = ['module', 'params', 'samples', 'timestamp', 'tags', 'vars', 'locals', 'shared'];
    const more = ['globals', 'dispatch', 'subprocess', 'events'];
    const text = [...names, ...more].map((name) => `{{ ${name} is defined }}`).join('');
    expect(await render(text, 'a')).toEqual(['False'.repeat(12)]);
    expect(await render('{{ range(3) | join }}{{ dict(a=1).a }}', 'a')).toEqual(['0121']);
  });

  test('nothing that a render sets is there in the next one', async () => {
    const text =
      '{{ seen is defined }}{% set seen = 1 %}{% set l = [] %}{% do l.append(1) %}{{ l | length }}';
    expect(await render(text, 'a', 'b')).toEqual(['False1', 'False1']);
  });

  test('random choices follow the seed', async () => {
    const events = Array.from({ length: 20 }, () => 'x');
    const draws = async (seed: number) =>
      formatted(await built('template', '{{ range(1000000) | random }}', { seed }), events);
    expect(await draws(1)).toEqual(await draws(1));
    expect(await draws(1)).not.toEqual(await draws(2));
  });

  test('includes, imports and parents are found below the folder of the generator, and see the event if they may', async () => {
    const files = {
      'parts/main.jinja':
        '{% extends "base.jinja" %}{% import "parts/m.jinja" as m %}{% block b %}{{ m.tag(event) }}{% include "parts/inner.jinja" %}{% endblock %}',
      'base.jinja': '[{% block b %}{% endblock %}]',
      'parts/m.jinja': '{% macro tag(x) %}<{{ x }}|{{ event is defined }}>{% endmacro %}',
      'parts/inner.jinja': '({{ event }})\n',
    };
    expect(await render(files, 'a', 'b')).toEqual(['[<a|False>(a)]', '[<b|False>(b)]']);
    expect(
      (await built('template', files, { inline: '{% include "parts/inner.jinja" %}!' }))
        .format(textBatch(['a']))
        .batch.texts(),
    ).toEqual(['(a)!']);
  });
});

describe('a render that fails', () => {
  const picky = '{{ "long" if event | length > 2 }}\n{{ event[0].x.y if event == "bad" else event }}';

  test('leaves its event out with template, line and column; the others go on', async () => {
    const { batch, eventsPerItem, failures } = (await built('template', picky)).format(
      textBatch(['a', 'bad', 'b', 'bad']),
    );
    expect(batch.texts()).toEqual(['\na', '\nb']);
    expect(eventsPerItem).toBe(1);
    expect(failures.map(({ event }) => event)).toEqual(['bad', 'bad']);
    expect(failures[0]?.reason).toMatch(/^template:2:\d+: UndefinedError: /);
    expect(failures[0]?.reason).toContain('{{ event[0].x.y if event == "bad" else event }}\n');
  });

  test('names the file, and who included it', async () => {
    const files = { 'main.jinja': 'x\n{% include "inner.jinja" %}', 'inner.jinja': '\n\n{{ event // 0 }}' };
    const { failures } = (await built('template', files)).format(textBatch(['a']));
    expect(failures[0]?.reason).toMatch(/^inner\.jinja:3:\d+: TypeError: .*\n {2}from main\.jinja:2:4$/s);
  });

  test('loses no event: every one is an item or a failure', async () => {
    const formatter = await built('template', '{{ 12 // (event | int) }}');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('0', '1', 'x', '5')), (events) => {
        const { batch, failures } = formatter.format(textBatch(events));
        const good = events.filter((event) => Number(event) > 0);
        expect(batch.texts()).toEqual(good.map((event) => String(Math.floor(12 / Number(event)))));
        expect(failures).toHaveLength(events.length - good.length);
      }),
    );
  });

  test('an endless or exploding template ends by its limits, for its event only', async () => {
    const text =
      '{% if event == "loop" %}{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}' +
      '{% elif event == "grow" %}{{ "x" * 100000000 }}{% endif %}{{ event }}';
    const { batch, failures } = (await built('template', text)).format(textBatch(['loop', 'a', 'grow']));
    expect(batch.texts()).toEqual(['a']);
    expect(
      failures.map(({ reason }) => /LimitError: .*(loop_steps|string_length)/.exec(reason)?.[1]),
    ).toEqual(['loop_steps', 'string_length']);
  });

  test('the limits of the generator count', async () => {
    const formatter = await built('template', '{{ event }}{{ event }}', { limits: { output_bytes: 4 } });
    const { batch, failures } = formatter.format(textBatch(['ab', 'abc', '\u00e9']));
    expect(batch.texts()).toEqual(['abab', '\u00e9\u00e9']);
    expect(failures.map(({ reason }) => /output_bytes \(4\)/.test(reason))).toEqual([true]);
  });
});
