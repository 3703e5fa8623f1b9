import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { useComputedColorScheme } from '@mantine/core';
import { basicSetup, EditorView } from 'codemirror';
import { useEffect, useRef } from 'react';
import { NONCE } from '../../../app/nonce.js';

interface YamlEditorProps {
  readonly label: string;
  /** Text at first; a new `key` of the element begins anew. */
  readonly initial: string;
  readonly onChange: (text: string) => void;
}

/** The colors of the style for light pages, lighter. */
const darkStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    'color' in spec ? { ...spec, color: `color-mix(in srgb, ${String(spec['color'])}, white 70%)` } : spec,
  ),
);

/** A YAML editor. */
export const YamlEditor = ({ label, initial, onChange }: YamlEditorProps) => {
  const place = useRef<HTMLDivElement>(null);
  const change = useRef(onChange);
  change.current = onChange;
  const text = useRef(initial);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text.current,
        extensions: [
          EditorView.cspNonce.of(NONCE),
          basicSetup,
          yaml(),
          isDark ? syntaxHighlighting(darkStyle) : [],
          EditorView.theme(
            {
              '&': { maxHeight: '26rem' },
              '.cm-scroller': { overflow: 'auto' },
              '.cm-activeLine, .cm-gutters, .cm-activeLineGutter': { backgroundColor: 'transparent' },
            },
            { dark: isDark },
          ),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            text.current = update.state.doc.toString();
            change.current(text.current);
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [isDark, label]);
  return <div ref={place} className="yaml-editor" />;
};
