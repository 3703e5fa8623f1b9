import { Button, Group, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/client.js';
import { pathProblem } from '../paths.js';
import { fileKey } from '../storedFile.js';

export type FileAction =
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'copy'; readonly path: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'upload'; readonly path: string; readonly content: Blob }
  | { readonly kind: 'restore'; readonly path: string; readonly content: string };

/** Changes of the files of a directory. `onDone` follows each. */
export const useFileActions = (name: string, onDone: (action: FileAction) => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: FileAction) => send(name, action),
    onSuccess: (_, action) => {
      notifications.show({
        message: `${action.path} ${DONE[action.kind]}.`,
        color: 'teal',
        autoClose: 2_000,
      });
      client.removeQueries({ queryKey: fileKey(name, action.path) });
      onDone(action);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['tree', name] }),
        client.invalidateQueries({ queryKey: ['config-path', name] }),
      ]),
  });
};

const send = async (name: string, action: FileAction): Promise<unknown> => {
  const path = { name, filepath: action.path };
  switch (action.kind) {
    case 'create':
      return call('createGeneratorFile', { path, content: '' });
    case 'upload':
    case 'restore':
      return call('createGeneratorFile', { path, content: action.content });
    case 'folder':
      return call('makeGeneratorSubdirectory', { path });
    case 'move':
      return call('moveGeneratorFile', {
        path: { name },
        query: { source: action.path, destination: action.to },
      });
    case 'copy':
      return call('copyGeneratorFile', {
        path: { name },
        query: { source: action.path, destination: action.to },
      });
    case 'delete':
      return call('deleteGeneratorFile', { path });
  }
};

const DONE: Readonly<Record<FileAction['kind'], string>> = {
  create: 'created',
  upload: 'uploaded',
  folder: 'created',
  move: 'moved',
  copy: 'copied',
  delete: 'deleted',
  restore: 'brought back',
};

export interface PathQuestion {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly start: string;
  readonly onAnswer: (path: string) => void;
}

/** Asks for a path or a name. */
export const PathDialog = ({
  question,
  onClose,
}: {
  readonly question: PathQuestion | null;
  readonly onClose: () => void;
}) => (
  <Modal opened={question !== null} onClose={onClose} title={question?.title} centered>
    {question !== null && <Form question={question} onClose={onClose} />}
  </Modal>
);

const Form = ({ question, onClose }: { readonly question: PathQuestion; readonly onClose: () => void }) => {
  const [path, setPath] = useState(question.start);
  const [isAsked, setIsAsked] = useState(false);
  const problem = pathProblem(path);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsAsked(true);
    if (problem !== null) return;
    question.onAnswer(path);
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={question.label}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        error={isAsked ? problem : null}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">{question.action}</Button>
      </Group>
    </form>
  );
};
