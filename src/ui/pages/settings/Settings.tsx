import { Alert, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { settingsShape } from '../../../config/settings/shape.js';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { Differences, DocumentForm } from '../../forms/DocumentForm.js';
import { differences, type Place } from '../../forms/document.js';
import { localIssues } from '../../forms/issues.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { effectOf } from './effects.js';
import { InstanceActions } from './InstanceActions.js';
import { foundPlaces } from './search.js';
import { useSettings } from './useSettings.js';

const check = (value: JsonObject) => localIssues(settingsShape, value);

const NOTE_DEPTH = 2;

/** Beside each option of a section. */
const noteOf = (place: Place): ReactNode =>
  place.length === NOTE_DEPTH ? <Text size="xs">{effectOf(place)}</Text> : null;

/** What the file has and the service does not use yet. */
const Pending = ({ file }: { readonly file: JsonObject }) => {
  const inUse = useQuery({ queryKey: ['settings', 'in use'], queryFn: () => call('readSettings') });
  if (inUse.data === undefined) return <Loading />;
  const waiting = differences(inUse.data, file);
  if (waiting.length === 0) return null;
  return (
    <Alert color="yellow" title="Saved and not in use yet">
      <Text size="sm">Restart the service to apply these changes.</Text>
      <Differences differences={waiting} />
    </Alert>
  );
};

const fields = settingsShape.fields ?? {};

const Settings = () => {
  const document = useSettings();
  const [params, setParams] = useSearchParams();
  const filter = params.get('q') ?? '';
  const [wanted] = useDebouncedValue(filter, 150);
  const found = useMemo(() => (wanted.trim() === '' ? null : foundPlaces(fields, wanted)), [wanted]);
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
            check={check}
            noteOf={noteOf}
            isExpanded={found !== null}
            {...(found === null ? {} : { isShown: (place: Place) => found.has(place.join('.')) })}
          />
        </>
      )}
    </Stack>
  );
};

export default Settings;
