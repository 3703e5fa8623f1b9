import { Code, Drawer, List, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { README_FILE } from '../../../domain/library.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import {
  CreateButtons,
  CreateError,
  type Creation,
  copyFromLibrary,
  type Goal,
  HalfDone,
  useCreate,
} from '../new/creating.js';
import { NameField, useTaken } from '../new/fields.js';
import { freeGeneratorName, nameFlaw } from '../new/names.js';
import { destinationOutput, useDestinations } from '../new/OutputForm.js';
import { withOutput } from '../new/outputs.js';
import { exampleOf, exampleParamsOf, prettyEvent, type ShownExample, shownDefault } from './examples.js';

/** The files of an example, which do not change while the service runs. */
export const useExampleFiles = (name: string) =>
  useQuery({
    queryKey: ['library', name],
    queryFn: () => call('readLibraryGenerator', { path: { name } }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const ExampleEvent = ({ name }: { readonly name: string }) => {
  const files = useExampleFiles(name);
  if (files.isError) return <ErrorNote title="The example cannot be read" error={files.error} />;
  const readme = files.data?.files.find(({ path }) => path === README_FILE)?.text ?? null;
  const event = readme === null ? null : exampleOf(readme);
  if (event === null) return null;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        An event
      </Title>
      <Code block tabIndex={0} className="event">
        {prettyEvent(event)}
      </Code>
    </section>
  );
};

interface ParametersProps {
  readonly item: ShownExample;
  readonly typed: Readonly<Record<string, string>>;
  readonly onTyped: (typed: Readonly<Record<string, string>>) => void;
}

const Parameters = ({ item, typed, onTyped }: ParametersProps) => {
  if (item.parameters.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        Parameters
      </Title>
      <Stack gap="sm">
        {item.parameters.map(({ name, help, default: fallback }) => (
          <TextInput
            key={name}
            label={name}
            description={help}
            placeholder={shownDefault(fallback)}
            value={typed[name] ?? ''}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onTyped({ ...typed, [name]: event.currentTarget.value })}
          />
        ))}
      </Stack>
      <Text size="sm" mt="xs">
        An empty field has its default. Values are of this run: a start from the workbench uses the defaults
        of the config.
      </Text>
    </section>
  );
};

const Attacks = ({ item }: { readonly item: ShownExample }) => (
  <>
    {item.anomalies.length > 0 && (
      <section>
        <Title order={3} size="h5" mb="xs">
          Attacks
        </Title>
        <Table>
          <Table.Tbody>
            {item.anomalies.map(({ name, help }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>{help}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    )}
    {item.detections.length > 0 && (
      <section>
        <Title order={3} size="h5" mb="xs">
          Rules that find them
        </Title>
        <List size="sm">
          {item.detections.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      </section>
    )}
  </>
);

const Content = ({ item }: { readonly item: ShownExample }) => {
  const taken = useTaken();
  const [typedName, setName] = useState<string | null>(null);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const destinations = useDestinations();
  const [destination, setDestination] = useState<string | null>(null);
  const name = typedName ?? freeGeneratorName(item.name, taken);
  const creating = useCreate(({ goal }: Creation) =>
    copyFromLibrary(item.name, name, goal, {
      params: exampleParamsOf(item.parameters, typed),
      destination: null,
      change: destination === null ? null : (config) => sentTo(config, destination),
    }),
  );
  const obstacle = nameFlaw(name, taken);
  const create = (goal: Goal): void => {
    if (obstacle === null) creating.mutate({ name, goal });
  };
  return (
    <Stack>
      <Text>{item.summary}</Text>
      <NameField
        name={name}
        taken={taken}
        onName={setName}
        isStrict
        isDone={creating.error instanceof HalfDone}
      />
      {destinations.length > 0 && (
        <Select
          label="Where events go"
          description="As the example has it, or to a destination of this service."
          placeholder="As in the example"
          data={destinations.flatMap(({ name: one, plugin }) =>
            plugin === null ? [] : [{ value: one, label: `${one} (${plugin})` }],
          )}
          value={destination}
          onChange={setDestination}
          clearable
        />
      )}
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={create}
        pending={creating.isPending ? creating.variables.goal : null}
        error={creating.error}
        obstacle={null}
      />
      <ExampleEvent name={item.name} />
      <Parameters item={item} typed={typed} onTyped={setTyped} />
      <Attacks item={item} />
    </Stack>
  );
};

/** The config with a destination as its output. */
const sentTo = async (config: JsonObject, name: string): Promise<JsonObject> => {
  return withOutput(config, { use: name }, await destinationOutput(name));
};

interface DetailsProps {
  readonly item: ShownExample | null;
  readonly onClose: () => void;
}

/** All about a library generator, and a copy of it under any name. */
export const Details = ({ item, onClose }: DetailsProps) => (
  <Drawer opened={item !== null} onClose={onClose} position="right" size="lg" title={item?.name ?? ''}>
    {item !== null && <Content key={item.name} item={item} />}
  </Drawer>
);
