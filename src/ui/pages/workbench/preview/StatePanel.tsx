import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json, JsonObject } from '../../../../domain/json.js';
import { call } from '../../../api/client.js';
import { ErrorNote } from '../../../parts/notes.js';
import { parsedState, stateAliasesOf, stateChange } from './stateChange.js';

const SHARED = 'shared';
const GLOBALS = 'globals';
const LOCAL = 'local:';

const readState = (name: string, scope: string): Promise<JsonObject> => {
  if (scope === GLOBALS) return call('readPreviewGlobals', { path: { name } });
  if (scope === SHARED) return call('readPreviewSharedState', { path: { name } });
  return call('readPreviewLocalState', { path: { name, alias: scope.slice(LOCAL.length) } });
};

const patchState = (name: string, scope: string, body: JsonObject): Promise<unknown> => {
  if (scope === GLOBALS) return call('patchPreviewGlobals', { path: { name }, body });
  if (scope === SHARED) return call('patchPreviewSharedState', { path: { name }, body });
  return call('patchPreviewLocalState', { path: { name, alias: scope.slice(LOCAL.length) }, body });
};

const removeKey = (name: string, scope: string, key: string): Promise<unknown> => {
  if (scope === GLOBALS) return call('deletePreviewGlobalsKey', { path: { name, key } });
  if (scope === SHARED) return call('deletePreviewSharedStateKey', { path: { name, key } });
  return call('deletePreviewLocalStateKey', {
    path: { name, alias: scope.slice(LOCAL.length), key },
  });
};

const shownState = (state: JsonObject): string => JSON.stringify(state, null, 2);

interface EditorProps {
  readonly name: string;
  readonly scope: string;
  readonly state: JsonObject;
}

const StateEditor = ({ name, scope, state }: EditorProps) => {
  const client = useQueryClient();
  const [text, setText] = useState<string | null>(null);
  const parsed = parsedState(text ?? shownState(state));
  const applying = useMutation({
    mutationFn: async (after: JsonObject) => {
      const { values, removed } = stateChange(state, after);
      if (Object.keys(values).length > 0) await patchState(name, scope, values);
      for (const key of removed) await removeKey(name, scope, key);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['preview-state', name] });
      setText(null);
    },
  });
  return (
    <>
      <Textarea
        label="State as JSON"
        autosize
        minRows={4}
        maxRows={20}
        spellCheck={false}
        classNames={{ input: 'code-input' }}
        value={text ?? shownState(state)}
        onChange={(event) => setText(event.currentTarget.value)}
        error={typeof parsed === 'string' ? parsed : null}
      />
      {applying.isError && <ErrorNote title="The state is unchanged" error={applying.error} />}
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={text === null || typeof parsed === 'string'}
          loading={applying.isPending}
          onClick={() => typeof parsed !== 'string' && applying.mutate(parsed)}
        >
          Apply
        </Button>
        <Button size="compact-sm" variant="default" disabled={text === null} onClick={() => setText(null)}>
          Reset
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={Object.keys(state).length === 0}
          onClick={() => applying.mutate({})}
        >
          Clear
        </Button>
      </Group>
    </>
  );
};

interface StatePanelProps {
  readonly name: string;
  readonly event: Json | null;
  /** Number of runs and steps so far; 0: no preview is open. */
  readonly made: number;
  readonly onStep: () => void;
}

/** What the templates remember in the preview. The next step sees a change. */
export const StatePanel = ({ name, event, made, onStep }: StatePanelProps) => {
  const aliases = stateAliasesOf(event);
  const [chosen, setChosen] = useState(GLOBALS);
  const places = [
    { value: GLOBALS, label: 'Globals' },
    ...(aliases.length === 0 ? [] : [{ value: SHARED, label: 'Shared by all templates' }]),
    ...aliases.map((alias) => ({ value: `${LOCAL}${alias}`, label: `Local of ${alias}` })),
  ];
  const scope = places.some(({ value }) => value === chosen) ? chosen : GLOBALS;
  const state = useQuery({
    queryKey: ['preview-state', name, scope, made],
    queryFn: () => readState(name, scope),
    enabled: made > 0,
    retry: false,
    placeholderData: (former) => former,
  });
  if (made === 0) return <Text size="sm">There is no state before the first event.</Text>;
  return (
    <Stack gap="xs">
      <Group align="flex-end" justify="space-between">
        <Select
          label="State"
          size="xs"
          allowDeselect={false}
          data={places}
          value={scope}
          onChange={(value) => setChosen(value ?? GLOBALS)}
        />
        <Button size="compact-sm" variant="default" onClick={onStep}>
          Step
        </Button>
      </Group>
      {state.isError && <ErrorNote title="The state cannot be read" error={state.error} />}
      {state.data !== undefined && <StateEditor key={scope} name={name} scope={scope} state={state.data} />}
      <Text size="sm">The preview has its own state. Each change of the config starts it over.</Text>
    </Stack>
  );
};
