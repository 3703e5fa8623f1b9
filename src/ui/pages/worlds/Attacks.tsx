import { Anchor, Code, Stack, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { WorldAttack, WorldContents } from '../../../domain/worlds/reports.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { Section } from '../../parts/Section.js';
import { browserZone, shownTime } from '../../parts/times.js';

interface AttacksProps {
  readonly contents: WorldContents;
  /** Shows the day of a person. */
  readonly onPerson: (user: string) => void;
}

/** The attacks of a world: what each does, when, and who is in its campaign of now. */
export const Attacks = ({ contents: { attacks, campaign_minutes }, onPerson }: AttacksProps) => (
  <Section title="Attacks">
    <Text maw={800}>
      A campaign of each begins every {campaign_minutes} minutes, with people and hosts that are there.
      Generators leave attacks out unless their input or the global <Code>anomaly</Code> of their scenario
      names one:{' '}
      <Anchor
        component={Link}
        href="/help/worlds#how-do-i-get-attacks-and-how-do-i-know-them"
        underline="always"
      >
        how to show one
      </Anchor>
      . Below are the campaigns of now, in the time zone of your browser.
    </Text>
    <Stack gap={0}>
      {attacks.map((attack) => (
        <details key={attack.name} className="world-attack">
          <summary>
            <b>{attack.name}</b> <Text span>{attack.summary}</Text>
          </summary>
          <Steps attack={attack} onPerson={onPerson} />
        </details>
      ))}
    </Stack>
  </Section>
);

interface StepsProps {
  readonly attack: WorldAttack;
  readonly onPerson: (user: string) => void;
}

const Steps = ({ attack: { name, steps }, onPerson }: StepsProps) => (
  <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
    <Table aria-label={`Steps of ${name}`} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Phase</Table.Th>
          <Table.Th>Technique</Table.Th>
          <Table.Th>When</Table.Th>
          <Table.Th>What</Table.Th>
          <Table.Th>People</Table.Th>
          <Table.Th>Hosts</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {steps.map((step) => (
          <Table.Tr key={`${step.phase} ${step.technique}`}>
            <Table.Td>{step.phase}</Table.Td>
            <Table.Td>{step.technique}</Table.Td>
            <Table.Td className="world-when">
              {clockOf(step.from)} to {clockOf(step.to)}
            </Table.Td>
            <Table.Td>
              {counted(step.acts, 'act')}: {step.kinds.join(', ')}
            </Table.Td>
            <Table.Td>
              <Names names={step.people} onName={onPerson} />
            </Table.Td>
            <Table.Td>
              <Names names={step.hosts} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const clockOf = (iso: string): string => shownTime(iso, browserZone()).slice(11);

const MAX_NAMES = 6;

interface NamesProps {
  readonly names: readonly string[];
  readonly onName?: (name: string) => void;
}

/** Names, many of which are counted. */
const Names = ({ names, onName }: NamesProps) => {
  if (names.length === 0) return '–';
  return (
    <>
      {names.slice(0, MAX_NAMES).map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          {onName === undefined ? (
            <Host name={name} />
          ) : (
            <Anchor component="button" type="button" onClick={() => onName(name)} underline="always" inherit>
              {name}
            </Anchor>
          )}
        </Fragment>
      ))}
      {names.length > MAX_NAMES && ` and ${shownCount(names.length - MAX_NAMES)} more`}
    </>
  );
};

/** A workstation leads to its person. */
const Host = ({ name }: { readonly name: string }) =>
  /^WS-\d/.test(name) ? (
    <Anchor component={Link} href={`?q=${encodeURIComponent(name)}`} underline="always" inherit>
      {name}
    </Anchor>
  ) : (
    name
  );
