import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  type QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Save } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ask, callTagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import type { FileDrafts } from './useDrafts.js';

export interface StoredFile {
  /** Content of the file. Null when it is not text, or too large for the editor. */
  readonly text: string | null;
  readonly etag: string;
  readonly size: number;
}

/** A file as it is stored. */
export const useFile = (directory: string, path: string | null): UseQueryResult<StoredFile> =>
  useQuery({
    queryKey: fileKey(directory, path ?? ''),
    queryFn: () => readStored(directory, path ?? ''),
    enabled: path !== null,
  });

export const fileKey = (directory: string, path: string): readonly string[] => ['file', directory, path];

/** Larger files are not opened in the editor. */
const MAX_EDITED_BYTES = 2_097_152;

/** Reads a file; the content of one that the editor does not open is not loaded. */
export const readStored = async (name: string, filepath: string): Promise<StoredFile> => {
  const response = await ask('readGeneratorFile', { path: { name, filepath } });
  const { headers } = response;
  const size = Number(headers.get('Content-Length'));
  const isText = headers.get('Content-Type')?.startsWith('text/') && size <= MAX_EDITED_BYTES;
  if (!isText) void response.body?.cancel();
  return { text: isText ? await response.text() : null, etag: headers.get('ETag') ?? '', size };
};

/** A text that was read a moment ago is not read again for a search. */
const FRESH_MS = 5_000;

/** The saved text of a file. Null when it is not text, or too large for the editor. */
export const readTextOf = async (client: QueryClient, name: string, path: string): Promise<string | null> =>
  (
    await client.fetchQuery({
      queryKey: fileKey(name, path),
      queryFn: () => readStored(name, path),
      staleTime: FRESH_MS,
    })
  ).text;

export interface SaveRequest {
  readonly path: string;
  readonly text: string;
  /** The stored text that the change began with, and its entity tag. */
  readonly base: string;
  readonly etag: string;
}

/** Two people changed one file. */
export interface Conflict {
  readonly path: string;
  readonly mine: string;
  readonly theirs: string;
  /** Entity tag of their text. */
  readonly etag: string;
}

const CHANGED_ELSEWHERE = 412;

/** Saves files unless they changed since they were read; then there is a conflict to settle. */
export const useSave = (name: string, drafts: FileDrafts, onSaved: () => void) => {
  const client = useQueryClient();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const readAgain = (path: string): Promise<StoredFile> =>
    client.fetchQuery({
      queryKey: fileKey(name, path),
      queryFn: () => readStored(name, path),
      staleTime: 0,
    });

  const openConflict = ({ path, text }: SaveRequest, stored: StoredFile): void =>
    setConflict({ path, mine: text, theirs: stored.text ?? '', etag: stored.etag });

  /** Returns the new entity tag, or null when there is a conflict. */
  const write = async (request: SaveRequest): Promise<string | null> => {
    const { path: filepath, text, etag } = request;
    try {
      const saved = await callTagged('replaceGeneratorFile', {
        path: { name, filepath },
        content: text,
        etag,
      });
      const stored: StoredFile = { text, etag: saved.etag, size: new Blob([text]).size };
      client.setQueryData(fileKey(name, filepath), stored);
      return saved.etag;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== CHANGED_ELSEWHERE) throw error;
      const stored = await readAgain(filepath);
      // A moved or touched file has another tag with the same text.
      if (stored.text === request.base && stored.etag !== etag)
        return write({ ...request, etag: stored.etag });
      openConflict(request, stored);
      return null;
    }
  };

  const saving = useMutation({
    mutationFn: write,
    onSuccess: (etag, { path, text }) => {
      if (etag === null) return;
      setConflict(null);
      drafts.settle(path, text, etag);
      notifications.show({ message: `${path} saved.`, color: 'teal', autoClose: 2_000 });
      onSaved();
    },
  });

  return { saving, conflict, openConflict, closeConflict: () => setConflict(null) };
};

interface SaveButtonProps {
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

/** Saves the open file, as Ctrl-S does. */
export const SaveButton = ({ isDirty, isSaving, onSave }: SaveButtonProps) => (
  <Needs to="replaceGeneratorFile">
    <Button
      size="compact-sm"
      leftSection={<Save size={14} />}
      onClick={onSave}
      disabled={!isDirty}
      loading={isSaving}
      title="Ctrl-S"
    >
      Save
    </Button>
  </Needs>
);

/** Calls `act` on a key, wherever the focus is. */
export const useWindowKey = (
  isKey: (event: KeyboardEvent) => boolean,
  act: () => void,
  isOn = true,
): void => {
  const latest = useRef({ isKey, act });
  latest.current = { isKey, act };
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => {
      if (!latest.current.isKey(event)) return;
      event.preventDefault();
      latest.current.act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
};

/** Calls `save` on Ctrl-S and Cmd-S. */
export const useSaveKey = (save: () => void, isOn = true): void =>
  useWindowKey(({ ctrlKey, metaKey, key }) => (ctrlKey || metaKey) && key.toLowerCase() === 's', save, isOn);
