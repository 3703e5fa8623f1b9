import { Anchor, Autocomplete, Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { startupEntryShape } from '../../../config/startup/shape.js';
import { checkGeneratorId } from '../../../domain/identifiers.js';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import type { FieldLocation } from '../../forms/document.js';
import { errorAt, issuesOfProblems } from '../../forms/issues.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import { entryIssues, useDefaults } from './entry.js';

const EMPTY: JsonObject = {};
const isOption = ([name]: FieldLocation): boolean => name !== 'id' && name !== 'path';

const useCreate = () => {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: JsonObject }) =>
      call('createStartupEntry', { path: { id }, body }),
    onSuccess: (_, { id }) => {
      tellDone(`${id} is in the startup list. It starts with the next restart of the service.`);
      void client.invalidateQueries();
      go('/startup');
    },
  });
};

/** Appends an entry to the startup list. */
export const NewEntryForm = () => {
  const { defaults, error } = useDefaults();
  const configs = useQuery({ queryKey: ['configs'], queryFn: () => call('listGeneratorConfigs') });
  const [id, setId] = useState('');
  const [path, setPath] = useState('');
  const [options, setOptions] = useState<JsonObject>(EMPTY);
  const [hasTried, setTried] = useState(false);
  const creating = useCreate();
  const body = useMemo(() => ({ path, ...options }), [path, options]);
  const local = hasTried && defaults !== null ? entryIssues(id === '' ? 'x' : id, body, defaults) : [];
  const refused = creating.error instanceof ApiError ? issuesOfProblems(creating.error.problems) : [];
  const issues = [...local, ...refused];
  const idFlaw = checkGeneratorId(id)?.message ?? null;
  const files = (configs.data ?? []).map(({ name }) => `${name}/generator.yml`);
  const create = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (defaults === null || idFlaw !== null || entryIssues(id, body, defaults).length > 0) return;
    creating.mutate({ id, body });
  };
  const choosePath = (next: string): void => {
    setPath(next);
    const [folder] = next.split('/');
    if (id === '' && files.includes(next) && folder !== undefined) setId(folder);
  };
  return (
    <form onSubmit={create}>
      <Stack gap="lg">
        <Stack gap={4}>
          <Anchor component={Link} href="/startup" size="sm">
            Startup
          </Anchor>
          <Title order={1} size="h2">
            New entry
          </Title>
        </Stack>
        {error !== null && <ErrorNote title="The settings cannot be read" error={error} />}
        <Autocomplete
          label="Config file"
          description="Relative to the generators directory"
          data={files}
          limit={20}
          value={path}
          onChange={choosePath}
          error={errorAt(issues, ['path'])}
          maw={480}
        />
        <TextInput
          label="Id"
          description="Unique name of the generator in the API, the logs and the state directory"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          error={hasTried ? idFlaw : null}
          spellCheck={false}
          maw={480}
        />
        {defaults !== null && (
          <SchemaForm
            shape={startupEntryShape}
            value={options}
            base={EMPTY}
            defaults={defaults}
            issues={issues}
            onChange={setOptions}
            isShown={isOption}
          />
        )}
        {creating.isError && refused.length === 0 && (
          <ErrorNote title="The entry was not created" error={creating.error} />
        )}
        <Group>
          <Needs to="createStartupEntry">
            <Button type="submit" loading={creating.isPending}>
              Create
            </Button>
          </Needs>
        </Group>
      </Stack>
    </form>
  );
};
