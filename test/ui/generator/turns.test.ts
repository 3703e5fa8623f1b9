import { expect, test } from '@jest/globals';
import type { GeneratorTurn } from '../../../src/messages/generators.js';
import { shownTurns, turnMarks } from '../../../src/ui/pages/generator/turns.js';

const turn = (
  at: string,
  phase: GeneratorTurn['phase'],
  more: Partial<GeneratorTurn> = {},
): GeneratorTurn => ({
  at,
  first_at: at,
  count: 1,
  phase,
  reason: null,
  error_code: null,
  ...more,
});

test('the history says how long each run was and how often a failure came', () => {
  const away = { reason: 'nothing listens there', error_code: 'output_failed' } as const;
  const shown = shownTurns(
    [
      turn('2026-01-01T12:30:00Z', 'backing_off', {
        ...away,
        count: 1_200,
        first_at: '2026-01-01T12:00:00Z',
      }),
      turn('2026-01-01T10:00:00Z', 'running'),
      turn('2026-01-01T09:00:00Z', 'stopped'),
    ],
    'Europe/Berlin',
  );
  expect(shown).toMatchObject([
    {
      when: '2026-01-01 13:30:00, 1,200 times since 2026-01-01 13:00:00',
      ran: 'ran 2 h',
      reason: away.reason,
      code: away.error_code,
    },
    { title: 'Started', when: '2026-01-01 11:00:00', ran: '' },
    { title: 'Stopped', ran: '' },
  ]);
  expect(new Set(shown.map(({ key }) => key)).size).toBe(3);
});

test('the chart has a line at each turn, in its color and with its words', () => {
  const turns = [turn('2026-01-01T10:00:01Z', 'failed'), turn('2026-01-01T10:00:00Z', 'running')];
  expect(turnMarks(turns, (name) => `light ${name}`)).toEqual([
    { at_ms: 1_767_261_601_000, color: 'light red', text: expect.stringMatching(/^Failed/) },
    { at_ms: 1_767_261_600_000, color: 'light teal', text: 'Started' },
  ]);
});
