import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { editorBase } from './extensions.js';

interface CompareProps {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Takes the changed text. Undefined when nothing can be changed here. */
  readonly onChange?: (text: string) => void;
}

/** The differences between two texts in one column. With `onChange`, single ones can be taken back. */
const CompareView = ({ path, before, after, onChange }: CompareProps) => {
  const place = useRef<HTMLDivElement>(null);
  const start = useRef(after);
  const changed = useRef(onChange);
  changed.current = onChange;
  const canEdit = onChange !== undefined;
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const view = new EditorView({
      ...(place.current === null ? {} : { parent: place.current }),
      state: EditorState.create({
        doc: start.current,
        extensions: [
          editorBase(path, isDark, `Differences of ${path}`),
          unifiedMergeView({
            original: before,
            mergeControls: canEdit,
            highlightChanges: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          EditorState.readOnly.of(!canEdit),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [path, before, isDark, canEdit]);
  return <div ref={place} className="compare" />;
};

export default CompareView;
