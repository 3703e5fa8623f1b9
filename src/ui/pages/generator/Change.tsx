import './change.css';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  useComputedColorScheme,
} from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { basicSetup, EditorView } from 'codemirror';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { NONCE } from '../../app/nonce.js';
import { Needs } from '../../app/role.js';
import { useAddress } from '../../parts/address.js';
import { locationOf } from '../../parts/locatedText.js';
import { ErrorNote } from '../../parts/notes.js';
import {
  type ConfigSection,
  type Knob,
  knobKey,
  parameterKnobsOf,
  parsed,
  RATE_WORDS,
  sectionsOf,
  sectionText,
  withKnobs,
} from './configParts.js';
import { patchedKey, useConfigText } from './data.js';

/** Exchanges parts of a generator while it runs. */
export default function ChangePanel({ id, path }: { readonly id: string; readonly path: string }) {
  const location = locationOf(path);
  const config = useConfigText(location);
  if (config.isError) return <ErrorNote title="The config file cannot be read" error={config.error} />;
  if (config.data === undefined || location === null) return null;
  const stored = sectionsOf(config.data);
  if (stored === null)
    return (
      <Text size="sm">
        The config file has a mistake.{' '}
        <Anchor component={Link} href={`/g/${encodeURIComponent(location.name)}`} underline="always">
          Open it in the workbench
        </Anchor>
        .
      </Text>
    );
  return <Editors id={id} path={path} stored={stored} />;
}

type Choice = 'rate' | ConfigSection;

const CHOICES: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'rate', label: 'Rate' },
  { value: 'input', label: 'Inputs' },
  { value: 'event', label: 'Event' },
  { value: 'output', label: 'Outputs' },
];

const Editors = (props: Pick<EditorProps, 'id' | 'path' | 'stored'>) => {
  const [choice, setChoice] = useAddress<Choice>('section', 'rate');
  return (
    <Stack gap="sm">
      <SegmentedControl
        data={[...CHOICES]}
        value={choice}
        onChange={setChoice}
        aria-label="What to change"
        className="choices"
      />
      <Editor
        key={choice}
        {...props}
        section={choice === 'rate' ? 'input' : choice}
        isRate={choice === 'rate'}
      />
    </Stack>
  );
};

interface EditorProps {
  readonly id: string;
  readonly path: string;
  readonly stored: JsonObject;
  readonly section: ConfigSection;
  /** Only the numbers of the section that set the rate. */
  readonly isRate: boolean;
}

/** One section, as text or as the numbers that set its rate. What is typed stays in the browser until it is reset. */
const Editor = ({ id, path, stored, section, isRate }: EditorProps) => {
  const [draft, setDraft, clearDraft] = useDraft(id, section);
  const [resets, setResets] = useState(0);
  const [numbers, setNumbers] = useState<Readonly<Record<string, number>>>({});
  const [isKept, keep] = useState(false);
  const patching = usePatch(id, path);
  const isRunning = useLive().generators.get(id)?.phase === 'running';
  const text = draft ?? sectionText(stored[section]);
  const drafted = parsed(text);
  const value: Json | undefined = drafted.kind === 'value' ? drafted.value : stored[section];
  const sections: Sections = isRate
    ? { value: { [section]: withKnobs(value ?? [], numbers) } }
    : sectionFrom(section, text);
  const problem = 'problem' in sections ? sections.problem : null;
  const hasNumbers = Object.keys(numbers).length > 0;
  const begin = (): void => {
    setNumbers({});
    setResets((former) => former + 1);
  };
  const apply = (): void => {
    if (!('value' in sections)) return;
    const onSuccess = (): void => {
      setDraft(sectionText(sections.value[section]));
      begin();
    };
    patching.mutate({ value: sections.value, persist: isKept }, { onSuccess });
  };
  return (
    <>
      {isRate ? (
        <RateChangeForm knobs={parameterKnobsOf(value)} values={numbers} onValues={setNumbers} />
      ) : (
        <YamlEditor key={resets} label={`Section ${section} in YAML`} initial={text} onChange={setDraft} />
      )}
      {problem !== null && (
        <Text size="sm" role="status">
          {problem}
        </Text>
      )}
      <Group>
        <Needs to="patchGenerator">
          <Button
            onClick={apply}
            loading={patching.isPending}
            disabled={!isRunning || problem !== null || (isRate && !hasNumbers)}
          >
            Apply
          </Button>
        </Needs>
        <Checkbox
          label="Keep in the file"
          checked={isKept}
          onChange={(event) => keep(event.currentTarget.checked)}
        />
        {(draft !== null || hasNumbers) && (
          <Button
            variant="subtle"
            onClick={() => {
              clearDraft();
              begin();
            }}
          >
            Reset to the file
          </Button>
        )}
      </Group>
      {!isRunning && <Text size="sm">Start the generator to change it while it runs.</Text>}
      {patching.isSuccess && (
        <Alert color="teal" role="status">
          {patching.data}
        </Alert>
      )}
      {patching.isError && <ErrorNote title="Nothing has changed" error={patching.error} />}
    </>
  );
};

const useDraft = (id: string, what: string) =>
  useSessionStorage<string | null>({
    key: `change ${id} ${what}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });

/** Sections to send, or why they cannot be sent. */
type Sections = { readonly value: JsonObject } | { readonly problem: string };

const sectionFrom = (section: ConfigSection, text: string): Sections => {
  const read = parsed(text);
  return read.kind === 'value' ? { value: { [section]: read.value } } : { problem: read.message };
};

const usePatch = (id: string, path: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ value, persist }: { readonly value: JsonObject; readonly persist: boolean }) => {
      await call('patchGenerator', { path: { id }, query: { persist }, body: value });
      client.setQueryData<JsonObject>(patchedKey(id), (former) => ({ ...former, ...value }));
      return persist
        ? `Applied, and saved to ${path}.`
        : 'Applied. It lasts until someone starts the generator again.';
    },
    onSuccess: () => void client.invalidateQueries(),
  });
};

interface RateFormProps {
  readonly knobs: readonly Knob[];
  readonly values: Readonly<Record<string, number>>;
  readonly onValues: (values: Readonly<Record<string, number>>) => void;
}

/** The numbers of the inputs that set the rate. */
const RateChangeForm = ({ knobs, values, onValues }: RateFormProps) => {
  if (knobs.length === 0)
    return <Text size="sm">These inputs have no rate of their own. Change their section.</Text>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
      {knobs.map((knob) => {
        const key = knobKey(knob);
        return (
          <NumberInput
            key={key}
            label={`${RATE_WORDS[knob.key]} (${knob.plugin} ${knob.index + 1})`}
            {...(knob.value === null ? { description: `In the file: ${knob.text}` } : {})}
            min={0}
            thousandSeparator=","
            value={values[key] ?? knob.value ?? ''}
            onChange={(value) => {
              const { [key]: _, ...others } = values;
              onValues(typeof value === 'number' ? { ...others, [key]: value } : others);
            }}
          />
        );
      })}
    </SimpleGrid>
  );
};

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
const YamlEditor = ({ label, initial, onChange }: YamlEditorProps) => {
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
