import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Loader,
  SegmentedControl,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { AlignLeft, Download, GitCompare, History } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { hrefOf } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import type { Editing } from './address.js';
import type { LineProblem } from './configCheck.js';
import type { FileDraft } from './drafts.js';
import type { CodeEditorProps } from './editor/CodeEditor.js';
import { ConflictDialog, DiffersDialog } from './editor/CompareDialog.js';
import { VersionsDialog } from './files/FileVersions.js';
import { formattedText, isFormattable } from './formatting.js';
import type { EditorLanguage } from './language/extension.js';
import { Problems } from './Problems.js';
import { lastSegmentOf } from './paths.js';
import { SaveButton, type StoredFile, useFile, useSave, useSaveKey, useWindowKey } from './storedFile.js';
import type { FileDrafts } from './useDrafts.js';

interface OpenFileProps {
  readonly name: string;
  readonly path: string;
  /** False for a file behind another tab: it keeps its undo history and its place. */
  readonly isShown: boolean;
  /** How the config is edited. Null when another file is open. */
  readonly editing: Editing | null;
  readonly onEditing: (editing: Editing) => void;
  readonly drafts: FileDrafts;
  readonly problems: readonly LineProblem[];
  readonly goal: { readonly line: number } | null;
  readonly onGo: (problem: LineProblem) => void;
  readonly onSaved: () => void;
  /** What the editor knows of the names in the file. Null for files without names. */
  readonly language: EditorLanguage | null;
}

