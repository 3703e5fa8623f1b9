import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { FileNode } from '../../../../domain/directory.js';
import { filesOf, languageOf } from '../paths.js';
import type { FileProblem } from '../problemLocations.js';
import { fileKey, readStored, type StoredFile } from '../storedFile.js';
import type { FileDrafts } from '../useDrafts.js';
import type { EditorLanguage } from './extension.js';
import type { Directory } from './namesSource.js';

const SampleRenameDialog = lazy(() => import('./SampleRenameDialog.js'));

interface LanguageOptions {
  /** The generator directory. */
  readonly name: string;
  readonly nodes: readonly FileNode[];
  readonly configPath: string;
  readonly configText: string | null;
  readonly drafts: FileDrafts;
  readonly onGo: (place: FileProblem) => void;
}

interface Language {
  /** What the editor of a file asks; the same for the life of the page. Null for a file without names. */
  readonly of: (path: string) => EditorLanguage | null;
  /** The dialog that renames a sample. */
  readonly dialog: ReactNode;
}

const kindOf = (path: string, configPath: string): EditorLanguage['kind'] | null => {
  if (path === configPath) return 'config';
  const language = languageOf(path);
  return language === 'jinja' ? 'template' : language === 'script' ? 'script' : null;
};

/** Completion, docs, definitions and renames for the files of a directory. */
export const useLanguage = (options: LanguageOptions): Language => {
  const client = useQueryClient();
  const latest = useRef(options);
  latest.current = options;
  const [sample, setSample] = useState<string | null>(null);
  const made = useRef(new Map<string, EditorLanguage>());
  const texts = useRef(new Map<string, string | null>());

  const stored = (path: string): Promise<StoredFile> => {
    const { name } = latest.current;
    const queryFn = () => readStored(name, path);
    return client.ensureQueryData({ queryKey: fileKey(name, path), queryFn });
  };
  const [read] = useState(() => async (path: string): Promise<string | null> => {
    const draft = latest.current.drafts.byPath.get(path);
    const text = draft?.text ?? (await stored(path).catch(() => null))?.text ?? null;
    texts.current.set(path, text);
    return text;
  });

  const directory = (): Directory => {
    const { configPath, configText, nodes } = latest.current;
    return { configPath, configText, paths: filesOf(nodes), read };
  };

  const make = (path: string, kind: EditorLanguage['kind']): EditorLanguage => ({
    kind,
    names: async (text) => (await import('./namesSource.js')).namesOf(directory(), path, text),
    textOf: (other) => texts.current.get(other) ?? null,
    onGo: (place) => latest.current.onGo({ ...place, message: '', severity: 'error' }),
    onRename: setSample,
  });

  return {
    of: (path) => {
      const kind = kindOf(path, options.configPath);
      if (kind === null) return null;
      const language = made.current.get(path) ?? make(path, kind);
      made.current.set(path, language);
      return language;
    },
    dialog: sample !== null && (
      <Suspense>
        <SampleRenameDialog
          sample={sample}
          directory={directory()}
          drafts={options.drafts}
          stored={stored}
          onClose={() => setSample(null)}
        />
      </Suspense>
    ),
  };
};
