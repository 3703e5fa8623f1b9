import './incidents.css';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useCallback } from 'react';
import { Link } from 'wouter';
import type { IncidentEnd } from '../../../messages/incidents.js';
import { useAddress } from '../../parts/address.js';
import { ErrorNote, Note } from '../../parts/notes.js';
import { Section } from '../../parts/Section.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { Entities } from './Entities.js';
import { Header } from './Header.js';
import { IncidentFile } from './IncidentFile.js';
import { JumpForm } from './JumpForm.js';
import { Members } from './Members.js';
import { Phases } from './Phases.js';
import { currentPhases } from './stand.js';
import { Timeline } from './Timeline.js';
import { isMissing, type Shown, useIncident, useOrder, usePosition } from './useIncident.js';

/** How the last run ended, in a sentence. */
const endText = ({ at, outcome }: IncidentEnd): string => {
  const time = shownTime(at, browserZone());
  if (outcome === 'cut_off')
    return `The run that began at ${time} was cut off: the service ended before it did.`;
  return `The last run ${outcome === 'finished' ? 'finished' : 'was stopped'} at ${time}.`;
};

const Last = ({ last }: { readonly last: IncidentEnd }) => {
  const words = endText(last);
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

interface StoryProps {
  readonly incident: Shown;
  readonly onJump: (seconds: number) => void;
}

/** The timeline and the phases, with where it stands. */
const Story = ({ incident, onJump }: StoryProps) => {
  const position = usePosition(incident);
  const { timeline, duration } = incident;
  if (duration === null) return null;
  const current = currentPhases(timeline, position).join(',');
  const isUnderWay = position !== null;
  return (
    <>
      <Section title="Timeline">
        <Timeline
          timeline={timeline}
          duration={duration}
          position={position}
          current={current}
          onJump={onJump}
        />
        {isUnderWay && <JumpForm duration={duration} onJump={onJump} />}
      </Section>
      <Section title="Phases">
        <Phases timeline={timeline} current={current} onJump={isUnderWay ? onJump : null} />
      </Section>
    </>
  );
};

const Body = ({ incident }: { readonly incident: Shown }) => {
  const { name, problem, members, last, state } = incident;
  const [seed, setSeed] = useAddress<string>('seed', '');
  const order = useOrder(name);
  const { mutate } = order;
  const jump = useCallback((to: number): void => mutate({ kind: 'jump', to }), [mutate]);
  return (
    <>
      <Header incident={incident} seed={seed} order={order} />
      {state === 'idle' && last !== null && <Last last={last} />}
      {problem !== null && (
        <Note color="red" title="The file is invalid">
          <span className="wrapped">{problem}</span>
        </Note>
      )}
      <Story incident={incident} onJump={jump} />
      {members.length > 0 && (
        <div className="cast">
          <Section title="Members">
            <Members incident={name} members={members} />
          </Section>
          <Section title="Entities">
            <Entities incident={incident} seed={seed} onSeed={setSeed} />
          </Section>
        </div>
      )}
      <Section title="File">
        <IncidentFile incident={incident} />
      </Section>
    </>
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

/** One incident: its story, where it stands, and its file. */
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

export default Incident;
