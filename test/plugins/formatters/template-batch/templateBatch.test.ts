import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesBatch, emptyBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Formatted } from '../../../../src/plugins/kit.js';
import { codePoint } from '../../../support/codePoint.js';
import { built } from '../template/support.js';

const render = async (template: string, events: readonly string[]): Promise<Formatted> =>
  (await built('template-batch', template)).format(textBatch(events));

const joining = await built('template-batch', '{{ events | join("\\n") }}');

describe('template-batch', () => {
  test('renders once for a batch, which it sees as a list of texts, and gives one item that stands for all', async () => {
    const { batch, eventsPerItem, failures } = await render(
      '{{ events | length }}:{% for event in events %}{{ loop.index }}{{ event }}{% endfor %}{{ event is defined }}',
      ['a', '', '{"b": 1}'],
    );
    expect(batch.texts()).toEqual(['3:1a23{"b": 1}False']);
    expect([batch.count, eventsPerItem, failures]).toEqual([1, 3, []]);
    expect(joining.joins).toBe(true);
  });

  test('{{ events | join("\\n") }} is the events joined', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint }), { minLength: 1 }), (events) => {
        const { batch, eventsPerItem } = joining.format(textBatch(events));
        expect(batch.texts()).toEqual([events.join('\n')]);
        expect(eventsPerItem).toBe(events.length);
      }),
    );
  });

  test('events that were made as bytes are rendered too', () => {
    const { batch } = joining.format(bytesBatch(Buffer.from('\u00e9\nb\n'), 2));
    expect(batch.texts()).toEqual(['\u00e9\nb']);
  });

  test('sends nothing for no events, and an empty item for an empty result', async () => {
    const silent = await built('template-batch', '{# #}');
    expect(silent.format(emptyBatch).batch.count).toBe(0);
    const { batch, eventsPerItem, failures } = silent.format(textBatch(['a', 'b']));
    expect(batch.texts()).toEqual(['']);
    expect([eventsPerItem, failures]).toEqual([2, []]);
  });

  test('a template that changes its list changes nothing for other outputs', async () => {
    const given = textBatch(['b', 'a']);
    const text = '{% do events.append("c") %}{% do events.sort() %}{% do events.pop(0) %}{{ events | join }}';
    const formatter = await built('template-batch', text);
    expect(formatter.format(given).batch.texts()).toEqual(['bc']);
    expect(formatter.format(given).batch.texts()).toEqual(['bc']);
    expect(given.texts()).toEqual(['b', 'a']);
  });

  test('random choices follow the seed', async () => {
    const draws = async (seed: number) =>
      (await built('template-batch', '{{ events | random }}{{ range(1000000) | random }}', { seed }))
        .format(textBatch(['a', 'b', 'c']))
        .batch.texts();
    expect(await draws(1)).toEqual(await draws(1));
    expect(await draws(1)).not.toEqual(await draws(2));
  });

  test('when the render fails nothing is sent and every event is a failure with template, line and column', async () => {
    const text = 'a\n{% for event in events %}{{ 1 // (event | int) }}{% endfor %}';
    const { batch, failures, failedTogether } = await render(text, ['1', '0', '1', '1']);
    expect(failedTogether).toBe(true);
    expect(batch.count).toBe(0);
    expect(failures.map(({ event }) => event)).toEqual(['1', '0', '1', '1']);
    expect(new Set(failures.map(({ reason }) => reason)).size).toBe(1);
    expect(failures[0]?.reason).toMatch(/^template:2:\d+: \w+: [^\n]*\n {4}\{% for event in events %\}/);
    expect((await render(text, ['1', '1'])).batch.texts()).toEqual(['a\n11']);
  });
});

describe('large batches', () => {
  const LARGE = Array.from({ length: 1_200_000 }, () => 'x');

  test('of more than a million events are counted, sorted, copied and gone through as any other', async () => {
    const { batch, eventsPerItem, failures } = await render(
      '{{ events | length }} {{ events | last }} {{ events | sort | length }} {{ events | list | length }}{% for event in events %}{% endfor %}',
      LARGE,
    );
    expect(failures).toHaveLength(0);
    expect(batch.texts()).toEqual(['1200000 x 1200000 1200000']);
    expect(eventsPerItem).toBe(LARGE.length);
  });

  test('end by the steps of the render with a reason that names the limit', async () => {
    const text = '{% for n in range(9) %}{% for event in events %}{% endfor %}{% endfor %}';
    const { batch, failures } = await render(text, LARGE);
    expect(batch.count).toBe(0);
    expect(failures).toHaveLength(LARGE.length);
    expect(failures[0]?.reason).toContain('exceeds the limit loop_steps (10000000)');
  });

  test('may give 16 MiB and no more', async () => {
    const text = '{% for event in events %}{{ event }}{% endfor %}';
    const events = Array.from({ length: 16 * 1024 }, () => 'x'.repeat(1024));
    expect((await render(text, events)).batch.texts()[0]?.length).toBe(16 * 1024 * 1024);
    const { failures } = await render(text, [...events, 'x']);
    expect(failures[0]?.reason).toContain('exceeds the limit output_bytes (16777216)');
  });

  test('are limited as the generator says, but for the number of their events', async () => {
    const limits = { collection_items: 2, loop_steps: 12, output_bytes: 4 };
    const formatter = await built(
      'template-batch',
      '{% for event in events | list %}{{ event }}{% endfor %}',
      { limits },
    );
    const reasonFor = (events: readonly string[]): string | undefined =>
      formatter.format(textBatch(events)).failures[0]?.reason;
    expect(reasonFor(['a', 'b', 'c', 'd'])).toBeUndefined();
    expect(reasonFor(['ab', 'cd', 'e'])).toContain('output_bytes (4)');
    expect(reasonFor(['', '', '', '', ''])).toContain('loop_steps (12)');
  });
});
