import './incidents.css';
import { Anchor, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { checkIncidentName } from '../../../domain/incidents/incident.js';
import type { IncidentItem } from '../../../messages/incidents.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import { Section } from '../../parts/Section.js';
import { shownDuration } from '../../parts/times.js';
import { FirstMemberForm } from '../scenarios/FirstMemberForm.js';
import { exampleIncident, wayBetween } from './example.js';
import { positionOfDuration } from './position.js';
import { State } from './State.js';
import { useIncidents, usePosition, useWrite } from './useIncident.js';

/** The incident files, and the position of each. */
const Incidents = () => {
  const list = useIncidents();
  const { incidents = [], at_ms = 0 } = list.data ?? {};
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Incidents
        </Title>
        <Text>Attacks and faults over several generators, with ground truth.</Text>
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
      explains every field.
    </Text>
  </Stack>
);

interface CardProps {
  readonly item: IncidentItem;
  readonly at_ms: number;
}

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
        <Position item={item} at_ms={at_ms} />
        {problem !== null && (
          <Text size="sm" c="red" className="wrapped" lineClamp={6}>
            {problem}
          </Text>
        )}
      </Stack>
    </Paper>
  );
};

const Position = ({ item, at_ms }: CardProps) => {
  const position = usePosition({ ...item, at_ms });
  const { duration, name } = item;
  if (duration === null) return null;
  if (position === null) return <Text size="sm">{shownDuration(duration)} long</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" className="figure">
        {positionOfDuration(position, duration)}
      </Text>
      <Progress
        value={(100 * Math.max(0, position)) / duration}
        aria-label={`Position of ${name}`}
        transitionDuration={0}
      />
    </Stack>
  );
};

/** Creates an incident file from an example and opens it. */
const NewIncident = ({ names }: { readonly names: readonly string[] }) => {
  const [, go] = useLocation();
  const places = usePlaces();
  const writing = useWrite();
  const { directories = [], way = '' } = places.data ?? {};
  const create = (name: string, member: string): void => {
    const text = exampleIncident(name, { directory: member, path: `${way}/${member}` });
    writing.mutate({ name, text }, { onSuccess: () => go(`/incidents/${encodeURIComponent(name)}`) });
  };
  return (
    <Section title="New incident">
      {places.isSuccess && directories.length === 0 ? (
        <Text>
          An incident needs a{' '}
          <Anchor component={Link} href="/new" underline="always">
            generator
          </Anchor>
          .
        </Text>
      ) : (
        <FirstMemberForm
          members={directories}
          flawOf={(name) => nameFlaw(name, names)}
          isBusy={writing.isPending}
          onCreate={create}
        />
      )}
      {places.isError && <ErrorNote title="The generators cannot be listed" error={places.error} />}
      {writing.isError && <ErrorNote title="The incident was not created" error={writing.error} />}
    </Section>
  );
};

const nameFlaw = (name: string, names: readonly string[]): string | null =>
  names.includes(name) ? 'This incident exists.' : (checkIncidentName(name)?.message ?? null);

interface Paths {
  readonly path: {
    readonly generators_dir: string;
    readonly incidents_dir: string | null;
    /** Former name of `incidents_dir`. */
    readonly scenarios_dir: string | null;
  };
}

/** Directories of generators, and the way to them from an incident file. */
const usePlaces = () =>
  useQuery({
    queryKey: ['incident-places'],
    queryFn: async () => {
      const [configs, settings] = await Promise.all([call('listGeneratorConfigs'), call('readSettings')]);
      const { path } = settings as unknown as Paths;
      const directories = configs.map((config) => (typeof config === 'string' ? config : config.name));
      // By default both are in one directory.
      const from = path.incidents_dir ?? path.scenarios_dir ?? `${path.generators_dir}/../incidents`;
      return { directories, way: wayBetween(from, path.generators_dir) };
    },
  });

export default Incidents;
