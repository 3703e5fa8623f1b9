import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../../api/client.js';
import { ErrorNote } from '../../../parts/ErrorNote.js';
import { ParamFields } from '../preview/ParamsPanel.js';
import type { ActionsProps } from './Actions.js';

const freeId = (name: string, ids: readonly string[]): string => {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? name : `${name}-${number}`;
    if (!ids.includes(id)) return id;
  }
};

interface Run {
  readonly id: string;
  readonly path: string;
  readonly params: ActionsProps['values'];
  /** Whether the service starts it again. */
  readonly isKept: boolean;
}

/** Adds a generator and starts it. One that does not start is removed again, unless the service goes on trying. */
const start = async ({ id, path, params, isKept }: Run): Promise<void> => {
  await call('createGenerator', { path: { id }, body: { path, params } });
  if (isKept) await call('createStartupEntry', { path: { id }, body: { path, params } });
  try {
    await call('startGenerator', { path: { id } });
  } catch (error) {
    const { phase } = await call('readGeneratorStatus', { path: { id } });
    if (phase === 'backing_off') return;
    await call('removeGenerator', { path: { id } });
    if (isKept) await call('deleteStartupEntry', { path: { id } });
    throw error;
  }
};

/** Asks for the id and the parameters of a new generator, and runs it. */
export const RunDialog = (props: ActionsProps & { readonly onClose: () => void }) => {
  const { name, configPath, ids, params, missing, values, hasDrafts, onClose } = props;
  const client = useQueryClient();
  const [, go] = useLocation();
  const [id, setId] = useState(() => freeId(name, ids));
  const [chosen, setChosen] = useState(values);
  const [isKept, keep] = useState(false);
  const starting = useMutation({
    mutationFn: () => start({ id, path: `${name}/${configPath}`, params: chosen, isKept }),
    onSuccess: () => {
      void client.invalidateQueries();
      go(`/r/${encodeURIComponent(id)}`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={`Run ${name}`} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {hasDrafts && (
            <Alert color="yellow" p="xs">
              It runs with the saved files, without your unsaved changes.
            </Alert>
          )}
          <TextInput
            label="Id of the generator"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            required
            data-autofocus
          />
          {params.length > 0 && (
            <details open={missing.length > 0}>
              <summary className="fold">Parameters ({params.length})</summary>
              <div className="params">
                <ParamFields params={params} values={chosen} onValues={setChosen} />
              </div>
            </details>
          )}
          <Checkbox
            label="Start it with the service, too"
            description="Otherwise it runs until you stop it or the service restarts."
            checked={isKept}
            onChange={(event) => keep(event.currentTarget.checked)}
          />
          {starting.isError && <ErrorNote title={`${id} does not run`} error={starting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={starting.isPending} disabled={id.trim() === ''}>
              Start
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
