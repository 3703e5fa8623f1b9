import { Anchor, Autocomplete, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { startupEntryShape } from '../../../config/startup/shape.js';
import { checkGeneratorId } from '../../../domain/identifiers.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, callTagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import { DocumentForm, useDocument } from '../../forms/DocumentForm.js';
import type { FieldLocation } from '../../forms/document.js';
import { errorAt, issuesOfProblems } from '../../forms/issues.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, ErrorText, Note, tellDone } from '../../parts/notes.js';
import { EntryList } from './EntryList.js';
import { bodyOf, entryIssues, ownOf, repairOf, useDefaults } from './entry.js';

/** The startup list; which entry is open stands in the address. */
const Startup = () => {
  const [params] = useSearchParams();
  const id = params.get('edit');
  if (id !== null) return <StartupEntryCard key={id} id={id} />;
  return params.has('new') ? <NewEntryForm /> : <EntryList />;
};

/** Edits an entry of the startup list. */
const StartupEntryCard = ({ id }: { readonly id: string }) => {
  const { defaults, error } = useDefaults();
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Anchor component={Link} href="/startup" size="sm">
          Startup
        </Anchor>
        <Group gap="sm">
          <Title order={1} size="h2" className="wrapped">
            {id}
          </Title>
          <Anchor component={Link} href={`/r/${encodeURIComponent(id)}`}>
            Open the generator
          </Anchor>
        </Group>
        <Text size="sm">An empty field has the default of the settings.</Text>
      </Stack>
      {error !== null && <ErrorNote title="The settings cannot be read" error={error} />}
      {defaults !== null && <Editor id={id} defaults={defaults} />}
    </Stack>
  );
};

const Editor = ({ id, defaults }: { readonly id: string; readonly defaults: JsonObject }) => {
  const client = useQueryClient();
  const document = useDocument({
    queryKey: ['startup', 'entry', id],
    load: async () => {
      // Asked first, because the service refuses to read an invalid entry.
      const invalid = await call('listInvalidStartupEntries');
      const bad = invalid.find((one) => one.id === id);
      if (bad !== undefined) return { ...repairOf(bad.written), etag: '', flaw: bad.reason };
      const { value, etag } = await callTagged('readStartupEntry', { path: { id } });
      return { value: ownOf(value as unknown as JsonObject, defaults), etag };
    },
    save: async (value, etag) => {
      await call('replaceStartupEntry', {
        path: { id },
        body: bodyOf(value),
        ...(etag === '' ? {} : { etag }),
      });
      tellDone(`${id} is saved. It takes effect at the next restart of the service.`);
      await client.invalidateQueries({ queryKey: ['startup'] });
    },
  });
  const check = useCallback((value: JsonObject) => entryIssues(id, value, defaults), [id, defaults]);
  if (document.stored.isError)
    return <ErrorNote title="The entry cannot be read" error={document.stored.error} />;
  if (document.stored.isPending) return <Loading />;
  const { flaw } = document.stored.data;
  return (
    <>
      {flaw !== undefined && (
        <Note title="The entry is invalid">
          <ErrorText text={flaw} />
        </Note>
      )}
      <DocumentForm
        shape={startupEntryShape}
        document={document}
        savedBy="replaceStartupEntry"
        defaults={defaults}
        check={check}
        isShown={isShownValue}
      />
    </>
  );
};

/** The id is in the address. */
const isShownValue = ([name]: FieldLocation): boolean => name !== 'id';

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
const NewEntryForm = () => {
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

export default Startup;
