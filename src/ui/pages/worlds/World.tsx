import './worlds.css';
import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { WorldActivity, WorldContents } from '../../../domain/worlds/reports.js';
import { call } from '../../api/client.js';
import { useAddress } from '../../parts/address.js';
import { Figure } from '../../parts/Figure.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownCount, shownRate } from '../../parts/numbers.js';
import { Section } from '../../parts/Section.js';
import { GeneratorNames } from '../destinations/GeneratorNames.js';
import { Attacks } from './Attacks.js';
import { askWorld } from './answers.js';
import { People } from './People.js';
import { PersonDay } from './PersonDay.js';

/** What is asked again only when somebody asks: the same file is the same world. */
const STABLE = { staleTime: 60_000, refetchOnWindowFocus: false } as const;

/** Who and what is in a world, and the day of each person. */
const World = ({ name }: { readonly name: string }) => {
  const [person, choose] = useAddress<string>('person', '', true);
  const contents = useQuery({
    queryKey: ['worlds', name, 'contents'],
    queryFn: () => askWorld('readWorld', { path: { name } }),
    ...STABLE,
  });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2" className="wrapped">
          {name}
        </Title>
        <Text component="div">
          <Users name={name} />
        </Text>
      </Stack>
      {contents.isError && <ErrorNote title="The world cannot be read" error={contents.error} />}
      {contents.isPending && <Loading />}
      {contents.data !== undefined && (
        <>
          <Figures contents={contents.data} />
          {person !== '' && (
            <PersonDay key={person} world={name} person={person} onClose={() => choose('')} />
          )}
          <People world={name} chosen={person} onChoose={choose} />
          {/* It takes seconds of the thread that answers all of these: the day of a person goes first. */}
          {person === '' && <Activity name={name} />}
          <Lists contents={contents.data} />
          <Attacks contents={contents.data} onPerson={choose} />
        </>
      )}
    </Stack>
  );
};

const Users = ({ name }: { readonly name: string }) => {
  const list = useQuery({ queryKey: ['worlds'], queryFn: () => call('listWorlds') });
  const ids = list.data?.find((one) => one.name === name)?.used_by;
  if (ids === undefined) return null;
  if (ids.length === 0) return 'No generator uses it.';
  return (
    <>
      Used by <GeneratorNames ids={ids} />.
    </>
  );
};

const Figures = ({ contents }: { readonly contents: WorldContents }) => {
  const { people, hosts, sites, departments, attacks, seed } = contents;
  const all = hosts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="figures">
      <Figure label="People" value={shownCount(people)} />
      <Figure label="Workstations" value={shownCount(people)} />
      <Figure label="Servers" value={shownCount(all - people)} />
      <Figure label="Sites" value={shownCount(sites.length)} />
      <Figure label="Departments" value={shownCount(departments.length)} />
      <Figure label="Attacks" value={shownCount(attacks.length)} />
      <Figure label="Domain" value={contents.netbios} title={contents.domain} />
      <Figure label="Seed" value={String(seed)} />
    </div>
  );
};

const Activity = ({ name }: { readonly name: string }) => {
  const activity = useQuery({
    queryKey: ['worlds', name, 'activity'],
    queryFn: () => askWorld('readWorldActivity', { path: { name } }),
    placeholderData: keepPreviousData,
    ...STABLE,
  });
  return (
    <Section title="How much happens">
      {activity.isError && <ErrorNote title="It cannot be measured" error={activity.error} />}
      {activity.isPending && (
        <Text role="status" c="dimmed">
          Some minutes of a Tuesday are being made and counted. In a large world that takes up to a minute.
        </Text>
      )}
      {activity.data !== undefined && <Measured activity={activity.data} />}
    </Section>
  );
};

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const Measured = ({ activity }: { readonly activity: WorldActivity }) => {
  const { hours, busiest_hour, per_minute, site, groups } = activity;
  const most = Math.max(...hours, 1);
  const sentence = `About ${shownCount(per_minute)} activities a minute in the busiest hour of a Tuesday, from ${hourText(busiest_hour)} in ${site}.`;
  return (
    <Stack gap="md">
      <Text>{sentence}</Text>
      <div className="world-hours" role="img" aria-label={`Activities a minute by the hour. ${sentence}`}>
        {hours.map((rate, hour) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: it is the hour
            key={hour}
            className="world-hour"
            title={`${hourText(hour)}: ${shownRate(rate)} a minute`}
          >
            <div className="world-hour-bar" style={{ height: `${(100 * rate) / most}%` }} />
            <span className="world-hour-name">{hour % 3 === 0 ? hour : ''}</span>
          </div>
        ))}
      </div>
      <div className="world-lists">
        {groups
          .filter(({ kinds }) => kinds.length > 0)
          .map(({ group, kinds }) => (
            <List
              key={group}
              title={`${group} a minute`}
              rows={kinds.map(({ kind, per_minute: rate }) => [kind, shownRate(rate)])}
            />
          ))}
      </div>
    </Stack>
  );
};

const Lists = ({ contents: { sites, departments, hosts } }: { readonly contents: WorldContents }) => (
  <Section title="Where and what">
    <div className="world-lists">
      <List
        title="Sites"
        rows={sites.map(({ name, city, country, time_zone, people }) => [
          name,
          shownCount(people),
          `${city}, ${country}, ${time_zone}`,
        ])}
      />
      <List title="Departments" rows={departments.map(({ name, people }) => [name, shownCount(people)])} />
      <List
        title="Hosts"
        rows={hosts.map(({ role, count }) => [role.replaceAll('_', ' '), shownCount(count)])}
      />
    </div>
  </Section>
);

interface ListProps {
  readonly title: string;
  /** Name, number, and what else is known. */
  readonly rows: readonly (readonly [name: string, number: string, note?: string])[];
}

const MAX_ROWS = 8;

/** Rows with a number; long lists are folded. */
const List = ({ title, rows }: ListProps) => (
  <div>
    <Rows title={title} rows={rows.slice(0, MAX_ROWS)} />
    {rows.length > MAX_ROWS && (
      <details>
        <summary>{shownCount(rows.length - MAX_ROWS)} more</summary>
        <Rows title={`More ${title.toLowerCase()}`} rows={rows.slice(MAX_ROWS)} isHidden />
      </details>
    )}
  </div>
);

const Rows = ({ title, rows, isHidden = false }: ListProps & { readonly isHidden?: boolean }) => (
  <Table aria-label={title} layout="auto">
    {!isHidden && <Table.Caption className="world-caption">{title}</Table.Caption>}
    <Table.Tbody>
      {rows.map(([name, number, note]) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" fw={400}>
            <Group gap="xs">
              {name}
              {note !== undefined && (
                <Text span size="sm" c="dimmed">
                  {note}
                </Text>
              )}
            </Group>
          </Table.Th>
          <Table.Td className="number">{number}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

export default World;
