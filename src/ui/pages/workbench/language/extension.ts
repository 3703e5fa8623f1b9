import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
} from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { schemaOptions, yamlLocation } from '../editor/completion.js';
import { type Offer, type Offers, offersAt } from './completions.js';
import { callAt, regionAt, typedAt } from './cursor.js';
import { configDefinitionAt, definitionAt, type Place, sampleAt, yamlWordAt } from './definitions.js';
import { callDocs, docsAt, docsOf, type NameDocs } from './docs.js';
import { localNames } from './locals.js';
import type { FileNames } from './names.js';

/** What an editor asks about the names of its file. */
export interface EditorLanguage {
  readonly kind: 'config' | 'template' | 'script';
  /** What can be named in the file with this text. */
  readonly names: (text: string) => Promise<FileNames>;
  /** The text of a file as far as it is read. */
  readonly textOf: (path: string) => string | null;
  readonly onGo: (place: Place) => void;
  readonly onRename: (sample: string) => void;
}

/** Longer texts are edited without help: every key would read them as a whole. */
const MAX_LENGTH = 500_000;

const textIn = (state: EditorState): string | null =>
  state.doc.length > MAX_LENGTH ? null : state.doc.toString();

/** What can be named in a template that stands in a config: a formatter renders it. */
const inlineNames = (names: FileNames, text: string): FileNames => {
  const { members } = names.reference;
  const known = { '': members['formatter'] ?? [], loop: members['loop'] ?? [] };
  return {
    ...names,
    reference: { ...names.reference, members: known },
    declared: null,
    locals: localNames(text),
  };
};

/** The names at a position. Null where a config is YAML and no template. */
const namesAt = async (language: EditorLanguage, text: string, at: number): Promise<FileNames | null> => {
  if (language.kind !== 'config') return language.names(text);
  return regionAt(text, at) === null ? null : inlineNames(await language.names(text), text);
};

/** A text with code in backticks. */
const paragraph = (className: string, text: string): HTMLElement => {
  const element = document.createElement('div');
  element.className = className;
  for (const [index, part] of text.split('`').entries()) {
    if (part === '') continue;
    const piece = document.createElement(index % 2 === 1 ? 'code' : 'span');
    piece.textContent = part;
    element.append(piece);
  }
  return element;
};

const docsNode = ({ title, doc, example }: NameDocs): HTMLElement => {
  const node = document.createElement('div');
  node.className = 'cm-docs';
  const head = document.createElement('div');
  head.className = 'cm-docs-title';
  for (const { text, isCurrent } of title) {
    const piece = document.createElement(isCurrent ? 'strong' : 'span');
    piece.textContent = text;
    head.append(piece);
  }
  if (title.length > 0) node.append(head);
  if (doc !== '') node.append(paragraph('cm-docs-text', doc));
  if (example !== '') node.append(paragraph('cm-docs-example', example));
  return node;
};

const spoken = ({ title, doc }: NameDocs): string =>
  `${title.map(({ text }) => text).join('')} ${doc.replaceAll('`', '')}`.trim();

/** The statement of a tag takes the place of what ends the tag already. */
const applyTag =
  ({ snippet: written }: Offer) =>
  (view: EditorView, completion: Completion, from: number, to: number): void => {
    const after = view.state.sliceDoc(to, to + 16);
    const [end = '', sign = ''] = /^\s*([-+]?)%\}/.exec(after) ?? [];
    const space = /\s$/.test(view.state.sliceDoc(0, from)) ? '' : ' ';
    snippet(space + written.replace(' %}', ` ${sign}%}`))(view, completion, from, to + end.length);
  };

const completionOf = (offer: Offer, isTag: boolean, rank: number): Completion => ({
  label: offer.label,
  type: offer.type,
  ...(offer.detail === '' ? {} : { detail: offer.detail }),
  ...(offer.entry?.doc === undefined && offer.entry?.example === undefined
    ? {}
    : { info: () => docsNode(docsOf(offer.entry ?? { name: '' })) }),
  apply: isTag ? applyTag(offer) : snippet(offer.snippet),
  // Arguments first, then in the order of the reference.
  boost: offer.label.endsWith('=') ? 10 : Math.max(-99, -rank / 10),
});

