import { javascript } from '@codemirror/lang-javascript';
import { jinja } from '@codemirror/lang-jinja';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { NONCE } from '../../../app/nonce.js';
import type { LineProblem } from '../configCheck.js';
import { type FileLanguage, languageOf } from '../paths.js';

const LANGUAGES: Readonly<Record<FileLanguage, () => Extension>> = {
  yaml,
  jinja: () => jinja(),
  script: () => javascript({ typescript: true }),
  json,
  text: () => [],
};

/** Colors of the style for light pages, and what takes their place on dark ones. */
const DARK: Readonly<Record<string, string>> = {
  '#404740': '#adb5bd',
  '#708': '#e599f7',
  '#219': '#74c0fc',
  '#164': '#8ce99a',
  '#a11': '#ffa8a8',
  '#e40': '#ffc078',
  '#00f': '#91a7ff',
  '#30a': '#b197fc',
  '#085': '#63e6be',
  '#167': '#66d9e8',
  '#256': '#3bc9db',
  '#00c': '#91a7ff',
  '#940': '#ffd8a8',
  '#f00': '#ff8787',
};

const darkStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const color: unknown = spec['color'];
    return typeof color === 'string' ? { ...spec, color: DARK[color] ?? color } : spec;
  }),
);

const look = (isDark: boolean): Extension =>
  EditorView.theme(
    {
      '&': {
        height: '100%',
        fontSize: '13px',
        backgroundColor: 'var(--mantine-color-body)',
        color: 'var(--mantine-color-text)',
      },
      '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)' },
      '.cm-gutters': {
        backgroundColor: 'var(--mantine-color-body)',
        color: isDark ? 'var(--mantine-color-dark-1)' : 'var(--mantine-color-gray-7)',
        borderRight: '1px solid var(--mantine-color-default-border)',
      },
      '&.cm-focused': {
        outline: '2px solid var(--mantine-primary-color-filled)',
        outlineOffset: '-2px',
      },
      '.cm-activeLine': { backgroundColor: isDark ? '#ffffff0d' : '#0000000a' },
      '.cm-activeLineGutter': { backgroundColor: isDark ? '#ffffff1a' : '#00000012' },
      '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
      '.cm-tooltip': {
        backgroundColor: 'var(--mantine-color-body)',
        color: 'var(--mantine-color-text)',
        border: '1px solid var(--mantine-color-default-border)',
      },
      // Few fonts have the sign that stands here by default.
      '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"···"' },
      '.cm-collapsedLines': { color: 'var(--mantine-color-text)' },
      '.cm-panels': { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' },
    },
    { dark: isDark },
  );

/** What every editor of this page has. */
export const editorBase = (path: string, isDark: boolean, label: string): Extension => [
  basicSetup,
  EditorView.cspNonce.of(NONCE),
  look(isDark),
  syntaxHighlighting(isDark ? darkStyle : defaultHighlightStyle),
  LANGUAGES[languageOf(path)](),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

/** Problems as marks. A problem of a location marks the word there. */
export const diagnosticsOf = (problems: readonly LineProblem[], text: Text): readonly Diagnostic[] =>
  problems
    .filter(({ line }) => line <= text.lines)
    .map(({ line, column, message, severity }) => {
      const { from: start, to: end, text: written } = text.line(line);
      const from = Math.min(end, start + column - 1);
      const word = /^[^\s:,{}[\]]+/.exec(written.slice(from - start))?.[0].length ?? 0;
      return { from, to: Math.min(end, from + Math.max(1, word)), severity, message };
    });
