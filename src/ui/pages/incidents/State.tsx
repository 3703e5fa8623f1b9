import { Badge } from '@mantine/core';
import type { IncidentState } from '../../../messages/incidents.js';

const COLORS: Readonly<Record<IncidentState, string>> = { idle: 'gray', running: 'teal', paused: 'yellow' };

/** The state of an incident as a word with a color. */
export const State = ({ state }: { readonly state: IncidentState }) => (
  <Badge variant="light" color={COLORS[state]} autoContrast>
    {state}
  </Badge>
);
