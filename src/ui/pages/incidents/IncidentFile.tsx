import '../workbench/workbench.css';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import type { LineProblem } from '../workbench/configCheck.js';
import { Problems } from '../workbench/Problems.js';
import { SaveButton, useSaveKey } from '../workbench/storedFile.js';
import { PAUSE_MS } from '../workbench/useChecked.js';
import { useDrafts } from '../workbench/useDrafts.js';
import { DRAFTS, fileOf, type Shown, useWrite } from './useIncident.js';

const CodeEditor = lazy(() => import('../workbench/editor/CodeEditor.js'));

const useFileDraft = ({ name, text: stored }: Shown) => {
  const drafts = useDrafts(DRAFTS);
  const path = fileOf(name);
  const draft = drafts.byPath.get(path) ?? null;
  const base = draft?.base ?? stored;
  return {
    path,
    text: draft?.text ?? stored,
    isDirty: draft !== null,
    /** The file has another text than the one that the draft began with. */
    isStale: draft !== null && base !== stored,
    isFull: drafts.isFull,
    change: (text: string): void =>
      drafts.set(path, text === stored ? null : { text, base, etag: '', at: Date.now() }),
    settle: (saved: string): void => drafts.settle(path, saved, ''),
    discard: (): void => drafts.set(path, null),
  };
};

const Stale = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <Alert color="yellow" p="xs" role="status">
    <Group justify="space-between">
      <Text size="sm">The file has changed since you began to edit it. Saving replaces it.</Text>
      <Button variant="default" size="compact-sm" onClick={onDiscard}>
        Discard my changes
      </Button>
    </Group>
  </Alert>
);

interface HeadProps {
  readonly path: string;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

const Head = ({ path, isDirty, isSaving, onSave }: HeadProps) => (
  <Group justify="space-between" wrap="nowrap" px="xs" py={4} className="incident-file-head">
    <Text size="sm" fw={600} truncate>
      {path}
      {isDirty && ' (unsaved)'}
    </Text>
    <SaveButton isDirty={isDirty} isSaving={isSaving} onSave={onSave} />
  </Group>
);

/** The file with an editor. What is not saved survives a closed page. */
export const IncidentEditor = ({ incident }: { readonly incident: Shown }) => {
  const { name, state } = incident;
  const file = useFileDraft(incident);
  const problems = useProblems(file.text);
  const writing = useWrite();
  const [goal, setGoal] = useState<{ readonly line: number } | null>(null);
  const save = (): void => {
    const { text } = file;
    if (!file.isDirty || writing.isPending) return;
    const onSuccess = (): void => {
      file.settle(text);
      tellDone(`${file.path} saved.`);
    };
    writing.mutate({ name, text }, { onSuccess });
  };
  useSaveKey(save);
  const go = ({ line }: LineProblem): void => setGoal({ line });
  return (
    <>
      {state !== 'idle' && (
        <Text size="sm">
          The incident under way keeps the file it started with. Changes apply to the next start.
        </Text>
      )}
      {file.isStale && !writing.isPending && <Stale onDiscard={file.discard} />}
      {file.isFull && (
        <Alert color="yellow" p="xs" role="status">
          The browser has no room for unsaved changes. Save them before you leave this page.
        </Alert>
      )}
      {writing.isError && <ErrorNote title={`${file.path} is not saved`} error={writing.error} />}
      <div className="incident-file">
        <Head path={file.path} isDirty={file.isDirty} isSaving={writing.isPending} onSave={save} />
        <div className="incident-file-text">
          <Suspense fallback={<Loader m="md" size="sm" role="status" aria-label="Loading the editor" />}>
            <CodeEditor
              path={file.path}
              text={file.text}
              onChange={file.change}
              problems={problems}
              goal={goal}
              completes="incident"
            />
          </Suspense>
        </div>
        <Problems problems={problems} onGo={go} />
      </div>
    </>
  );
};

const NONE: readonly LineProblem[] = [];

/** The problems of a text, a moment after it was typed; the former ones stay until then. */
const useProblems = (text: string): readonly LineProblem[] => {
  const [settled] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const checked = useQuery({
    queryKey: ['incident-check', settled],
    queryFn: async () => {
      const { fileProblems } = await import('./fileCheck.js');
      return fileProblems(settled);
    },
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return checked.data ?? NONE;
};
