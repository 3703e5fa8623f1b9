import { Paper, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Json } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { tellError } from '../../parts/notes.js';
import { ANOMALY, anomaliesOf, NO_ANOMALY } from './anomalies.js';
import type { Edit } from './edits.js';

/** Without the global. */
const UNSET = '';

interface AnomalyKnobProps {
  readonly ids: readonly string[];
  readonly value: Json | undefined;
  readonly onEdit: (edit: Edit) => Promise<void>;
}

/** Starts and ends an anomaly of library generators. */
export const AnomalyKnob = ({ ids, value, onEdit }: AnomalyKnobProps) => {
  const entries = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const library = useQuery({
    queryKey: ['library'],
    queryFn: () => call('listLibrary'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const anomalies = anomaliesOf(ids, entries.data ?? [], library.data ?? []);
  if (anomalies.length === 0) return null;
  const chosen = typeof value === 'string' ? value : null;
  const names = [NO_ANOMALY, ...anomalies.map(({ name }) => name)];
  const known = chosen === null || names.includes(chosen) ? names : [...names, chosen];
  const options = known.map((name) => ({ value: name, label: name }));
  const shown = anomalies.find(({ name }) => name === chosen);
  const choose = (next: string | null): void => {
    const edit: Edit =
      next === null || next === UNSET ? { path: [ANOMALY] } : { path: [ANOMALY], value: next };
    onEdit(edit).catch((error: unknown) => tellError('The anomaly stays as it is', error));
  };
  return (
    <Paper withBorder px="md" py="sm">
      <Select
        label={ANOMALY}
        data={[{ value: UNSET, label: "as the members' parameters say" }, ...options]}
        value={chosen ?? UNSET}
        onChange={choose}
        allowDeselect={false}
      />
      {shown !== undefined && (
        <Text size="sm" mt={6} className="wrapped">
          {shown.help} Shown by {shown.members.join(', ')}.
        </Text>
      )}
    </Paper>
  );
};
