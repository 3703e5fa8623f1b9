import { Button, Group, Modal, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pause, Play, Square, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_INCIDENT_SEED, MAX_ROUNDS } from '../../../domain/incidents/incident.js';
import { Needs } from '../../app/role.js';
import { shownCount } from '../../parts/numbers.js';
import { Question } from '../../parts/Questions.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { positionOfDuration } from './position.js';
import { State } from './State.js';
import { type Shown, type useOrder, usePosition } from './useIncident.js';

interface HeaderProps {
  readonly incident: Shown;
  /** Seed of the preview. A start offers it. */
  readonly seed: string;
  readonly order: ReturnType<typeof useOrder>;
}

const Facts = ({ incident }: Pick<HeaderProps, 'incident'>) => {
  const position = usePosition(incident);
  const { state, duration, run } = incident;
  return (
    <Group gap="xs">
      <State state={state} />
      {position !== null && duration !== null && (
        <Text size="sm" fw={600} className="figure" role="timer" aria-label="Position">
          {positionOfDuration(position, duration)}
        </Text>
      )}
      {run !== null && (
        <>
          {run.rounds > 1 && (
            <Text size="sm">
              round {shownCount(run.round)} of {shownCount(run.rounds)}
            </Text>
          )}
          <Text size="sm" className="wrapped">
            seed {run.seed}
          </Text>
          <Text size="sm">started {shownTime(run.started_at, browserZone())}</Text>
        </>
      )}
    </Group>
  );
};

/** What can be done to an incident that is not under way. */
const AtRest = ({ incident: { name, problem }, seed, order }: HeaderProps) => {
  const [, go] = useLocation();
  const [isStarting, starting] = useDisclosure(false);
  const [isDeleting, deleting] = useDisclosure(false);
  const isBusy = (kind: string): boolean => order.isPending && order.variables.kind === kind;
  return (
    <Group gap="xs">
      <Needs to="startIncident">
        <Button
          leftSection={<Play size={16} />}
          onClick={starting.open}
          loading={isBusy('start')}
          disabled={problem !== null}
        >
          Start
        </Button>
      </Needs>
      <Needs to="deleteIncident">
        <Button
          variant="default"
          leftSection={<Trash2 size={16} />}
          onClick={deleting.open}
          loading={isBusy('delete')}
        >
          Delete
        </Button>
      </Needs>
      {isStarting && (
        <StartDialog
          name={name}
          seed={seed}
          onStart={(chosen, rounds) => order.mutate({ kind: 'start', seed: chosen, rounds })}
          onClose={starting.close}
        />
      )}
      <Question
        isOpen={isDeleting}
        title={`Delete ${name}?`}
        verb="Delete"
        onYes={() => order.mutate({ kind: 'delete' }, { onSuccess: () => go('/incidents') })}
        onClose={deleting.close}
      >
        This deletes the file. Generators and what they wrote stay.
      </Question>
    </Group>
  );
};

const UnderWay = ({ incident: { name, state }, order }: Omit<HeaderProps, 'seed'>) => {
  const [isStopping, stopping] = useDisclosure(false);
  const isBusy = (kind: string): boolean => order.isPending && order.variables.kind === kind;
  const isPaused = state === 'paused';
  const next = isPaused ? 'resume' : 'pause';
  return (
    <Group gap="xs">
      <Needs to="pauseIncident">
        <Button
          variant={isPaused ? 'filled' : 'default'}
          leftSection={isPaused ? <Play size={16} /> : <Pause size={16} />}
          onClick={() => order.mutate({ kind: next })}
          loading={isBusy(next)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </Needs>
      <Needs to="stopIncident">
        <Button
          variant="default"
          leftSection={<Square size={16} />}
          onClick={stopping.open}
          loading={isBusy('stop')}
        >
          Stop
        </Button>
      </Needs>
      <Question
        isOpen={isStopping}
        title={`Stop ${name}?`}
        verb="Stop"
        onYes={() => order.mutate({ kind: 'stop' })}
        onClose={stopping.close}
      >
        Members go on as before the incident. Those that it started are stopped; those that it made are
        removed.
      </Question>
    </Group>
  );
};

/** Name, state and position of an incident, and the buttons that change them. */
export const IncidentHeader = (props: HeaderProps) => {
  const { name, summary, state } = props.incident;
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4} miw={0}>
        <Title order={1} size="h2" className="wrapped">
          {name}
        </Title>
        {summary !== null && <Text className="wrapped">{summary}</Text>}
        <Facts incident={props.incident} />
      </Stack>
      {state === 'idle' ? <AtRest {...props} /> : <UnderWay {...props} />}
    </Group>
  );
};

interface StartDialogProps {
  readonly name: string;
  /** Seed at first. */
  readonly seed: string;
  readonly onStart: (seed: string, rounds: number) => void;
  readonly onClose: () => void;
}

/** Asks for seed and rounds of a run. */
const StartDialog = ({ name, seed: first, onStart, onClose }: StartDialogProps) => {
  const [seed, setSeed] = useState(first);
  const [rounds, setRounds] = useState<number | string>(1);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    onStart(seed, typeof rounds === 'number' ? rounds : 1);
  };
  return (
    <Modal opened onClose={onClose} title={`Start ${name}`} centered>
      <form onSubmit={start}>
        <Stack>
          <TextInput
            label="Seed"
            description="The same seed draws the same entities. Empty: a random one."
            value={seed}
            onChange={(event) => setSeed(event.currentTarget.value)}
            maxLength={MAX_INCIDENT_SEED}
            data-autofocus
          />
          <NumberInput
            label="Rounds"
            description="How often it runs, one round after another."
            value={rounds}
            onChange={setRounds}
            min={1}
            max={MAX_ROUNDS}
            allowDecimal={false}
            clampBehavior="strict"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Start</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
