import { expect, test } from '@jest/globals';
import type { GeneratorPhase } from '../../../src/domain/generator.js';
import { titleOf } from '../../../src/ui/app/titles.js';
import { targetsOf } from '../../../src/ui/pages/overview/selection.js';

const PHASES: readonly GeneratorPhase[] = [
  ...(['idle', 'loading', 'running', 'draining'] as const),
  ...(['backing_off', 'finished', 'failed', 'stopped'] as const),
];

test.each([
  ['start', ['idle', 'finished', 'failed', 'stopped']],
  ['restart', ['loading', 'running', 'draining', 'backing_off', 'failed']],
  ['stop', ['loading', 'running', 'draining', 'backing_off']],
  ['delete', PHASES],
] as const)('%s concerns only generators that it changes', (action, phases) => {
  const rows = PHASES.map((phase) => ({ phase }));
  expect(targetsOf(action, rows).map(({ phase }) => phase)).toEqual(phases);
});

test('every page has a title of its own', () => {
  const paths = [
    '/',
    '/new',
    '/s',
    '/incidents',
    '/startup',
    '/destinations',
    '/worlds',
    '/cluster',
    '/secrets',
    '/settings',
    '/users',
    '/audit',
    '/help',
  ];
  const all = [
    ...paths,
    '/r/x',
    '/g/x',
    '/s/x',
    '/incidents/x',
    '/destinations/x',
    '/worlds/x',
    '/help/x',
    '/help/plugins/x',
    '/nowhere',
  ];
  expect(new Set(all.map((path) => titleOf(path, 0))).size).toBe(all.length);
  expect(titleOf('/r/web%20nginx', 2)).toBe('(2 failing) web nginx – Spate');
  expect(titleOf('/r/50%', 0)).toBe('50% – Spate');
});