const resultOf = ({ from, options, isTag }: Offers): CompletionResult => ({
  from,
  options: options.map((offer, index) => completionOf(offer, isTag, index)),
  validFor: /^[\p{L}\p{N}_$]*$/u,
});

/** A list that nobody asked for comes after a dot, a bar, `is` and the start of a tag, and with the first letter. */
const isWanted = (language: EditorLanguage, text: string, { pos, explicit }: CompletionContext): boolean => {
  if (explicit) return true;
  const typed = typedAt(text, pos, language.kind === 'script' ? 'script' : 'jinja');
  return typed === null ? true : typed.place !== 'name' || typed.word !== '';
};

const offering =
  (language: EditorLanguage): CompletionSource =>
  async (context) => {
    const text = textIn(context.state);
    if (text === null || !isWanted(language, text, context)) return null;
    const names = await namesAt(language, text.slice(0, context.pos), context.pos);
    const offers = names === null ? null : offersAt(names, text, context.pos);
    return offers === null ? null : resultOf(offers);
  };

interface Shown {
  /** `call` follows the cursor as long as it is in the call, `word` goes with the next key. */
  readonly kind: 'call' | 'word';
  readonly docs: NameDocs;
  readonly at: number;
}

const show = StateEffect.define<Shown | null>();

const shownField = StateField.define<Shown | null>({
  create: () => null,
  update: (shown, transaction) => {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    if (shown === null || (!transaction.docChanged && transaction.selection === undefined)) return shown;
    return shown.kind === 'word' ? null : { ...shown, at: transaction.changes.mapPos(shown.at) };
  },
  provide: (field) =>
    showTooltip.from(field, (shown): Tooltip | null =>
      shown === null ? null : { pos: shown.at, above: true, create: () => ({ dom: docsNode(shown.docs) }) },
    ),
});

/** The last question for a signature, which `Escape` takes back. */
const lastAsked = new WeakMap<EditorView, object>();

/** Shows the signature of the call around the cursor, when the text is still the same. */
const showCall = async (language: EditorLanguage, view: EditorView): Promise<boolean> => {
  const { state } = view;
  const asked = {};
  lastAsked.set(view, asked);
  const text = textIn(state);
  const at = state.selection.main.head;
  const call = text === null ? null : callAt(text, at, language.kind === 'script' ? 'script' : 'jinja');
  const names = text === null || call === null ? null : await namesAt(language, text, at);
  const docs = names === null || call === null ? null : callDocs(names, call);
  const isWanted = lastAsked.get(view) === asked;
  if (!isWanted || view.state.doc !== state.doc || view.state.selection.main.head !== at) return false;
  const shown = docs === null || call === null ? null : ({ kind: 'call', docs, at: call.open } as const);
  if (shown !== null || view.state.field(shownField)?.kind === 'call')
    view.dispatch({ effects: show.of(shown) });
  return shown !== null;
};

const signatures = (language: EditorLanguage): Extension =>
  EditorView.updateListener.of((update) => {
    const isOpen = update.state.field(shownField)?.kind === 'call';
    const isTyped = update.transactions.some((one) => one.isUserEvent('input'));
    if ((update.docChanged && (isTyped || isOpen)) || (update.selectionSet && isOpen))
      void showCall(language, update.view);
  });

type Schema = Parameters<typeof schemaOptions>[0];

const configSchemaOf = async (): Promise<Schema> => (await import('../configCheck.js')).configSchema();

