import { Alert, Button, Checkbox, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Download, EllipsisVertical, Play, RotateCw, Trash2 } from 'lucide-react';
import { type FormEvent, memo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { JsonObject } from '../../../domain/json.js';
import { call, callFile } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { saveAs } from '../../api/saveAs.js';
import { Needs } from '../../app/role.js';
import { ErrorNote } from '../../parts/notes.js';
import { PhaseBadge } from '../../parts/Phase.js';
import type { PreviewParam } from './configCheck.js';
import { PathDialog, type PathQuestion } from './files/fileActions.js';
import { filesOf } from './paths.js';
import { ParamFields } from './preview/ParamsPanel.js';

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
const RunDialog = (props: ActionsProps & { readonly onClose: () => void }) => {
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

/** Copies the config and all files of a generator directory into a new one. All or nothing. */
const duplicateDirectory = async (from: string, to: string, configPath: string): Promise<void> => {
  const [config, tree] = await Promise.all([
    call('readGeneratorConfig', { path: { name: from } }),
    call('readGeneratorFileTree', { path: { name: from } }),
  ]);
  await call('createGeneratorConfig', { path: { name: to }, body: config });
  try {
    const newConfig = (await call('readGeneratorPath', { path: { name: to } })).slice(to.length + 1);
    for (const filepath of filesOf(tree)) {
      const { value: content } = await callFile('readGeneratorFile', { path: { name: from, filepath } });
      // The text of the config has the comments that its value lacks.
      if (filepath === configPath)
        await call('replaceGeneratorFile', { path: { name: to, filepath: newConfig }, content });
      else await call('createGeneratorFile', { path: { name: to, filepath }, content });
    }
  } catch (error) {
    await call('deleteGenerator', { path: { name: to } });
    throw error;
  }
};

export interface ActionsProps {
  readonly name: string;
  /** Path of the config in the directory. */
  readonly configPath: string;
  /** Generators that run this config. */
  readonly ids: readonly string[];
  readonly params: readonly PreviewParam[];
  /** Names of parameters that need a value. */
  readonly missing: readonly string[];
  readonly values: JsonObject;
  readonly hasDrafts: boolean;
}

const failed = (title: string) => (error: Error) =>
  notifications.show({ title, message: error.message, color: 'red', autoClose: false });

/** The generators of this directory, with their states. */
const Running = ({ ids }: { readonly ids: readonly string[] }) => {
  const { generators } = useLive();
  return ids.slice(0, 3).map((id) => {
    const phase = generators.get(id)?.phase;
    return (
      <Button
        key={id}
        component={Link}
        href={`/r/${encodeURIComponent(id)}`}
        variant="default"
        size="compact-md"
        rightSection={phase === undefined ? null : <PhaseBadge phase={phase} />}
      >
        {id}
      </Button>
    );
  });
};

const DeleteDialog = ({
  name,
  ids,
  onClose,
}: Pick<ActionsProps, 'name' | 'ids'> & { readonly onClose: () => void }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const deleting = useMutation({
    mutationFn: () => call('deleteGenerator', { path: { name } }),
    onSuccess: () => {
      go('/');
      void client.invalidateQueries({ queryKey: ['generators'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`} centered>
      <Text size="sm">
        The directory and everything in it is deleted. This cannot be undone.
        {ids.length > 0 && ` Stop and remove ${ids.join(', ')} first.`}
      </Text>
      {deleting.isError && <ErrorNote title="The directory is not deleted" error={deleting.error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => deleting.mutate()} loading={deleting.isPending}>
          Delete
        </Button>
      </Group>
    </Modal>
  );
};

/** What can be done with the whole directory: run, export, duplicate, delete. */
export const WorkbenchActions = memo((props: ActionsProps) => {
  const { name, configPath, ids, hasDrafts } = props;
  const client = useQueryClient();
  const [, go] = useLocation();
  const [dialog, setDialog] = useState<'run' | 'delete' | null>(null);
  const [question, setQuestion] = useState<PathQuestion | null>(null);
  const exporting = useMutation({
    mutationFn: () => callFile('exportGenerator', { path: { name } }),
    onSuccess: ({ value }) => saveAs(`${name}.zip`, value),
    onError: failed(`${name} cannot be exported`),
  });
  const duplicating = useMutation({
    mutationFn: (to: string) => duplicateDirectory(name, to, configPath),
    onSuccess: (_, to) => {
      void client.invalidateQueries();
      go(`/g/${encodeURIComponent(to)}`);
    },
    onError: failed(`${name} cannot be duplicated`),
  });
  const restarting = useMutation({
    mutationFn: () => call('restartGenerators', { body: ids }),
    onSuccess: ({ non_running_generator_ids: stopped }) => {
      if (stopped.length === 0)
        notifications.show({ message: `${ids.join(', ')} restarted with the saved files.`, color: 'teal' });
      else
        failed('Not everything runs')(new Error(`${stopped.join(', ')} did not start. Open it to see why.`));
    },
    onError: failed('It cannot be restarted'),
  });
  const close = (): void => setDialog(null);
  return (
    <Group gap="xs">
      <Running ids={ids} />
      {ids.length > 0 && (
        <Needs to="restartGenerators">
          <Button
            variant="default"
            size="compact-md"
            leftSection={<RotateCw size={16} />}
            onClick={() => restarting.mutate()}
            loading={restarting.isPending}
            title="Restart with the saved files"
          >
            Restart
          </Button>
        </Needs>
      )}
      <Needs to="createGenerator">
        <Button
          size="compact-md"
          variant={ids.length > 0 ? 'default' : 'filled'}
          leftSection={<Play size={16} />}
          onClick={() => setDialog('run')}
        >
          {ids.length > 0 ? 'Run another' : 'Run'}
        </Button>
      </Needs>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size="compact-md" px={6} aria-label={`More actions for ${name}`}>
            <EllipsisVertical size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Download size={16} />} onClick={() => exporting.mutate()}>
            Export as ZIP
          </Menu.Item>
          <Menu.Item
            leftSection={<Copy size={16} />}
            onClick={() =>
              setQuestion({
                title: `Duplicate ${name}`,
                label: 'Name of the new generator directory',
                action: 'Duplicate',
                start: `${name}-copy`,
                onAnswer: duplicating.mutate,
              })
            }
          >
            Duplicate
          </Menu.Item>
          <Needs to="deleteGenerator">
            <Menu.Item leftSection={<Trash2 size={16} />} onClick={() => setDialog('delete')}>
              Delete
            </Menu.Item>
          </Needs>
        </Menu.Dropdown>
      </Menu>
      <PathDialog question={question} onClose={() => setQuestion(null)} />
      {dialog === 'run' && <RunDialog {...props} hasDrafts={hasDrafts} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog name={name} ids={ids} onClose={close} />}
    </Group>
  );
});
