import type { GeneratorPhase } from '../../domain/generator.js';

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
