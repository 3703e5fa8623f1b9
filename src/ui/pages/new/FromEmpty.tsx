import { Fieldset, Radio, Stack, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useState } from 'react';
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
import { NameField, RateForm, useTaken } from './fields.js';
import { nameFlaw, obstacleOf } from './names.js';
import { OutputForm } from './OutputForm.js';
import { FIRST_OUTPUT, outputFlaws } from './outputs.js';

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

/** A small generator of one's own. */
export const FromEmpty = () => {
  const [stored, setStored] = useSessionStorage<EmptyChoice>({
    key: 'spate.new.empty',
    defaultValue: FIRST,
    getInitialValueInEffect: false,
  });
  const [password, setPassword] = useState('');
  const [isStrict, setStrict] = useState(false);
  const taken = useTaken();
  const choice: EmptyChoice = { ...stored, output: { ...stored.output, password } };
  const creating = useCreate(
    ({ goal }: Creation) => createDraft(emptyDraft(choice), goal),
    () => setStored(FIRST),
  );
  const obstacle = obstacleOf(nameFlaw(choice.name, taken), outputFlaws(choice.output));
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
            setPassword(output.password);
            setStored({ ...stored, output: { ...output, password: '' } });
          }}
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
