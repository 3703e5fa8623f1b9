import {
  Badge,
  Code,
  Fieldset,
  Group,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { newConfigText } from '../../../config/generator/configText.js';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import { withSecretsApart } from '../destinations/output.js';
import { ExampleEvent, useExampleFiles } from '../library/Details.js';
import { type ShownExample, shownItems } from '../library/examples.js';
import { configOf, textWith } from '../workbench/configText.js';
import { attacksOf, type Choices, configWith, loadOf } from './choices.js';
import {
  CreateButtons,
  CreateError,
  type Creation,
  copyFromLibrary,
  type Goal,
  HalfDone,
  useCreate,
} from './creating.js';
import { AttackField, LoadField, NameField, useTaken } from './fields.js';
import { freeGeneratorName, nameFlaw, obstacleOf } from './names.js';
import { destinationOutput, OutputForm, useDestinationNames } from './OutputForm.js';
import { FIRST_OUTPUT, type NewDestination, type OutputChoice, outputFlaws } from './outputs.js';

/** From nothing to events where they are wanted: what, where to, how much. */
export const Guided = () => {
  const library = useQuery({ queryKey: ['library'], queryFn: () => call('listLibrary') });
  const [chosen, choose] = useState<string | null>(null);
  const [output, setOutput] = useState<OutputChoice>({ ...FIRST_OUTPUT, kind: 'as_is' });
  const item = library.data?.find(({ name }) => name === chosen) ?? null;
  return (
    <Stack maw={960}>
      {library.isError && <ErrorNote title="The library cannot be read" error={library.error} />}
      <Fieldset legend="1. What">
        <ExamplePicker items={library.data ?? []} chosen={chosen} onChoose={choose} />
      </Fieldset>
      {item === null ? (
        <Text size="sm">Then say where its events go, and how fast they come.</Text>
      ) : (
        <OfExample key={item.name} item={item} output={output} onOutput={setOutput} />
      )}
    </Stack>
  );
};

interface ExamplePickerProps {
  readonly items: readonly ShownExample[];
  /** Name of the chosen example. Null for none yet. */
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

/** The examples as cards, one of which can be chosen; it shows an event then. */
const ExamplePicker = ({ items, chosen, onChoose }: ExamplePickerProps) => {
  const [filter, setFilter] = useState('');
  const shown = shownItems(items, { filter, category: '' });
  return (
    <Stack gap="sm">
      <TextInput
        aria-label="Search the examples"
        placeholder="Search: firewall, login, Windows"
        leftSection={<Search size={16} />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        maw={400}
      />
      {shown.length > 0 && (
        <Radio.Group aria-label="Example" value={chosen} onChange={onChoose}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" className="examples">
            {shown.map(({ name, category, summary }) => (
              <Radio.Card key={name} value={name} p="xs" aria-label={name}>
                <Group justify="space-between" wrap="nowrap">
                  <Text fw={600} size="sm" truncate>
                    {name}
                  </Text>
                  <Badge variant="light" color="gray" size="sm">
                    {category}
                  </Badge>
                </Group>
                <Text size="xs" lineClamp={2}>
                  {summary}
                </Text>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
      )}
      {items.length > 0 && shown.length === 0 && (
        <Text size="sm">
          No example has these words. Learn from a log of your own, or start from empty: above.
        </Text>
      )}
      {chosen !== null && <ExampleEvent key={chosen} name={chosen} />}
    </Stack>
  );
};

interface OfExampleProps {
  readonly item: ShownExample;
  /** It stays when another example is chosen. */
  readonly output: OutputChoice;
  readonly onOutput: (output: OutputChoice) => void;
}

/** Reads the config of the example. */
const OfExample = (props: OfExampleProps) => {
  const { name } = props.item;
  const files = useExampleFiles(name);
  const text = withoutSchemaLine(files.data?.files.find(({ path }) => path === 'generator.yml')?.text ?? '');
  const config = useMemo(() => configOf(text), [text]);
  if (files.isError) return <ErrorNote title="The example cannot be read" error={files.error} />;
  return files.isPending || config === null ? null : <Rest {...props} text={text} config={config} />;
};

/** A copy has a line of its own for editors: where the schema is depends on its directory. */
const withoutSchemaLine = (text: string): string => text.replace(/^# yaml-language-server:.*\n+/, '');

interface RestProps extends OfExampleProps {
  /** The text of the config of the example. */
  readonly text: string;
  readonly config: JsonObject;
}

const Rest = ({ item, output, onOutput, text, config }: RestProps) => {
  const taken = useTaken();
  const destinations = useDestinationNames();
  const param = loadOf(item);
  const [load, setLoad] = useState<number | null>(null);
  const [attack, setAttack] = useState<string | null>(null);
  const [typedName, setName] = useState<string | null>(null);
  const [isStrict, setStrict] = useState(false);
  const name = typedName ?? freeGeneratorName(item.name, taken);
  const created = output.kind === 'new' ? output.created : null;
  const stored = useDestination(output);
  const choices: Choices = { load, attack, output, destination: stored };
  const creating = useCreate(({ goal }: Creation) =>
    copyFromLibrary(item.name, name, goal, {
      params: {},
      destination: created,
      // The one that is shown may not be read yet.
      change: async (from) => {
        const destination =
          output.kind === 'destination' ? await destinationOutput(output.destination) : null;
        return configWith(from, { ...choices, destination }, name);
      },
    }),
  );
  const obstacle = obstacleOf(nameFlaw(name, taken), outputFlaws(output, destinations));
  const create = (goal: Goal): void => {
    setStrict(true);
    if (obstacle === null) creating.mutate({ name, goal });
  };
  return (
    <>
      <Fieldset legend="2. Where to">
        <OutputForm
          output={output}
          onOutput={onOutput}
          rows="events"
          asItIs={asItIs(config)}
          isStrict={isStrict}
        />
      </Fieldset>
      <Fieldset legend="3. How much">
        <Stack gap="sm">
          {param !== null && <LoadField param={param} load={load} onLoad={setLoad} />}
          <AttackField attacks={attacksOf(item)} attack={attack} onAttack={setAttack} />
        </Stack>
      </Fieldset>
      <NameField
        name={name}
        taken={taken}
        onName={setName}
        isStrict
        isDone={creating.error instanceof HalfDone}
      />
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={create}
        pending={creating.isPending ? creating.variables.goal : null}
        error={creating.error}
        obstacle={isStrict ? obstacle : null}
      />
      <Files
        created={created}
        name={name}
        text={textWith(text, config, configWith(config, choices, name)) ?? text}
      />
    </>
  );
};

/** The output of the chosen destination. Null while there is none. */
const useDestination = ({ kind, destination }: OutputChoice): JsonObject | null => {
  const read = useQuery({
    queryKey: ['destinations', destination, 'output'],
    queryFn: () => destinationOutput(destination),
    enabled: kind === 'destination',
  });
  return kind === 'destination' ? (read.data ?? null) : null;
};

const KINDS_IN_WORDS: Readonly<Record<string, string>> = {
  stdout: 'To the terminal or the log of the service. You see them on the page of the generator, too.',
  file: 'To a file in its directory on the server.',
};

const asItIs = (config: JsonObject): string => {
  const kind = Object.keys((config['output'] as readonly JsonObject[])[0] ?? {})[0] ?? '';
  return KINDS_IN_WORDS[kind] ?? `To ${kind}, with the addresses of the example.`;
};

interface FilesProps {
  readonly created: NewDestination | null;
  readonly name: string;
  /** The text of the config. */
  readonly text: string;
}

/** What is written, for those who want to know. */
const Files = ({ created, name, text }: FilesProps) => (
  <section>
    <Title order={2} size="h5" mb="xs">
      What is written
    </Title>
    <Stack gap="sm">
      {created !== null && Object.keys(created.output).length > 0 && (
        <File
          path={`destinations/${created.name}.yml`}
          text={newConfigText(withSecretsApart(created.output, created.name).value)}
        />
      )}
      <File path={`generators/${name}/generator.yml`} text={text} />
    </Stack>
  </section>
);

const File = ({ path, text }: { readonly path: string; readonly text: string }) => (
  <div>
    <Text size="sm" className="mono">
      {path}
    </Text>
    <Code block tabIndex={0} className="event">
      {text}
    </Code>
  </div>
);
