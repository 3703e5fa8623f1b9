import { describe, expect, test } from '@jest/globals';
import { DEFAULT_TEMPLATE_LIMITS } from '../../src/domain/templateLimits.js';
import { produced, withProducer } from '../plugins/events/template/support.js';

/** A state machine that stays in `a` until a pattern matches what `a` has left in `shared`. */
const LIMITS = { ...DEFAULT_TEMPLATE_LIMITS, loop_steps: 200_000 };

const machine = (pattern: string, value: string) => ({
  params: {
    mode: 'fsm',
    templates: [
      {
        a: {
          template: 'a.jinja',
          initial: true,
          transitions: [{ to: 'b', when: { matches: { 'shared.text': pattern } } }],
        },
      },
      { b: { template: 'b.jinja' } },
    ],
  },
  files: { 'a.jinja': `{% do shared.set("text", ${value}) %}a`, 'b.jinja': 'b' },
});

const ran = ({ params, files }: ReturnType<typeof machine>) =>
  withProducer(params, { files, templates: { limits: LIMITS } }, ({ producer }) => produced(producer, 3));

describe('conditions of a state machine', () => {
  test.each([
    ['(a+)+$', '"a" * 5000 ~ "!"'],
    ['(x+x+)+y', '"x" * 5000'],
    ['(.*)*=', '"a" * 5000'],
  ])('the pattern %s does not hold up the thread', async (pattern, value) => {
    const from = process.hrtime.bigint();
    const result = await ran(machine(pattern, value));
    expect(result.failed).toBe(0);
    expect(result.events).toEqual(['a', 'a', 'a']);
    expect(Number(process.hrtime.bigint() - from) / 1e6).toBeLessThan(8_000);
  });

  test('a pattern that cannot be done in linear time fails the timestamp, and the state stays', async () => {
    const result = await ran(machine('(a+)+\\1$', '"a" * 60 ~ "!"'));
    expect(result.failed).toBe(2);
    expect(result.events).toEqual(['a']);
  });
});
