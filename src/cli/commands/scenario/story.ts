import { effectsOf } from '../../../domain/incidents/effects.js';
import { type Occurrence, occurrencesOf } from '../../../domain/incidents/incident.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import { utc } from '../../../domain/time/zone.js';
import type { LoadedIncident } from './incident.js';

const iso = isoFormatter(utc);

const occurrenceText = ({ phase, number }: Occurrence): string => {
  const again = phase.repeat === null ? '' : ` (${number} of ${phase.repeat.times})`;
  const effects = effectsOf(phase).map(({ member, effect }) => `${member} ${effect}`);
  return `${phase.name}${again}: ${effects.join(', ') || 'globals change'}`;
};

/** Entities, then a line for each beginning of a phase. */
export const storyText = ({ story, seed }: LoadedIncident): string => {
  const { incident, drawn } = story;
  const at = (seconds: number): string =>
    iso(story.start + Math.round(seconds * MICROS_PER_SECOND)).replace('+00:00', 'Z');
  return [
    `incident ${incident.name}, seed ${seed}`,
    ...Object.entries(drawn).map(([name, value]) => `  ${name} ${JSON.stringify(value)}`),
    `${at(0)}  begins`,
    ...occurrencesOf(incident).map((one) => `${at(one.from)}  ${occurrenceText(one)}, until ${at(one.to)}`),
    `${at(incident.duration)}  ends`,
    '',
  ].join('\n');
};
