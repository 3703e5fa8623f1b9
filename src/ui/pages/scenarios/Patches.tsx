import { Badge, Button, Card, Code, Group, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import type { GlobalsPatch } from '../../../messages/scenarios.js';
import { callTagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import { ErrorNote } from '../../parts/notes.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { changedSince, KIND_WORDS, shownChange, toRemove, undoFlaw, undoOf } from './patches.js';
import { useHistoryOfGlobals } from './useGlobals.js';

const Value = ({ shown }: { readonly shown: GlobalsPatch['keys'][number]['old'] }) =>
  shown === null ? <em>missing</em> : <Code>{shownChange(shown)}</Code>;

const KeyLine = ({ change }: { readonly change: GlobalsPatch['keys'][number] }) => (
  <Text size="sm" className="wrapped">
    <Text component="span" size="sm" fw={600}>
      {change.key}
    </Text>
    : <Value shown={change.old} /> <span aria-hidden>→</span>
    <VisuallyHidden> now </VisuallyHidden> <Value shown={change.new} />
  </Text>
);

interface PatchProps {
  readonly patch: GlobalsPatch;
  readonly zone: string;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

const Patch = ({ patch, zone, isBusy, onUndo }: PatchProps) => {
  const { at, user, kind, keys, more_keys } = patch;
  const flaw = undoFlaw(patch);
  return (
    <Card withBorder component="article" padding="sm">
      <Group justify="space-between" align="start">
        <Stack gap={4} flex={1} miw={0}>
          <Group gap="xs">
            <Text size="sm" className="figure">
              {shownTime(at, zone)}
            </Text>
            <Badge variant="light" color="blue" autoContrast tt="none">
              {user}
            </Badge>
            <Text size="sm">{KIND_WORDS[kind]}</Text>
          </Group>
          {keys.map((change) => (
            <KeyLine key={change.key} change={change} />
          ))}
          {more_keys > 0 && <Text size="sm">and {more_keys} more keys</Text>}
          {flaw !== null && <Text size="sm">It cannot be undone here. {flaw}</Text>}
        </Stack>
        {flaw === null && (
          <Needs to="patchGlobals">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Undo2 size={14} />}
              disabled={isBusy}
              onClick={onUndo}
              aria-label={`Undo the change of ${keys.map(({ key }) => key).join(', ')} at ${shownTime(at, zone)}`}
            >
              Undo
            </Button>
          </Needs>
        )}
      </Group>
    </Card>
  );
};

/** The last changes of globals over the API: who, when, what, and back again. */
export const Patches = ({ name }: { readonly name: string }) => {
  const zone = browserZone();
  const undo = useUndo(name);
  const history = useHistoryOfGlobals(name);
  const ask = undo.error instanceof ChangedSince ? undo.error : null;
  const apply = (patch: GlobalsPatch, isForced: boolean): void =>
    undo.mutate(
      { patch, isForced },
      { onSuccess: () => notifications.show({ message: 'The old values are back.', color: 'teal' }) },
    );
  const patches = history.data ?? [];
  return (
    <Stack gap="sm">
      {history.isError && <ErrorNote title="The changes cannot be read" error={history.error} />}
      {undo.isError && ask === null && <ErrorNote title="The change was not undone" error={undo.error} />}
      {history.isSuccess && patches.length === 0 && <Text>No changes over the API yet.</Text>}
      {patches.map((patch) => (
        <Patch
          key={patch.number}
          patch={patch}
          zone={zone}
          isBusy={undo.isPending}
          onUndo={() => apply(patch, false)}
        />
      ))}
      <Text size="sm">
        The last 50 changes over the API, since the service started; times in {zone}. Changes by scripts and
        templates are not listed.
      </Text>
      <Modal opened={ask !== null} onClose={undo.reset} title="Undo an older change?" centered>
        <Text size="sm" className="wrapped">
          {ask?.keys.join(', ')} changed again since. Undo sets the values from before the older change.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={undo.reset} data-autofocus>
            Cancel
          </Button>
          <Button
            onClick={() => {
              if (undo.variables !== undefined) apply(undo.variables.patch, true);
            }}
          >
            Undo
          </Button>
        </Group>
      </Modal>
    </Stack>
  );
};

/** Members that write at the same time change the entity tag. */
const MAX_TRIES = 5;

/** Nothing was changed: these keys have other values by now. */
class ChangedSince extends Error {
  constructor(readonly keys: readonly string[]) {
    super(`changed since: ${keys.join(', ')}`);
  }
}

interface UndoRequest {
  readonly patch: GlobalsPatch;
  /** Also if something else has changed the keys since. */
  readonly isForced: boolean;
}

/** `onBegun`: some values are back, so the next try must not take them for changes of others. */
const undoOnce = async (
  name: string,
  { patch, isForced }: UndoRequest,
  onBegun: () => void,
): Promise<void> => {
  const path = { name };
  const { value: now, etag } = await callTagged('readGlobals', { path });
  const changed = changedSince(patch, now);
  if (changed.length > 0 && !isForced) throw new ChangedSince(changed);
  const undo = undoOf(patch);
  let tag = etag;
  if (Object.keys(undo.values).length > 0) {
    tag = (await callTagged('patchGlobals', { path, body: undo.values, etag: tag })).etag;
    onBegun();
  }
  for (const key of toRemove(undo, now)) {
    tag = (await callTagged('deleteGlobalsKey', { path: { name, key }, etag: tag })).etag;
    onBegun();
  }
};

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Brings back the values before a change. Rejects with `ChangedSince` or `ApiError`. */
const useUndo = (name: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: UndoRequest) => {
      let isBegun = false;
      const onBegun = (): void => {
        isBegun = true;
      };
      for (let tries = 1; ; tries++) {
        try {
          return await undoOnce(name, { ...request, isForced: request.isForced || isBegun }, onBegun);
        } catch (error) {
          if (!isOutdated(error) || tries === MAX_TRIES) throw error;
        }
      }
    },
    onSettled: () => client.invalidateQueries(),
  });
};
