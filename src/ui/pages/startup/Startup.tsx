import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link, useSearchParams } from 'wouter';
import { startupEntryShape } from '../../../config/startup/shape.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, callTagged } from '../../api/client.js';
import { DocumentForm, useDocument } from '../../forms/DocumentForm.js';
import type { FieldLocation } from '../../forms/document.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, ErrorText, Note, tellDone } from '../../parts/notes.js';
import { EntryList } from './EntryList.js';
import { bodyOf, entryIssues, ownOf, repairOf, useDefaults } from './entry.js';
import { NewEntryForm } from './NewEntry.js';

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

export default Startup;
