import { Alert, Button, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { CreateButtons } from '../CreateButtons.js';
import { CreateError } from '../CreateError.js';
import { importLearned } from '../launch.js';
import { nameFlaw } from '../names.js';
import { type Creation, useCreate } from '../useCreate.js';
import { useTaken } from '../useTaken.js';
import { Examples } from './Examples.js';
import { Fields } from './Fields.js';
import { Files } from './Files.js';
import { factsOf, filesOf, warningsOf } from './facts.js';
import type { LearnAnswer } from './useLearned.js';

interface LookProps extends LearnAnswer {
  readonly name: string;
  readonly onBack: () => void;
}

const CONFIG_FILE = 'generator.yml';

const Facts = ({ learned }: Pick<LookProps, 'learned'>) => (
  <Table aria-label="What was found" withRowBorders={false} layout="fixed" className="facts">
    <Table.Tbody>
      {factsOf(learned).map(([head, text]) => (
        <Table.Tr key={head}>
          <Table.Th scope="row">{head}</Table.Th>
          <Table.Td className="wrapped">{text}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const Warnings = ({ learned, isPart }: LearnAnswer) => {
  const warnings = warningsOf(learned, isPart);
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert size={18} />} title="Before you create it">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning} className="wrapped">
            {warning}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

const Section = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {children}
  </section>
);

/** What was learned; creates the generator. */
export const Look = ({ learned, isPart, name, onBack }: LookProps) => {
  const taken = useTaken();
  const creating = useCreate(({ name: wanted, goal }: Creation) => importLearned(wanted, learned, goal));
  // Created, the name is taken by the generator itself.
  const obstacle = creating.isIdle ? nameFlaw(name, taken) : null;
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600} className="wrapped">
          {name}
        </Text>
        <Button variant="default" size="compact-sm" onClick={onBack} disabled={creating.isPending}>
          Change the options
        </Button>
      </Group>
      <Section title="What was found">
        <Facts learned={learned} />
      </Section>
      <Warnings learned={learned} isPart={isPart} />
      <Section title="The log beside generated events">
        <Examples examples={learned.examples} />
      </Section>
      <Section title="Fields">
        <Fields learned={learned} />
      </Section>
      <Section title="Files">
        <Files files={filesOf(learned, CONFIG_FILE)} />
      </Section>
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={(goal) => {
          if (obstacle === null) creating.mutate({ name, goal });
        }}
        pending={creating.isPending ? creating.variables.goal : null}
        isOpenFirst
        error={creating.error}
        obstacle={obstacle}
      />
    </Stack>
  );
};
