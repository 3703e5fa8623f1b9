import type { GeneratorPhase } from '../../domain/generator.js';
import type { Health } from '../../domain/stats/health.js';

/** Word and color of each phase. */
export const LOOKS: Readonly<Record<GeneratorPhase, { readonly word: string; readonly color: string }>> = {
  idle: { word: 'idle', color: 'gray' },
  loading: { word: 'starting', color: 'blue' },
  running: { word: 'running', color: 'teal' },
  draining: { word: 'stopping', color: 'yellow' },
  backing_off: { word: 'restarting', color: 'orange' },
  finished: { word: 'finished', color: 'indigo' },
  failed: { word: 'failed', color: 'red' },
  stopped: { word: 'stopped', color: 'gray' },
};

const UNWELL = {
  failing: { word: 'failing', color: 'red' },
  degraded: { word: 'degraded', color: 'orange' },
} as const;

/** A phase that says less than health gives way to it: `failed` and `restarting` say more. */
export const lookOfHealth = (phase: GeneratorPhase, health: Health | undefined) =>
  (phase === 'running' || phase === 'loading') && (health === 'failing' || health === 'degraded')
    ? UNWELL[health]
    : LOOKS[phase];
