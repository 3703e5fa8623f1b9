import { Box, Fieldset, Radio, Stack, Tabs, Text, Title } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { FilePlus2, LibraryBig, ListChecks, ScanSearch, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { LibraryPage } from '../library/Library.js';
import {
  CreateButtons,
  CreateError,
  type Creation,
  createDraft,
  type Goal,
  HalfDone,
  useCreate,
} from './creating.js';
import { type EmptyChoice, type EventChoice, emptyDraft } from './drafts.js';
import { FromLog } from './FromLog.js';
import { NameField, RateForm, useTaken } from './fields.js';
import { Guided } from './Guided.js';
import { Learn } from './learn/Learn.js';
import { nameFlaw, obstacleOf } from './names.js';
import { OutputForm, useDestinationNames } from './OutputForm.js';
import { FIRST_OUTPUT, type OutputChoice, outputFlaws, withoutSecrets } from './outputs.js';
import './new.css';

const WAYS = ['guided', 'example', 'learn', 'log', 'empty'] as const;
const FIRST_WAY = 'guided';

/** Short on narrow screens. */
const Label = ({ long, short }: { readonly long: string; readonly short: string }) => (
  <>
    <Box component="span" visibleFrom="xs">
      {long}
    </Box>
    <Box component="span" hiddenFrom="xs">
      {short}
    </Box>
  </>
);

/** The ways to a new generator; the chosen one is in the address. */
export default function New() {
  const [search, setSearch] = useSearchParams();
  const way = WAYS.find((one) => one === search.get('from')) ?? FIRST_WAY;
  return (
    <Stack>
      <Title order={1} size="h2">
        New generator
      </Title>
      <Tabs
        value={way}
        onChange={(chosen) => {
          setSearch(chosen === null || chosen === FIRST_WAY ? {} : { from: chosen }, { replace: true });
        }}
      >
        <Tabs.List className="ways">
          <Tabs.Tab value="guided" leftSection={<ListChecks size={16} />}>
            <Label long="In three choices" short="Guided" />
          </Tabs.Tab>
          <Tabs.Tab value="example" leftSection={<LibraryBig size={16} />}>
            <Label long="From an example" short="Example" />
          </Tabs.Tab>
          <Tabs.Tab value="learn" leftSection={<ScanSearch size={16} />}>
            <Label long="Learn from a log" short="Learn" />
          </Tabs.Tab>
          <Tabs.Tab value="log" leftSection={<ScrollText size={16} />}>
            <Label long="Replay a log" short="Replay" />
          </Tabs.Tab>
          <Tabs.Tab value="empty" leftSection={<FilePlus2 size={16} />}>
            <Label long="From empty" short="Empty" />
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="guided" pt="md">
          <Guided />
        </Tabs.Panel>
        <Tabs.Panel value="example" pt="md">
          <LibraryPage />
        </Tabs.Panel>
        <Tabs.Panel value="learn" pt="md">
          <Learn />
        </Tabs.Panel>
        <Tabs.Panel value="log" pt="md">
          <FromLog />
        </Tabs.Panel>
        <Tabs.Panel value="empty" pt="md">
          <FromEmpty />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const FIRST: EmptyChoice = {
  name: '',
  events_per_second: 10,
  timing: 'poisson',
  event: 'template',
  output: FIRST_OUTPUT,
};

const EVENTS: readonly { readonly kind: EventChoice; readonly label: string; readonly help: string }[] = [
  {
    kind: 'template',
    label: 'Template',
    help: 'Text with placeholders for times, random values and samples (Jinja). Right for most logs.',
  },
  { kind: 'script', label: 'Script', help: 'A JavaScript function that returns each event. For any logic.' },
];

/** What is typed and may be secret: it is gone with the page. */
type TypedSecrets = Pick<OutputChoice, 'password' | 'created'>;
const NO_SECRETS: TypedSecrets = { password: FIRST_OUTPUT.password, created: FIRST_OUTPUT.created };

/** A small generator of one's own. */
const FromEmpty = () => {
  const [stored, setStored] = useSessionStorage<EmptyChoice>({
    key: 'spate.new.empty',
    defaultValue: FIRST,
    getInitialValueInEffect: false,
  });
  const [secret, setSecret] = useState<TypedSecrets>(NO_SECRETS);
  const [isStrict, setStrict] = useState(false);
  const taken = useTaken();
  const destinations = useDestinationNames();
  const choice: EmptyChoice = { ...stored, output: { ...stored.output, ...secret } };
  const creating = useCreate(
    ({ goal }: Creation) => createDraft(emptyDraft(choice), goal),
    () => setStored(FIRST),
  );
  const obstacle = obstacleOf(nameFlaw(choice.name, taken), outputFlaws(choice.output, destinations));
  const create = (goal: Goal): void => {
    setStrict(true);
    if (obstacle === null) creating.mutate({ name: choice.name, goal });
  };
  return (
    <Stack maw={720}>
      <Text size="sm">
        A generator that runs at once, with an event that you change to yours. Everything can be changed
        later.
      </Text>
      <NameField
        name={choice.name}
        taken={taken}
        isStrict={isStrict}
        isDone={creating.error instanceof HalfDone}
        onName={(name) => setStored({ ...stored, name })}
      />
      <Fieldset legend="When events come">
        <RateForm rate={choice} onRate={(rate) => setStored({ ...stored, ...rate })} />
      </Fieldset>
      <Fieldset legend="What an event is">
        <Radio.Group
          aria-label="What makes the events"
          value={choice.event}
          onChange={(event) => setStored({ ...stored, event: event })}
        >
          <Stack gap="xs">
            {EVENTS.map(({ kind, label, help }) => (
              <Radio key={kind} value={kind} label={label} description={help} />
            ))}
          </Stack>
        </Radio.Group>
      </Fieldset>
      <Fieldset legend="Where events go">
        <OutputForm
          output={choice.output}
          rows="events"
          onOutput={(output) => {
            setSecret({ password: output.password, created: output.created });
            setStored({ ...stored, output: withoutSecrets(output) });
          }}
          isStrict={isStrict}
        />
      </Fieldset>
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={create}
        pending={creating.isPending ? creating.variables.goal : null}
        error={creating.error}
        isOpenFirst
        obstacle={isStrict ? obstacle : null}
      />
    </Stack>
  );
};