/** What the schema says of the key under a position. */
const keyDocsAt = async (text: string, at: number) => {
  const word = yamlWordAt(text, at);
  if (word === null || !/^['"]?\s*:/.test(text.slice(word.to, word.to + 4))) return null;
  const location = yamlLocation(text.slice(0, word.to));
  if (location?.kind !== 'key') return null;
  const option = schemaOptions(await configSchemaOf(), location).find(({ label }) => label === word.word);
  if (option === undefined || option.help === '') return null;
  return { from: word.from, to: word.to, docs: docsOf({ name: option.label, doc: option.help }) };
};

const wordDocsAt = async (language: EditorLanguage, text: string, at: number) => {
  const names = await namesAt(language, text, at);
  return names === null ? keyDocsAt(text, at) : docsAt(names, text, at);
};

const hovering = (language: EditorLanguage): Extension =>
  hoverTooltip(async (view, at): Promise<Tooltip | null> => {
    const text = textIn(view.state);
    const found = text === null ? null : await wordDocsAt(language, text, at);
    if (found === null) return null;
    const { from, to, docs } = found;
    return { pos: from, end: to, above: true, create: () => ({ dom: docsNode(docs) }) };
  });

const tell = (view: EditorView, docs: NameDocs, at: number): void =>
  view.dispatch({
    effects: [show.of({ kind: 'word', docs, at }), EditorView.announce.of(spoken(docs))],
  });

const nothing = (doc: string): NameDocs => ({ title: [], doc, example: '' });

const showDocs = async (language: EditorLanguage, view: EditorView): Promise<void> => {
  const text = textIn(view.state);
  const at = view.state.selection.main.head;
  if (text === null) return;
  const found = await wordDocsAt(language, text, at);
  if (found !== null) tell(view, found.docs, found.from);
  else if (!(await showCall(language, view))) tell(view, nothing('Nothing is known of this word.'), at);
};

const goToDefinition = async (language: EditorLanguage, view: EditorView, at: number): Promise<void> => {
  const text = textIn(view.state);
  if (text === null) return;
  const names = await language.names(text);
  const place =
    language.kind === 'config'
      ? configDefinitionAt(names, text, at)
      : definitionAt(names, text, at, language.textOf);
  if (place === null) tell(view, nothing('This word comes from nowhere in this directory.'), at);
  else language.onGo(place);
};

const startRename = async (language: EditorLanguage, view: EditorView): Promise<void> => {
  const text = textIn(view.state);
  const at = view.state.selection.main.head;
  if (text === null) return;
  const sample = sampleAt(await language.names(text), text, at);
  if (sample === null) tell(view, nothing('Put the cursor on a sample to rename it.'), at);
  else language.onRename(sample);
};

/** Before the keys of others: each closes what it shows on the same one, and a list of completions keeps it to itself. */
const hiding = Prec.highest(
  EditorView.domEventHandlers({
    keydown: ({ key }, view) => {
      if (key !== 'Escape') return false;
      lastAsked.delete(view);
      if (view.state.field(shownField) !== null) view.dispatch({ effects: show.of(null) });
      return false;
    },
  }),
);

const keys = (language: EditorLanguage): Extension => {
  const run = (act: (view: EditorView) => Promise<unknown>) => (view: EditorView) => {
    void act(view);
    return true;
  };
  return Prec.highest(
    keymap.of([
      { key: 'F1', run: run((view) => showDocs(language, view)) },
      { key: 'F2', run: run((view) => startRename(language, view)) },
      {
        key: 'F12',
        run: run((view) => goToDefinition(language, view, view.state.selection.main.head)),
      },
    ]),
  );
};

const clicks = (language: EditorLanguage): Extension =>
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at === null) return false;
      void goToDefinition(language, view, at);
      return true;
    },
  });

const look = EditorView.theme({
  '.cm-docs': { maxWidth: '34rem', padding: '6px 10px', fontSize: '12.5px', lineHeight: '1.45' },
  '.cm-docs-title': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    overflowWrap: 'anywhere',
    color: 'var(--mantine-color-text)',
  },
  '.cm-docs-title strong': {
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    color: 'var(--mantine-primary-color-light-color)',
  },
  '.cm-docs-title + .cm-docs-text': { marginTop: '4px' },
  '.cm-docs-example': { marginTop: '4px', color: 'var(--mantine-color-dimmed)', overflowWrap: 'anywhere' },
  '.cm-docs code': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '12px' },
  '.cm-tooltip': { borderRadius: '6px', boxShadow: 'var(--mantine-shadow-md)', overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-completionInfo': { padding: '0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    borderRadius: '6px',
    maxHeight: '16em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '3px 8px',
    maxWidth: '28rem',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-primary-color-contrast)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85' },
});

/** Completion, signatures, docs, definitions and rename for a file. `yaml` completes the keys of a config. */
export const languageSupport = (language: EditorLanguage, yaml: CompletionSource | null): Extension => {
  const own = offering(language);
  // What a script declares itself is offered, too.
  const completion =
    language.kind === 'script'
      ? EditorState.languageData.of(() => [{ autocomplete: own }])
      : autocompletion({ override: yaml === null ? [own] : [own, yaml] });
  return [
    completion,
    shownField,
    signatures(language),
    hovering(language),
    keys(language),
    hiding,
    clicks(language),
    look,
  ];
};
