import { type Occurrence, occurrencesOf } from '../../../domain/incidents/incident.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import { utc } from '../../../domain/time/zone.js';
import type { LoadedIncident } from './incident.js';

const iso = isoFormatter(utc);

const partsText = ({ phase, number }: Occurrence): string => {
  const added = Object.entries(phase.members)
    .filter(([, { events }]) => events > 0)
    .map(([name, { events }]) => `${name} ${events.toLocaleString('en-US')} events`);
  const stopped = phase.stopped.map((name) => `${name} is silent`);
  const again = phase.repeat === null ? '' : ` (${number} of ${phase.repeat.times})`;
  return `${phase.name}${again}: ${[...added, ...stopped].join(', ') || 'globals change'}`;
};

/** Entities, then a line for each beginning of a phase. */
export const storyText = ({ incident, drawn, story, seed }: LoadedIncident): string => {
  const at = (seconds: number): string =>
    iso(story.start + Math.round(seconds * MICROS_PER_SECOND)).replace('+00:00', 'Z');
  return [
    `incident ${incident.name}, seed ${seed}`,
    ...Object.entries(drawn).map(([name, value]) => `  ${name} ${JSON.stringify(value)}`),
    `${at(0)}  begins`,
    ...occurrencesOf(incident).map((one) => `${at(one.from)}  ${partsText(one)}, until ${at(one.to)}`),
    `${at(incident.duration)}  ends`,
    '',
  ].join('\n');
};
