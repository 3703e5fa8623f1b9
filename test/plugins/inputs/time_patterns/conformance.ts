import type { Prepare } from '../../../conformance/support.js';
import { writePattern } from './support.js';

export const prepare: Prepare = (folder) => {
  const oscillator = { 'oscillator.start': '2025-06-15T11:59:00Z', 'oscillator.end': '+1h' };
  writePattern(folder, 'patterns/visitors.yml', {
    ...oscillator,
    'randomizer.deviation': 0.5,
    'spreader.distribution': 'beta',
    'spreader.parameters': { a: 2, b: 5 },
  });
  writePattern(folder, 'patterns/robots.yml', {
    ...oscillator,
    'multiplier.ratio': 7,
    'spreader.distribution': 'triangular',
    'spreader.parameters': { left: 0, mode: 0.1, right: 0.9 },
  });
};
