import { describe, expect, test } from '@jest/globals';
import { DEFAULT_TEMPLATE_LIMITS } from '../../src/domain/generator.js';
import { produced, withProducer } from '../plugins/events/template/support.js';

/** Bounds the steps of a search; the time of a busy machine must not. */
const LIMITS = { ...DEFAULT_TEMPLATE_LIMITS, loop_steps: 200_000, render_ms: 100_000 };

/** A state machine that stays in `a` until a pattern matches the text that `a` has stored in `shared`. */
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
  ])('the pattern %s takes at most 200,000 steps', async (pattern, value) => {
    const result = await ran(machine(pattern, value));
    expect(result.failed).toBe(0);
    expect(result.events).toEqual(['a', 'a', 'a']);
  });

  test('a pattern of more steps fails the timestamp, and the state stays', async () => {
    const result = await ran(machine('(a+)+\\1$', '"a" * 60 ~ "!"'));
    expect(result.failed).toBe(2);
    expect(result.events).toEqual(['a']);
  });
});
