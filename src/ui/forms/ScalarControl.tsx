import { Button, Group, PasswordInput, Select, Switch, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../domain/json.js';
import { SECRET_MASK } from '../../schema/index.js';
import { shownCount } from '../parts/numbers.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, isField } from './control.js';
import { errorAt } from './issues.js';
import { LineOrLines } from './LineOrLines.js';
import {
  jsonOrText,
  looseOf,
  looseText,
  numberOrText,
  plainFieldText,
  shownJson,
  shownValue,
} from './texts.js';

interface ScalarProps extends ControlProps {
  readonly control: Control;
}

const WIDTH = 480;
/** Numbers from here on are also shown with separators. */
const LARGE = 100_000;

/** What an emptied input means: no value, or an empty text where one is required. */
const emptied = (shape: ControlProps['shape']): Json | undefined =>
  isField(shape) && shape.presence !== 'required' ? undefined : '';

const placeholderOf = ({ shape, value, fallback }: ControlProps): string => {
  if (value === null) return 'none';
  return isField(shape) && shape.presence === 'required' ? '' : shownValue(fallback);
};

/** A text whose spelling stays while it has the focus. */
const TypedInput = (props: ScalarProps) => {
  const { location, shape, value, label, control } = props;
  const { issues, onChange } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const read =
    control.kind === 'number' ? numberOrText : control.kind === 'loose' ? looseOf : (text: string) => text;
  const shown =
    control.kind === 'loose' && value !== undefined && value !== null
      ? looseText(value)
      : plainFieldText(value);
  const given = value === undefined ? props.fallback : value;
  return (
    <Group gap="xs" align="flex-start">
      <LineOrLines
        label={label}
        flex={1}
        maw={control.kind === 'number' ? WIDTH / 2 : WIDTH}
        value={typed ?? shown}
        placeholder={placeholderOf(props)}
        inputMode={control.kind === 'number' ? 'decimal' : 'text'}
        onValue={(text) => {
          setTyped(text);
          onChange(location, text === '' ? emptied(shape) : read(text));
        }}
        onLeave={() => setTyped(null)}
        error={errorAt(issues, location)}
      />
      {typeof given === 'number' && given >= LARGE && (
        <Text size="sm" mt={8}>
          {shownCount(given)}
        </Text>
      )}
      {isField(shape) && shape.presence === 'optional' && props.fallback !== null && value !== null && (
        <Button variant="default" onClick={() => onChange(location, null)} aria-label={`None: ${label}`}>
          None
        </Button>
      )}
    </Group>
  );
};

/** A stored secret shows as stored, never as its mask. */
const SecretInput = (props: ScalarProps) => {
  const { location, shape, value, label } = props;
  const { issues, onChange } = useForm();
  const isStored = value === SECRET_MASK;
  return (
    <Group gap="xs" align="flex-start">
      <PasswordInput
        aria-label={label}
        flex={1}
        maw={WIDTH}
        autoComplete="new-password"
        value={isStored ? '' : plainFieldText(value)}
        placeholder={isStored ? 'stored; type to replace it' : placeholderOf(props)}
        onChange={(event) => onChange(location, event.currentTarget.value || emptied(shape))}
        error={errorAt(issues, location)}
      />
      {isStored && (
        <Button
          variant="default"
          onClick={() => onChange(location, emptied(shape))}
          aria-label={`Remove ${label}`}
        >
          Remove
        </Button>
      )}
    </Group>
  );
};

const UNSET = '';

const ChoiceInput = (props: ScalarProps & { readonly names: readonly string[] }) => {
  const { location, shape, value, label, fallback, names } = props;
  const { issues, onChange } = useForm();
  const isFree = isField(shape) && shape.presence !== 'required';
  const known = typeof value === 'string' && !names.includes(value) ? [...names, value] : names;
  const data = [
    ...(isFree ? [{ value: UNSET, label: `default: ${shownValue(fallback)}` }] : []),
    ...known.map((name) => ({ value: name, label: name })),
  ];
  return (
    <Select
      aria-label={label}
      maw={WIDTH}
      data={data}
      value={plainFieldText(value)}
      onChange={(next) => onChange(location, next === UNSET || next === null ? emptied(shape) : next)}
      searchable={names.length > 8}
      allowDeselect={false}
      error={errorAt(issues, location)}
    />
  );
};

const SwitchInput = ({ location, shape, value, label, fallback }: ScalarProps) => {
  const { issues, onChange } = useForm();
  // Without a default, "not given" differs from false.
  if (isField(shape) && shape.presence === 'optional') {
    const names = { '': 'not set', true: 'true', false: 'false' } as const;
    return (
      <Select
        aria-label={label}
        maw={WIDTH / 2}
        data={Object.entries(names).map(([key, text]) => ({ value: key, label: text }))}
        value={typeof value === 'boolean' ? String(value) : ''}
        onChange={(next) => onChange(location, next === '' || next === null ? undefined : next === 'true')}
        allowDeselect={false}
        error={errorAt(issues, location)}
      />
    );
  }
  return (
    <Switch
      aria-label={label}
      checked={typeof value === 'boolean' ? value : fallback === true}
      onChange={(event) => onChange(location, event.currentTarget.checked)}
      error={errorAt(issues, location)}
    />
  );
};

export const ScalarControl = (props: ScalarProps) => {
  const { control, shape } = props;
  if (isField(shape) && shape.secret === true && control.kind !== 'json') return <SecretInput {...props} />;
  switch (control.kind) {
    case 'switch':
      return <SwitchInput {...props} />;
    case 'choice':
      return <ChoiceInput {...props} names={control.names} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return <TypedInput {...props} />;
  }
};

/** Free JSON. A text that is not JSON is stored as text, for the declaration to judge. */
const JsonControl = ({ location, shape, value, fallback, label }: ControlProps) => {
  const { issues, onChange } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string): void => {
    setTyped(text);
    const unset = isField(shape) && shape.presence !== 'required' ? undefined : null;
    onChange(location, text.trim() === '' ? unset : jsonOrText(text));
  };
  return (
    <Textarea
      aria-label={label}
      maw={640}
      autosize
      minRows={1}
      maxRows={16}
      value={typed ?? shownJson(value)}
      placeholder={fallback === null ? 'JSON' : JSON.stringify(fallback)}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setTyped(null)}
      error={errorAt(issues, location)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
    />
  );
};
