import { ActionIcon, Anchor, Badge, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { Needs } from '../../app/role.js';
import { ErrorNote, tellDone, tellError } from '../../parts/notes.js';
import { shownRate } from '../../parts/numbers.js';
import { PhaseBadge } from '../../parts/Phase.js';
import { membersOf, type ScenarioMember } from './membership.js';

const useMembership = (name: string) => {
  const client = useQueryClient();
  const change = (
    id: 'joinScenario' | 'leaveScenario' | 'restartGenerator',
    verb: string,
    done: (generator: string) => string,
  ) => ({
    mutationFn: (generator: string) =>
      id === 'restartGenerator'
        ? call(id, { path: { id: generator } })
        : call(id, { path: { name, generator_id: generator } }),
    onSuccess: (_: unknown, generator: string) => tellDone(done(generator)),
    onError: (error: unknown, generator: string) => tellError(`${generator} was not ${verb}`, error),
    onSettled: () => client.invalidateQueries(),
  });
  return {
    join: useMutation(change('joinScenario', 'added', (one) => `${one} is in the startup list as a member.`)),
    leave: useMutation(change('leaveScenario', 'removed', (one) => `${one} leaves ${name}.`)),
    restart: useMutation(change('restartGenerator', 'restarted', (one) => `${one} restarts.`)),
  };
};

const AddMember = ({
  ids,
  onAdd,
}: {
  readonly ids: readonly string[];
  readonly onAdd: (id: string) => void;
}) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const add = (): void => {
    if (chosen !== null) onAdd(chosen);
    setChosen(null);
  };
  return (
    <Group gap="sm">
      <Select
        aria-label="Generator to add"
        placeholder={ids.length === 0 ? 'No other startup entry' : 'Generator of the startup list'}
        data={[...ids]}
        value={chosen}
        onChange={setChosen}
        searchable
        disabled={ids.length === 0}
        w={260}
      />
      <Needs to="joinScenario">
        <Button variant="default" onClick={add} disabled={chosen === null}>
          Add member
        </Button>
      </Needs>
    </Group>
  );
};

const NEXT = { joins: 'joins at its next start', leaves: 'leaves at its next start' } as const;

interface MemberRowProps {
  readonly member: ScenarioMember;
  /** That of its area in the chart. Undefined for one that the chart does not show. */
  readonly color: string | undefined;
  readonly onRestart: () => void;
  readonly onLeave: () => void;
}

const MemberRow = ({ member, color, onRestart, onLeave }: MemberRowProps) => {
  const live = useLive().generators.get(member.id);
  const phase = live?.phase;
  const { id, isHome, isListed, atNextStart } = member;
  return (
    <Paper withBorder px="md" py="xs" component="li">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Group gap="sm" miw={0}>
          {color !== undefined && <span className="swatch" style={{ background: color }} aria-hidden />}
          <Anchor component={Link} href={`/r/${encodeURIComponent(id)}`} fw={600} className="wrapped">
            {id}
          </Anchor>
          {phase === undefined ? (
            <Text size="sm">not registered</Text>
          ) : (
            <PhaseBadge phase={phase} {...(live === undefined ? {} : { health: live.health.health })} />
          )}
          {!isHome && (
            <Badge
              variant="outline"
              color="gray"
              title="Another scenario is its first: it can read the globals"
            >
              read only
            </Badge>
          )}
          {atNextStart !== null && <Text size="sm">{NEXT[atNextStart]}</Text>}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {live !== undefined && (
            <Text size="sm" className="rate" ta="end" title="Events per second">
              {shownRate(live.rates.at(-1) ?? 0)}/s
            </Text>
          )}
          {atNextStart !== null && (
            <Needs to="restartGenerator">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<RotateCw size={14} />}
                onClick={onRestart}
              >
                Restart
              </Button>
            </Needs>
          )}
          {isListed && (
            <Needs to="leaveScenario">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${id} from the scenario`}
                onClick={onLeave}
              >
                <UserMinus size={18} />
              </ActionIcon>
            </Needs>
          )}
        </Group>
      </Group>
    </Paper>
  );
};

const UP: ReadonlySet<string> = new Set(['loading', 'running', 'draining', 'backing_off']);

/** The generators of a scenario, by the startup list and by those that run. */
export const ScenarioMembers = ({
  name,
  ids,
  colorOf,
}: {
  readonly name: string;
  readonly ids: readonly string[];
  readonly colorOf: (id: string) => string | undefined;
}) => {
  const live = useLive();
  const entries = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const generators = useQuery({ queryKey: ['generators'], queryFn: () => call('listGenerators') });
  const { join, leave, restart } = useMembership(name);
  const members = membersOf(name, ids, {
    entries: entries.data ?? [],
    generators: generators.data ?? [],
    isUp: (id) => UP.has(live.generators.get(id)?.phase ?? ''),
  });
  const others = (entries.data ?? []).filter((entry) => !entry.scenarios.includes(name)).map(({ id }) => id);
  return (
    <Stack gap="xs">
      {entries.isError && <ErrorNote title="The startup list cannot be read" error={entries.error} />}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            color={colorOf(member.id)}
            onRestart={() => restart.mutate(member.id)}
            onLeave={() => leave.mutate(member.id)}
          />
        ))}
      </Stack>
      <AddMember ids={others} onAdd={(id) => join.mutate(id)} />
    </Stack>
  );
};
