import type { IncidentState } from '../../../messages/incidents.js';
import { StateBadge } from '../../parts/Phase.js';

const COLORS: Readonly<Record<IncidentState, string>> = { idle: 'gray', running: 'teal', paused: 'yellow' };

/** The state of an incident as a word with a color. */
export const State = ({ state }: { readonly state: IncidentState }) => (
  <StateBadge word={state} color={COLORS[state]} />
);
