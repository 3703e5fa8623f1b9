import { Alert, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import * as E from 'fp-ts/lib/Either.js';
import { Search } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { settingsShape } from '../../../config/settings/shape.js';
import type { JsonObject } from '../../../domain/json.js';
import { decodeStored } from '../../../schema/index.js';
import { call, callTagged } from '../../api/client.js';
import { Differences, DocumentForm, useDocument } from '../../forms/DocumentForm.js';
import { type FieldLocation, fieldDifferences } from '../../forms/document.js';
import { localIssues } from '../../forms/issues.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import { InstanceActions } from './InstanceActions.js';
import { effectOf, foundLocations } from './options.js';

const Settings = () => {
  const document = useSettings();
  const [params, setParams] = useSearchParams();
  const filter = params.get('q') ?? '';
  const [wanted] = useDebouncedValue(filter, 150);
  const found = useMemo(() => (wanted.trim() === '' ? null : foundLocations(fields, wanted)), [wanted]);
  const { stored } = document;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Stack gap={4}>
          <Title order={1} size="h2">
            Settings
          </Title>
          <Text>Saved changes take effect with a restart of the service.</Text>
        </Stack>
        <InstanceActions />
      </Group>
      {stored.isError && <ErrorNote title="The settings cannot be read" error={stored.error} />}
      {stored.isSuccess && (
        <>
          <Pending file={stored.data.value} />
          <TextInput
            aria-label="Filter settings"
            placeholder="Filter"
            leftSection={<Search size={16} />}
            value={filter}
            onChange={(event) => {
              const text = event.currentTarget.value;
              setParams(text === '' ? {} : { q: text }, { replace: true });
            }}
            maw={320}
          />
          {found?.size === 0 && <Text size="sm">No option matches the filter.</Text>}
          <DocumentForm
            shape={settingsShape}
            document={document}
            savedBy="updateSettings"
            check={check}
            noteOf={noteOf}
            isExpanded={found !== null}
            {...(found === null
              ? {}
              : { isShown: (location: FieldLocation) => found.has(location.join('.')) })}
          />
        </>
      )}
    </Stack>
  );
};

const fields = settingsShape.fields ?? {};

const check = (value: JsonObject) => localIssues(settingsShape, value);

const NOTE_DEPTH = 2;

/** Beside each option of a section. */
const noteOf = (location: FieldLocation): ReactNode =>
  location.length === NOTE_DEPTH ? <Text size="xs">{effectOf(location)}</Text> : null;

/** What the file has and the service does not use yet. */
const Pending = ({ file }: { readonly file: JsonObject }) => {
  const inUse = useQuery({ queryKey: ['settings', 'in use'], queryFn: () => call('readSettings') });
  if (inUse.data === undefined) return <Loading />;
  const waiting = fieldDifferences(inUse.data, file);
  if (waiting.length === 0) return null;
  return (
    <Alert color="yellow" title="Saved and not in use yet">
      <Text size="sm">Restart the service to apply these changes.</Text>
      <Differences differences={waiting} />
    </Alert>
  );
};

const SETTINGS_KEY = ['settings', 'file'] as const;

/** The settings file as a document with a draft. */
const useSettings = () =>
  useDocument({
    queryKey: SETTINGS_KEY,
    load: async () => {
      const { value, etag } = await callTagged('readSettings', { query: { stored: true } });
      return { value: value as JsonObject, etag };
    },
    save: async (value, etag) => {
      await callTagged('updateSettings', { body: whole(value), etag });
      tellDone('The settings are saved. Restart the service to apply them.');
    },
  });

/** With every default, as read-back has them. */
const whole = (value: JsonObject): JsonObject => {
  const decoded = decodeStored(settingsShape, value);
  return E.isRight(decoded) ? (decoded.right as JsonObject) : value;
};

export default Settings;
