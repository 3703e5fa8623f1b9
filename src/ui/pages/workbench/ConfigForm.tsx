import { Alert, Box } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { generatorShape } from '../../../plugins/generatorShape.js';
import { localIssues } from '../../forms/issues.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { configOf, textWith } from './configText.js';

interface ConfigFormProps {
  readonly text: string;
  /** The saved text: fields that differ from it are marked. */
  readonly stored: string;
  readonly onChange: (text: string) => void;
}

const NOTHING: JsonObject = {};

/** The config as a form of its declaration. It edits the text of the editor and follows it. */
const ConfigForm = ({ text, stored, onChange }: ConfigFormProps) => {
  const value = useMemo(() => configOf(text), [text]);
  const base = useMemo(() => configOf(stored) ?? NOTHING, [stored]);
  const [isRefused, setRefused] = useState(false);
  // A kind that this page does not know may be a plugin of the service.
  const issues = useMemo(
    () =>
      value === null ? [] : localIssues(generatorShape, value).filter(({ type }) => type !== 'unknown_kind'),
    [value],
  );
  if (value === null) {
    return (
      <Alert color="yellow" m="xs" role="status">
        The text cannot be read as YAML. Mend it in the editor: the fields return then.
      </Alert>
    );
  }
  const change = (next: JsonObject): void => {
    const made = textWith(text, value, next);
    setRefused(made === null);
    if (made !== null) onChange(made);
  };
  return (
    <Box p="sm">
      {isRefused && (
        <Alert color="yellow" mb="sm" role="status">
          This part of the text cannot be changed by the form. Change it in the editor.
        </Alert>
      )}
      <SchemaForm
        shape={generatorShape}
        value={value}
        base={base}
        issues={issues}
        onChange={change}
        isCompact
      />
    </Box>
  );
};

export default ConfigForm;
