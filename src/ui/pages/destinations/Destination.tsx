import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PlugZap, RotateCw, Save, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { jsonEqual } from '../../../config/values.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, callTagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import { issuesOfProblems } from '../../forms/issues.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { useAction } from '../../parts/generatorActions.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import { Question } from '../../parts/Questions.js';
import { GeneratorNames } from './GeneratorNames.js';
import { CheckAnswer, useOutputCheck } from './OutputCheck.js';
import { OUTPUT_FORM, outputIssues, storeDestination } from './output.js';

/** A stored destination. */
interface Stored {
  /** Null for one that is yet to be written, and for one whose file is invalid. */
  readonly output: JsonObject | null;
  /** Why the file is invalid. Null when it is not, or when there is none. */
  readonly flaw: ApiError | null;
  readonly etag: string;
}

const stored = async (name: string): Promise<Stored> => {
  try {
    const { value, etag } = await callTagged('readDestination', { path: { name } });
    return { output: value as JsonObject, flaw: null, etag };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { output: null, flaw: null, etag: '' };
    if (error instanceof ApiError && error.code === 'invalid') return { output: null, flaw: error, etag: '' };
    throw error;
  }
};

/** A destination as a form, with a check of what is typed before it is stored. */
const Destination = ({ name }: { readonly name: string }) => {
  const query = useQuery({ queryKey: ['destinations', name], queryFn: () => stored(name) });
  const list = useQuery({ queryKey: ['destinations'], queryFn: () => call('listDestinations') });
  const users = list.data?.find((one) => one.name === name)?.used_by ?? [];
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2" className="wrapped">
          {name}
        </Title>
        <Text component="div">
          {query.data?.output === null && query.data.flaw === null ? (
            'A new destination.'
          ) : (
            <Users ids={users} />
          )}
        </Text>
      </Stack>
      {query.isError && <ErrorNote title="The destination cannot be read" error={query.error} />}
      {query.data?.flaw != null && (
        <ErrorNote title="The file is invalid: what you store here replaces it" error={query.data.flaw} />
      )}
      {query.isPending && <Loading />}
      {query.data !== undefined && (
        <Edited key={query.data.etag} name={name} from={query.data} users={users} />
      )}
    </Stack>
  );
};

const Users = ({ ids }: { readonly ids: readonly string[] }) =>
  ids.length === 0 ? (
    'No generator uses it.'
  ) : (
    <>
      Used by <GeneratorNames ids={ids} />.
    </>
  );

interface EditedProps {
  readonly name: string;
  readonly from: Stored;
  readonly users: readonly string[];
}

const Edited = ({ name, from, users }: EditedProps) => {
  const client = useQueryClient();
  const base: JsonObject = useMemo(() => (from.output === null ? {} : { output: from.output }), [from]);
  const [value, setValue] = useState(base);
  const [hasTried, setTried] = useState(false);
  const isChanged = !jsonEqual(value, base);
  const output = (value['output'] ?? {}) as JsonObject;
  const checking = useOutputCheck(from.output === null ? null : name);
  const saving = useMutation({
    mutationFn: () => storeDestination(name, output, from.output === null ? null : from.etag),
    onSuccess: (count) => {
      tellDone(
        `${name} is stored.${count === 0 ? '' : ' What is secret is in the keyring, not in the file.'}`,
      );
      void client.invalidateQueries();
    },
  });
  const issues = useMemo(() => (isChanged ? outputIssues(value) : []), [value, isChanged]);
  const refused = saving.error instanceof ApiError ? issuesOfProblems(saving.error.problems) : [];
  // What is not filled in yet is no mistake before somebody tries to use it.
  const shown = issues.filter(({ type }) => hasTried || type !== 'missing');
  const attempt = (go: () => void) => (): void => {
    setTried(true);
    if (issues.length === 0) go();
  };
  const change = (next: JsonObject): void => {
    checking.reset();
    saving.reset();
    setValue(next);
  };
  return (
    <Stack gap="md" maw={900}>
      <SchemaForm
        shape={OUTPUT_FORM}
        value={value}
        base={from.output === null ? value : base}
        issues={[...shown, ...refused.map((issue) => ({ ...issue, path: ['output', ...issue.path] }))]}
        onChange={change}
        isCompact
      />
      {saving.isError && <ErrorNote title="The destination is not stored" error={saving.error} />}
      <Group gap="sm">
        <Needs to="writeDestination">
          <Button
            leftSection={<Save size={16} />}
            onClick={attempt(() => saving.mutate())}
            loading={saving.isPending}
            disabled={!isChanged}
          >
            Store
          </Button>
        </Needs>
        <Needs to="checkOutput">
          <Button
            variant="default"
            leftSection={<PlugZap size={16} />}
            onClick={attempt(() => checking.mutate(output))}
            loading={checking.isPending}
            disabled={Object.keys(output).length === 0}
          >
            Check
          </Button>
        </Needs>
        {(from.output !== null || from.flaw !== null) && <Delete name={name} users={users} />}
      </Group>
      <CheckAnswer check={checking} />
      {from.output !== null && !isChanged && <Restart ids={users} />}
    </Stack>
  );
};

/** Generators that run use the version that they started with. */
const Restart = ({ ids }: { readonly ids: readonly string[] }) => {
  const acting = useAction();
  if (ids.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm">A change is used from the next start of a generator.</Text>
      <Needs to="restartGenerators">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<RotateCw size={14} />}
          loading={acting.isPending}
          onClick={() => acting.mutate({ action: 'restart', ids })}
        >
          Restart those that use it
        </Button>
      </Needs>
    </Group>
  );
};

const Delete = ({ name, users }: { readonly name: string; readonly users: readonly string[] }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isAsking, asking] = useDisclosure(false);
  const deleting = useMutation({
    mutationFn: () => call('deleteDestination', { path: { name }, query: { force: true } }),
    onSuccess: () => {
      tellDone(`${name} is deleted.`);
      go('/destinations');
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['destinations'] }),
  });
  return (
    <>
      <Needs to="deleteDestination">
        <Button variant="default" leftSection={<Trash2 size={16} />} onClick={asking.open}>
          Delete
        </Button>
      </Needs>
      {deleting.isError && <ErrorNote title="The destination was not deleted" error={deleting.error} />}
      <Question
        isOpen={isAsking}
        title={`Delete ${name}?`}
        verb="Delete"
        onYes={() => deleting.mutate()}
        onClose={asking.close}
      >
        {users.length === 0
          ? 'No generator uses it.'
          : `Used by ${users.join(', ')}: their next start fails.`}
      </Question>
    </>
  );
};

export default Destination;