/** The open file with its draft. Use the path as its key. */
export const OpenFile = (props: OpenFileProps) => {
  const { name, path, isShown, drafts, problems, onSaved } = props;
  const stored = useFile(name, path);
  const { saving, conflict, openConflict, closeConflict } = useSave(name, drafts, onSaved);
  const [isComparing, setIsComparing] = useState(false);
  const [hasVersions, setHasVersions] = useState(false);
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
  const discard = (lost: FileDraft): void => {
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

  const { isFormatted, format } = useFormat(path, text, isShown, change);

  useSaveKey(save, isShown);
  // With Alt, some keyboards write another letter.
  useWindowKey(
    ({ shiftKey, altKey, code }) => shiftKey && altKey && code === 'KeyF',
    format,
    isShown && isFormattable(path),
  );

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
        language={props.language}
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
        onVersions={() => setHasVersions(true)}
        isFormatted={isFormatted}
        onFormat={format}
      />
      {hasVersions && (
        <VersionsDialog
          name={name}
          path={path}
          text={text}
          onRestore={change}
          onClose={() => setHasVersions(false)}
        />
      )}
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

/** Longer texts are formatted when asked, not looked at after each pause. */
const MAX_WATCHED_LENGTH = 100_000;
const FORMAT_PAUSE_MS = 400;

/** Formats the open text in one step of undo. `isFormatted`: formatting would change nothing, as far as is known. */
const useFormat = (path: string, text: string, isShown: boolean, onChange: (text: string) => void) => {
  const [settled] = useDebouncedValue(text, FORMAT_PAUSE_MS);
  const [known, setKnown] = useState<string | null>(null);
  const isWatched = isShown && isFormattable(path) && settled.length <= MAX_WATCHED_LENGTH;
  useEffect(() => {
    if (!isWatched) return;
    let isOver = false;
    void formattedText(path, settled).then((made) => {
      if (!isOver) setKnown(made === null || made === settled ? settled : null);
    });
    return () => {
      isOver = true;
    };
  }, [path, settled, isWatched]);
  const format = (): void => {
    void formattedText(path, text).then((made) => {
      if (made === null)
        notifications.show({
          color: 'yellow',
          message: `${path} cannot be formatted: correct its mistakes first.`,
        });
      else if (made !== text) onChange(made);
    });
  };
  return { isFormatted: known === text, format };
};

const CodeEditor = lazy(() => import('./editor/CodeEditor.js'));
const ConfigForm = lazy(() => import('./ConfigForm.js'));

const EDITINGS = [
  { value: 'text', label: 'Text' },
  { value: 'form', label: 'Form' },
  { value: 'both', label: 'Both' },
] as const satisfies readonly { readonly value: Editing; readonly label: string }[];

interface EditorPaneProps extends Omit<CodeEditorProps, 'completes'> {
  /** How the config is edited. Null when another file is open. */
  readonly editing: Editing | null;
  readonly onEditing: (editing: Editing) => void;
  /** The generator directory. */
  readonly name: string;
  readonly stored: StoredFile;
  readonly isDirty: boolean;
  /** The stored file is another than the one that the draft began with. */
  readonly isStale: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  readonly isFull: boolean;
  readonly onGo: (problem: LineProblem) => void;
  readonly onSave: () => void;
  readonly onCompare: () => void;
  readonly onSettle: () => void;
  readonly onVersions: () => void;
  /** Formatting would change nothing. */
  readonly isFormatted: boolean;
  readonly onFormat: () => void;
}

const NotText = ({ name, path, stored }: Pick<EditorPaneProps, 'name' | 'path' | 'stored'>) => (
  <Stack p="md" align="flex-start">
    <Text>
      {lastSegmentOf(path)} has {shownCount(stored.size)} bytes. It is not text, or too large for the editor.
    </Text>
    <Button
      component="a"
      variant="default"
      leftSection={<Download size={16} />}
      href={hrefOf('readGeneratorFile', { name, filepath: path })}
      download={lastSegmentOf(path)}
    >
      Download
    </Button>
  </Stack>
);

const Head = ({
  path,
  isDirty,
  isSaving,
  onSave,
  onCompare,
  editing,
  onEditing,
  ...more
}: EditorPaneProps) => (
  <Group justify="space-between" wrap="nowrap" px="xs" py={4} className="pane-head">
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Text size="sm" fw={600} truncate component="h2" title={path}>
        {path}
      </Text>
      {isDirty && (
        <span className="unsaved" role="img" aria-label="unsaved" title="unsaved">
          ●
        </span>
      )}
    </Group>
    <Group gap="xs" wrap="nowrap">
      {editing !== null && (
        <SegmentedControl<Editing>
          size="xs"
          aria-label="Edit as"
          data={[...EDITINGS]}
          value={editing}
          onChange={onEditing}
        />
      )}
      {isFormattable(path) && (
        <Tooltip label={more.isFormatted ? 'Nothing to format' : 'Format (Shift-Alt-F)'}>
          <ActionIcon
            variant="default"
            size="md"
            aria-label="Format"
            disabled={more.isFormatted}
            onClick={more.onFormat}
          >
            <AlignLeft size={14} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Versions of this file">
        <ActionIcon variant="default" size="md" aria-label="Versions" onClick={more.onVersions}>
          <History size={14} />
        </ActionIcon>
      </Tooltip>
      {isDirty && (
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Differences"
          title="Differences from the saved file"
          onClick={onCompare}
        >
          <GitCompare size={14} />
        </ActionIcon>
      )}
      <SaveButton isDirty={isDirty} isSaving={isSaving} onSave={onSave} />
    </Group>
  </Group>
);

/** One open file: its text, whether it is saved, and what is wrong with it. */
const EditorPane = (props: EditorPaneProps) => {
  const { name, path, stored, editing, isStale, saveError, isFull, onSettle } = props;
  if (stored.text === null) return <NotText name={name} path={path} stored={stored} />;
  return (
    <>
      <Head {...props} />
      {isStale && (
        <Alert color="yellow" p="xs" role="status">
          <Group justify="space-between">
            <Text size="sm">The file has changed since you began to edit it.</Text>
            <Button variant="default" size="compact-sm" onClick={onSettle}>
              Compare
            </Button>
          </Group>
        </Alert>
      )}
      {isFull && (
        <Alert color="yellow" p="xs" role="status">
          The browser has no room for unsaved changes. Save them before you leave this page.
        </Alert>
      )}
      {saveError !== null && <ErrorNote title={`${path} is not saved`} error={saveError} />}
      <div className="pane-bodies">
        {editing !== 'form' && (
          <div className="pane-body">
            <Suspense fallback={<Loader m="md" size="sm" role="status" aria-label="Loading the editor" />}>
              <CodeEditor
                key={path}
                path={path}
                text={props.text}
                onChange={props.onChange}
                problems={props.problems}
                goal={props.goal}
                completes={editing === null ? null : 'config'}
                language={props.language}
              />
            </Suspense>
          </div>
        )}
        {(editing === 'form' || editing === 'both') && (
          <section className="pane-body" aria-label="Form">
            <Suspense fallback={<Loader m="md" size="sm" role="status" aria-label="Loading the form" />}>
              <ConfigForm text={props.text} stored={stored.text} onChange={props.onChange} />
            </Suspense>
          </section>
        )}
      </div>
      <Problems problems={props.problems} onGo={props.onGo} />
    </>
  );
};
