import { Alert, Anchor, Button, CloseButton, Group, List, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Pencil, Play, PlugZap, RotateCw, Square, Trash2 } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { GeneratorPhase } from '../../../domain/generator.js';
import { checkGeneratorId } from '../../../domain/identifiers.js';
import type { Health } from '../../../domain/stats/health.js';
import type { GeneratorListItem } from '../../../messages/generators.js';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { Needs } from '../../app/role.js';
import { type Action, RemoveDialog, useAction } from '../../parts/generatorActions.js';
import { locationOf } from '../../parts/locatedText.js';
import { ErrorNote } from '../../parts/notes.js';
import { restartsText, shownSeconds } from '../../parts/numbers.js';
import { PhaseBadge } from '../../parts/Phase.js';
import { RenameDialog } from '../../parts/Questions.js';
import { useNodes } from '../../parts/useCluster.js';
import { useIncidentsOf } from './data.js';

interface HeaderProps {
  readonly id: string;
  readonly path: string;
  readonly phase: GeneratorPhase;
  readonly health: Health;
  readonly restarts: number;
  readonly scenarios: readonly string[];
  readonly partitions: readonly { readonly index: number; readonly phase: GeneratorPhase }[];
  /** Seconds since the start; `null` before the first. */
  readonly uptime: number | null;
}

const AT_REST: ReadonlySet<GeneratorPhase> = new Set(['idle', 'finished', 'failed', 'stopped']);

const Facts = ({ id, path, phase, health, restarts, scenarios, partitions, uptime }: HeaderProps) => {
  const location = locationOf(path);
  const node = useNodes().get(id);
  const incidents = useIncidentsOf(id);
  return (
    <Group gap="xs" wrap="wrap">
      <PhaseBadge phase={phase} health={health} />
      {location === null ? (
        <Text size="sm">{path}</Text>
      ) : (
        <Anchor
          component={Link}
          href={`/g/${encodeURIComponent(location.name)}`}
          size="sm"
          underline="always"
        >
          {path}
        </Anchor>
      )}
      {scenarios.map((name) => (
        <Anchor
          key={name}
          component={Link}
          href={`/s/${encodeURIComponent(name)}`}
          size="sm"
          underline="always"
        >
          scenario {name}
        </Anchor>
      ))}
      {partitions.map((one) => (
        <Group key={one.index} gap={4} wrap="nowrap">
          <Text size="sm">partition {one.index}</Text>
          <PhaseBadge phase={one.phase} />
        </Group>
      ))}
      {incidents.flatMap(({ details: { name, members } }) =>
        members
          .filter(({ generator_id }) => generator_id === id)
          .map((member) => (
            <Anchor
              key={`${name} ${member.name}`}
              component={Link}
              href={`/incidents/${encodeURIComponent(name)}`}
              size="sm"
              underline="always"
            >
              plays {member.name} in the incident {name}
            </Anchor>
          )),
      )}
      {node !== undefined && (
        <Anchor
          component={Link}
          href={`/cluster?find=${encodeURIComponent(id)}`}
          size="sm"
          underline="always"
        >
          on {node}
        </Anchor>
      )}
      {phase === 'running' && uptime !== null && <Text size="sm">up {shownSeconds(Math.floor(uptime))}</Text>}
      {restarts > 0 && <Text size="sm">{restartsText(restarts)}</Text>}
    </Group>
  );
};

/** Start, or Restart and Stop. */
const LifeButtons = ({ id, isAtRest }: { readonly id: string; readonly isAtRest: boolean }) => {
  const acting = useAction();
  const act = (action: Action) => () => acting.mutate({ action, ids: [id] });
  const isBusy = (action: Action): boolean => acting.isPending && acting.variables.action === action;
  return isAtRest ? (
    <Needs to="startGenerator">
      <Button leftSection={<Play size={16} />} onClick={act('start')} loading={isBusy('start')}>
        Start
      </Button>
    </Needs>
  ) : (
    <>
      <Needs to="restartGenerator">
        <Button
          variant="default"
          leftSection={<RotateCw size={16} />}
          onClick={act('restart')}
          loading={isBusy('restart')}
        >
          Restart
        </Button>
      </Needs>
      <Needs to="stopGenerator">
        <Button
          variant="default"
          leftSection={<Square size={16} />}
          onClick={act('stop')}
          loading={isBusy('stop')}
        >
          Stop
        </Button>
      </Needs>
    </>
  );
};

