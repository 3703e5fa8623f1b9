import { Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_INCIDENT_SEED } from '../../../domain/incidents/incident.js';
import type { Json } from '../../../domain/json.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { JsonTree } from '../../parts/JsonTree.js';
import { type Shown, useDraw } from './useIncident.js';

const Drawn = ({ entities }: { readonly entities: Json }) => (
  <Paper withBorder p="sm">
    {Object.keys(entities as object).length === 0 ? (
      <Text size="sm">The file names no entities.</Text>
    ) : (
      <JsonTree value={entities} />
    )}
  </Paper>
);

const PAUSE_MS = 300;

interface EntitiesProps {
  readonly incident: Shown;
  readonly seed: string;
  readonly onSeed: (seed: string) => void;
}

/** What a seed would draw. */
const Preview = ({ incident: { name, text }, seed, onSeed }: EntitiesProps) => {
  const [settled] = useDebouncedValue(seed, PAUSE_MS);
  const draw = useDraw(name, settled, text);
  return (
    <Stack gap="sm">
      <TextInput
        label="Seed"
        description="Shows what it draws. The same seed draws the same entities."
        value={seed}
        onChange={(event) => onSeed(event.currentTarget.value)}
        maxLength={MAX_INCIDENT_SEED}
        maw={320}
      />
      {draw.isError && <ErrorNote title="The entities cannot be drawn" error={draw.error} />}
      {settled !== '' && !draw.isError && draw.data !== undefined && draw.data !== null && (
        <Drawn entities={draw.data} />
      )}
    </Stack>
  );
};

/** The entities of the run, or of a seed. */
export const Entities = (props: EntitiesProps) => {
  const { entities, run } = props.incident;
  return run === null || entities === null ? <Preview {...props} /> : <Drawn entities={entities} />;
};
