import './incidents.css';
import { Anchor, Group, Paper, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { MAX_INCIDENT_SEED } from '../../../domain/incidents/incident.js';
import type { Json } from '../../../domain/json.js';
import type { IncidentEnd, IncidentMemberStatus } from '../../../messages/incidents.js';
import { useLive } from '../../api/live.js';
import { useAddress } from '../../parts/address.js';
import { JsonTree } from '../../parts/JsonTree.js';
import { locationOf } from '../../parts/locatedText.js';
import { ErrorNote, Note } from '../../parts/notes.js';
import { PhaseBadge } from '../../parts/Phase.js';
import { Section } from '../../parts/Section.js';
import { browserZone } from '../../parts/times.js';
import { IncidentHeader } from './Header.js';
import { IncidentEditor } from './IncidentFile.js';
import { Phases } from './Phases.js';
import { currentPhases, endText, isOwnMember } from './position.js';
import { IncidentTimeline, JumpForm } from './Timeline.js';
import { GroundTruth, useEntityFilter } from './Truth.js';
import { phaseCounts } from './truth.js';
import { isMissing, type Shown, useDraw, useIncident, useOrder, usePosition } from './useIncident.js';
import { useTruth } from './useTruth.js';

/** One incident: its timeline, its position and its file. */
const Incident = ({ name }: { readonly name: string }) => {
  const { data, error } = useIncident(name);
  if (isMissing(error)) return <Missing name={name} />;
  return (
    <Stack gap="xl">
      {error !== null && <ErrorNote title="The incident cannot be read" error={error} />}
      {data !== undefined && <Body incident={data} />}
    </Stack>
  );
};

const Missing = ({ name }: { readonly name: string }) => (
  <Stack>
    <Title order={1} size="h2" className="wrapped">
      There is no incident {name}
    </Title>
    <Text>
      It may have been deleted. Go to the{' '}
      <Anchor component={Link} href="/incidents" underline="always">
        list of incidents
      </Anchor>
      .
    </Text>
  </Stack>
);

const Body = ({ incident }: { readonly incident: Shown }) => {
  const { name, problem, members, last, state } = incident;
  const [seed, setSeed] = useAddress<string>('seed', '');
  const [, setEntity] = useEntityFilter();
  const truth = useRef<HTMLDivElement>(null);
  const order = useOrder(name);
  const { mutate } = order;
  const jump = useCallback((to: number): void => mutate({ kind: 'jump', to }), [mutate]);
  return (
    <>
      <IncidentHeader incident={incident} seed={seed} order={order} />
      {state === 'idle' && last !== null && <Last last={last} />}
      {problem !== null && (
        <Note color="red" title="The file is invalid">
          <span className="wrapped">{problem}</span>
        </Note>
      )}
      <Progress incident={incident} onJump={jump} />
      {(problem === null || state !== 'idle') && (
        <div ref={truth}>
          <Section title="Ground truth">
            <GroundTruth incident={incident} />
          </Section>
        </div>
      )}
      {members.length > 0 && (
        <div className="incident-members">
          <Section title="Members">
            <IncidentMembers incident={name} members={members} />
          </Section>
          <Section title="Entities">
            <Entities
              incident={incident}
              seed={seed}
              onSeed={setSeed}
              onEntity={(entity) => {
                setEntity(entity);
                truth.current?.scrollIntoView();
              }}
            />
          </Section>
        </div>
      )}
      <Section title="File">
        <IncidentEditor incident={incident} />
      </Section>
    </>
  );
};

const Last = ({ last }: { readonly last: IncidentEnd }) => {
  const words = endText(last, browserZone());
  const { outcome, reason } = last;
  if (outcome === 'cut_off')
    return <Note title={words}>The events of its remaining phases were not made.</Note>;
  if (reason === null) return <Text size="sm">{words}</Text>;
  return (
    <Note title={words}>
      <span className="wrapped">Not every member could be released: {reason}</span>
    </Note>
  );
};

interface ProgressProps {
  readonly incident: Shown;
  readonly onJump: (seconds: number) => void;
}

/** The timeline and the phases, with the position. */
const Progress = ({ incident, onJump }: ProgressProps) => {
  const position = usePosition(incident);
  const { timeline, duration, run } = incident;
  const { events } = useTruth(incident).truth;
  const rounds = run?.rounds ?? 1;
  const counts = useMemo(() => phaseCounts(events, timeline, rounds), [events, timeline, rounds]);
  if (duration === null) return null;
  const current = currentPhases(timeline, position).join(',');
  const isUnderWay = position !== null;
  return (
    <>
      <Section title="Timeline">
        <IncidentTimeline
          timeline={timeline}
          duration={duration}
          position={position}
          current={current}
          counts={counts}
          onJump={onJump}
        />
        {isUnderWay && <JumpForm duration={duration} onJump={onJump} />}
      </Section>
      <Section title="Phases">
        <Phases timeline={timeline} current={current} counts={counts} onJump={isUnderWay ? onJump : null} />
      </Section>
    </>
  );
};

interface MembersProps {
  readonly incident: string;
  readonly members: readonly IncidentMemberStatus[];
}

/** The members, and the generators that play them. */
const IncidentMembers = ({ incident, members }: MembersProps) => (
  <ul className="members">
    {members.map((member) => (
      <Paper key={member.name} withBorder px="md" py="xs" component="li">
        <Text fw={600} className="wrapped">
          {member.name}
        </Text>
        <Assigned incident={incident} member={member} />
        <Config path={member.path} />
      </Paper>
    ))}
  </ul>
);

interface MemberProps {
  readonly incident: string;
  readonly member: IncidentMemberStatus;
}

const Assigned = ({ incident, member: { name, generator_id: id, phase } }: MemberProps) => {
  const live = useLive().generators.get(id ?? '')?.phase ?? phase;
  if (id === null) return <Text size="sm">No generator yet: the incident makes one.</Text>;
  return (
    <Group gap="xs">
      <Anchor
        component={Link}
        href={`/r/${encodeURIComponent(id)}`}
        size="sm"
        underline="always"
        className="wrapped"
      >
        {id}
      </Anchor>
      {live !== null && <PhaseBadge phase={live} />}
      {isOwnMember(incident, { name, generator_id: id }) && <Text size="sm">made for the incident</Text>}
    </Group>
  );
};

const Config = ({ path }: { readonly path: string }) => {
  const location = locationOf(path);
  if (location === null)
    return (
      <Text size="sm" className="wrapped">
        {path}
      </Text>
    );
  return (
    <Anchor
      component={Link}
      href={`/g/${encodeURIComponent(location.name)}`}
      size="sm"
      underline="always"
      className="wrapped"
    >
      {path}
    </Anchor>
  );
};

interface EntitiesProps {
  readonly incident: Shown;
  readonly seed: string;
  readonly onSeed: (seed: string) => void;
  /** Shows the events of an entity of the run. */
  readonly onEntity: (entity: string) => void;
}

/** The entities of the run, or of a seed. */
const Entities = (props: EntitiesProps) => {
  const { entities, run } = props.incident;
  return run === null || entities === null ? (
    <Preview {...props} />
  ) : (
    <Drawn entities={entities} onEntity={props.onEntity} />
  );
};

const PAUSE_MS = 300;

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

interface DrawnProps {
  readonly entities: Json;
  /** Undefined when nothing has happened to them yet. */
  readonly onEntity?: (entity: string) => void;
}

const Drawn = ({ entities, onEntity }: DrawnProps) => (
  <Paper withBorder p="sm">
    {Object.keys(entities as object).length === 0 ? (
      <Text size="sm">The file names no entities.</Text>
    ) : (
      <JsonTree
        value={entities}
        {...(onEntity !== undefined && {
          leaf: ({ path, value }, shown) => (
            <UnstyledButton
              className="entity"
              aria-label={`Events of ${path}: ${String(value)}`}
              onClick={() => onEntity(path.split('.')[0] ?? path)}
            >
              {shown}
            </UnstyledButton>
          ),
        })}
      />
    )}
  </Paper>
);

export default Incident;
