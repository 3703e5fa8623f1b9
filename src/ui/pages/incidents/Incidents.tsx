import './incidents.css';
import { Anchor, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { IncidentItem } from '../../../messages/incidents.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownSeconds } from '../../parts/times.js';
import { NewIncident } from './NewIncident.js';
import { State } from './State.js';
import { standText } from './stand.js';
import { useIncidents, usePosition } from './useIncident.js';

interface CardProps {
  readonly item: IncidentItem;
  readonly at_ms: number;
}

const Stand = ({ item, at_ms }: CardProps) => {
  const position = usePosition({ ...item, at_ms });
  const { duration, name } = item;
  if (duration === null) return null;
  if (position === null) return <Text size="sm">{shownSeconds(duration)} long</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" className="figure">
        {standText(position, duration)}
      </Text>
      <Progress
        value={(100 * Math.max(0, position)) / duration}
        aria-label={`Position of ${name}`}
        transitionDuration={0}
      />
    </Stack>
  );
};

const IncidentCard = ({ item, at_ms }: CardProps) => {
  const { name, summary, state, problem } = item;
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap={6}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Anchor
            component={Link}
            href={`/incidents/${encodeURIComponent(name)}`}
            fw={600}
            className="wrapped"
          >
            {name}
          </Anchor>
          {(problem === null || state !== 'idle') && <State state={state} />}
        </Group>
        {summary !== null && (
          <Text size="sm" className="wrapped">
            {summary}
          </Text>
        )}
        <Stand item={item} at_ms={at_ms} />
        {problem !== null && (
          <Text size="sm" c="red" className="wrapped" lineClamp={6}>
            {problem}
          </Text>
        )}
      </Stack>
    </Paper>
  );
};

const Empty = () => (
  <Stack gap="xs" maw={640}>
    <Text>
      An incident is a story over several generators: an account is guessed here, used there, and data leaves
      somewhere else. Its phases add events to the usual ones, silence generators or change their rates. The
      ground truth lists the events that belong to it, so you can test whether a detection finds them.
    </Text>
    <Text>
      There is no incident yet. Create one below: it begins with a small example. The{' '}
      <Anchor component={Link} href="/help/incidents" underline="always">
        guide
      </Anchor>{' '}
      explains every part.
    </Text>
  </Stack>
);

/** The incident files, and where each stands. */
const Incidents = () => {
  const list = useIncidents();
  const { incidents = [], at_ms = 0 } = list.data ?? {};
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Incidents
        </Title>
        <Text>Stories over several generators, with ground truth.</Text>
      </Stack>
      {list.isError && <ErrorNote title="The incidents cannot be listed" error={list.error} />}
      {list.isSuccess && incidents.length === 0 && <Empty />}
      <ul className="incidents">
        {incidents.map((item) => (
          <IncidentCard key={item.name} item={item} at_ms={at_ms} />
        ))}
      </ul>
      {list.isSuccess && <NewIncident names={incidents.map(({ name }) => name)} />}
    </Stack>
  );
};

export default Incidents;