type Check = UseMutationResult<AnswerOf<'checkOutputs'>, Error, void>;

/** Opens the outputs of a generator once and closes them. */
const useOutputCheck = (id: string): Check =>
  useMutation({ mutationFn: () => call('checkOutputs', { path: { id } }) });

/** Which outputs could be opened, and why others could not, until it is closed. */
const OutputCheck = ({ check }: { readonly check: Check }) => {
  if (check.error !== null) return <ErrorNote title="The outputs were not checked" error={check.error} />;
  if (check.data === undefined) return null;
  const bad = check.data.filter(({ error }) => error !== null).length;
  return (
    <Alert color={bad === 0 ? 'teal' : 'red'} w="100%" role="status">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <List listStyleType="none" spacing={4}>
          {check.data.map(({ plugin, error }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name
            <List.Item key={index} icon={error === null ? <CircleCheck size={16} /> : <CircleX size={16} />}>
              <Text size="sm" className="wrapped">
                <b>{plugin}</b>: {error ?? 'can be opened. No event was sent.'}
              </Text>
            </List.Item>
          ))}
        </List>
        <CloseButton aria-label="Close the check" onClick={check.reset} />
      </Group>
    </Alert>
  );
};

/** What the generator is and what it does, and the buttons that change that. */
export const GeneratorHeader = ({ id, ...facts }: HeaderProps) => {
  const [, go] = useLocation();
  const client = useQueryClient();
  const [isRemoving, removing] = useDisclosure(false);
  const [isRenaming, renaming] = useDisclosure(false);
  const checking = useOutputCheck(id);
  const { phase, partitions } = facts;
  const isAtRest = AT_REST.has(phase) && partitions.every((one) => AT_REST.has(one.phase));
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4}>
        <Title order={1} size="h2" className="wrapped">
          {id}
        </Title>
        <Facts id={id} {...facts} />
      </Stack>
      <Group gap="xs">
        <LifeButtons id={id} isAtRest={isAtRest} />
        <Needs to="checkOutputs">
          <Button
            variant="default"
            leftSection={<PlugZap size={16} />}
            onClick={() => checking.mutate()}
            loading={checking.isPending}
          >
            Check outputs
          </Button>
        </Needs>
        {isAtRest && (
          <Needs to="renameGenerator">
            <Button variant="default" leftSection={<Pencil size={16} />} onClick={renaming.open}>
              Rename
            </Button>
          </Needs>
        )}
        <Needs to="removeGenerator">
          <Button variant="default" leftSection={<Trash2 size={16} />} onClick={removing.open}>
            Delete
          </Button>
        </Needs>
      </Group>
      <OutputCheck check={checking} />
      <RemoveDialog
        generators={[{ id, phase: facts.phase }]}
        isOpen={isRemoving}
        onClose={removing.close}
        onRemoved={() => go('/')}
      />
      <RenameDialog
        name={id}
        isOpen={isRenaming}
        check={checkGeneratorId}
        rename={(to) => call('renameGenerator', { path: { id }, query: { to } })}
        onRenamed={(to) => {
          // The page of the new id is there at once.
          client.setQueriesData<readonly GeneratorListItem[]>({ queryKey: ['generators'] }, (list) =>
            list?.map((one) => (one.id === id ? { ...one, id: to } : one)),
          );
          go(`/r/${encodeURIComponent(to)}`);
        }}
        onClose={renaming.close}
      >
        <Text size="sm">
          Its startup entry, checkpoint and dead letters get the new name; counters, history and log begin
          anew. Its directory keeps its name, and incident files that name it are not changed.
        </Text>
      </RenameDialog>
    </Group>
  );
};
