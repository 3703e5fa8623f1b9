import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { JsonSchema } from '../../../../schema/index.js';
import type { LineProblem } from '../configCheck.js';
import { type EditorLanguage, languageSupport } from '../language/extension.js';
import { schemaOptions, yamlLocation } from './completion.js';
import { diagnosticsOf, editorBase } from './extensions.js';

export interface CodeEditorProps {
  readonly path: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly LineProblem[];
  /** A line to go to, at a column counted from 1; a new object goes there again. */
  readonly goal: { readonly line: number; readonly column?: number } | null;
  /** Which keys and values are known. Null when none are. */
  readonly completes: Completed | null;
  /** What is known of the names in a config, template or script; the same as long as the file is open. */
  readonly language?: EditorLanguage | null | undefined;
}

/** Editor of one file; use the path as its key. */
const CodeEditor = ({
  path,
  text,
  onChange,
  problems,
  goal,
  completes,
  language = null,
}: CodeEditorProps) => {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const shown = useRef(text);
  const changed = useRef(onChange);
  changed.current = onChange;
  const isDark = useComputedColorScheme('light') === 'dark';
  const [telling] = useState(() =>
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const next = update.state.doc.toString();
      if (next === shown.current) return;
      shown.current = next;
      changed.current(next);
    }),
  );
  const extensions = useMemo(
    () => [editorBase(path, isDark, `Text of ${path}`), lintGutter(), helpOf(completes, language), telling],
    [path, isDark, completes, language, telling],
  );

  const used = useRef(extensions);

  useEffect(() => {
    const state = EditorState.create({ doc: shown.current, extensions: used.current });
    const view = new EditorView({ ...(place.current === null ? {} : { parent: place.current }), state });
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    if (used.current === extensions) return;
    used.current = extensions;
    // A new view would take focus, cursor and undo history from somebody who writes while colors or known names change.
    editor.current?.dispatch({ effects: StateEffect.reconfigure.of(extensions) });
  }, [extensions]);

  useEffect(() => {
    const view = editor.current;
    if (view === null || text === shown.current) return;
    const changes = changeTo(shown.current, text);
    // The listener must not take this for typing.
    shown.current = text;
    view.dispatch({ changes });
  }, [text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor with other extensions has no marks yet
  useEffect(() => {
    const view = editor.current;
    if (view !== null) view.dispatch(setDiagnostics(view.state, diagnosticsOf(problems, view.state.doc)));
  }, [problems, extensions]);

  useEffect(() => {
    const view = editor.current;
    if (view === null || goal === null || goal.line > view.state.doc.lines) return;
    const { from, to } = view.state.doc.line(goal.line);
    const at = Math.min(to, from + (goal.column ?? 1) - 1);
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    view.focus();
  }, [goal]);

  return <div ref={place} className="code-editor" />;
};

/** The change between two texts without what they share at both ends: the cursor stays outside of it. */
const changeTo = (before: string, after: string) => {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let shared = 0;
  while (shared < shorter - from && before.at(-1 - shared) === after.at(-1 - shared)) shared += 1;
  return { from, to: before.length - shared, insert: after.slice(from, after.length - shared) };
};

/** Documents whose keys and values are known. */
type Completed = 'config' | 'incident';

type Complete = (context: CompletionContext) => Promise<CompletionResult | null>;

const completing =
  (schema: () => Promise<JsonSchema>): Complete =>
  async (context) => {
    const location = yamlLocation(context.state.sliceDoc(0, context.pos));
    if (location === null || (location.typed === '' && !context.explicit)) return null;
    const options = schemaOptions(await schema(), location);
    if (options.length === 0) return null;
    return {
      from: context.pos - location.typed.length,
      options: options.map(({ label, help }) => ({
        label,
        type: location.kind === 'key' ? 'property' : 'enum',
        ...(location.kind === 'key' ? { apply: `${label}: ` } : {}),
        ...(help === '' ? {} : { info: help }),
      })),
      validFor: /^[\w@.-]*$/,
    };
  };

/** Keys, plugins and values that the declarations know. */
const COMPLETIONS: Readonly<Record<Completed, Complete>> = {
  config: completing(async () => (await import('../configCheck.js')).configSchema()),
  incident: completing(
    async () => (await import('../../../../config/incidents/shape.js')).incidentShape.schema,
  ),
};

/** What the editor offers and tells while somebody writes. */
const helpOf = (completes: Completed | null, language: EditorLanguage | null): Extension => {
  const yaml = completes === null ? null : COMPLETIONS[completes];
  if (language !== null) return languageSupport(language, yaml);
  return yaml === null ? [] : autocompletion({ override: [yaml] });
};

export default CodeEditor;
