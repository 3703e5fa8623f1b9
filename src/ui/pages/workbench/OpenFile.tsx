import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ErrorNote } from '../../parts/ErrorNote.js';
import type { Editing } from './address.js';
import type { LineProblem } from './configCheck.js';
import type { Draft } from './drafts.js';
import { EditorPane } from './EditorPane.js';
import { ConflictDialog, DiffersDialog } from './editor/CompareDialog.js';
import type { Drafts } from './useDrafts.js';
import { useFile } from './useFile.js';
import { useSave } from './useSave.js';
import { useSaveKey } from './useSaveKey.js';

interface OpenFileProps {
  readonly name: string;
  readonly path: string;
  /** How the config is edited. Null when another file is open. */
  readonly editing: Editing | null;
  readonly onEditing: (editing: Editing) => void;
  readonly drafts: Drafts;
  readonly problems: readonly LineProblem[];
  readonly goal: { readonly line: number } | null;
  readonly onGo: (problem: LineProblem) => void;
  readonly onSaved: () => void;
}

/** The open file with its draft. Use the path as its key. */
export const OpenFile = (props: OpenFileProps) => {
  const { name, path, drafts, problems, onSaved } = props;
  const stored = useFile(name, path);
  const { saving, conflict, openConflict, closeConflict } = useSave(name, drafts, onSaved);
  const [isComparing, setIsComparing] = useState(false);
  const draft = drafts.byPath.get(path) ?? null;
  const file = stored.data ?? null;
  const text = draft?.text ?? file?.text ?? '';
  /** What the text began with. */
  const start = draft ?? { base: file?.text ?? '', etag: file?.etag ?? '' };

  const change = (next: string): void => {
    if (file === null) return;
    drafts.set(
      path,
      next === start.base && start.base === file.text
        ? null
        : { text: next, base: start.base, etag: start.etag, at: Date.now() },
    );
  };

  const save = (): void => {
    if (draft !== null && !saving.isPending) saving.mutate({ path, ...draft });
  };

  /** Takes the saved text. What was typed can be taken back. */
  const discard = (lost: Draft): void => {
    drafts.set(path, null);
    setIsComparing(false);
    closeConflict();
    const id = `discard:${name}/${path}`;
    const undo = (): void => {
      drafts.set(path, lost);
      notifications.hide(id);
    };
    notifications.show({
      id,
      autoClose: 15_000,
      message: (
        <Group justify="space-between">
          <Text size="sm">Your changes of {path} are discarded.</Text>
          <Button variant="default" size="compact-sm" onClick={undo}>
            Undo
          </Button>
        </Group>
      ),
    });
  };

  useSaveKey(save);

  if (stored.isError && file === null)
    return <ErrorNote title={`${path} cannot be read`} error={stored.error} />;
  if (file === null) return null;
  return (
    <>
      <EditorPane
        name={name}
        path={path}
        stored={file}
        text={text}
        onChange={change}
        problems={problems}
        goal={props.goal}
        editing={props.editing}
        onEditing={props.onEditing}
        isDirty={draft !== null}
        isStale={draft !== null && draft.base !== file.text && !saving.isPending}
        isSaving={saving.isPending}
        saveError={saving.error}
        isFull={drafts.isFull}
        onGo={props.onGo}
        onSave={save}
        onCompare={() => setIsComparing(true)}
        onSettle={() => openConflict({ path, text, ...start }, file)}
      />
      {isComparing && draft !== null && (
        <DiffersDialog
          path={path}
          stored={file.text ?? ''}
          text={text}
          onClose={() => setIsComparing(false)}
          onSave={() => {
            setIsComparing(false);
            save();
          }}
          onDiscard={() => discard(draft)}
        />
      )}
      {conflict !== null && (
        <ConflictDialog
          conflict={conflict}
          isSaving={saving.isPending}
          onSave={saving.mutate}
          onTakeTheirs={() => draft !== null && discard(draft)}
          onClose={closeConflict}
        />
      )}
    </>
  );
};
