import { Alert, Button, Group, Loader, Stack, Switch, Text } from '@mantine/core';
import { ScanSearch, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ErrorNote } from '../../../parts/ErrorNote.js';
import { shownBytes } from '../../../parts/numbers.js';
import { NameField } from '../NameField.js';
import { freeName, nameFlaw, nameFromFile } from '../names.js';
import { useTaken } from '../useTaken.js';
import { Look } from './Look.js';
import { useLearned } from './useLearned.js';

interface LearnLogProps {
  readonly file: File;
  readonly onOther: () => void;
}

const KeepValues = ({
  keepsValues,
  onChange,
}: {
  readonly keepsValues: boolean;
  readonly onChange: (keepsValues: boolean) => void;
}) => (
  <Stack gap="xs">
    <Switch
      label="Keep private values"
      description="Addresses, names, tokens and long numbers stay as they are in the log."
      checked={keepsValues}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {keepsValues && (
      <Alert color="orange" icon={<TriangleAlert size={18} />} title="Private values will be in the files">
        Whoever reads the generator or its events sees them. Keep them only for a generator that you do not
        share.
      </Alert>
    )}
  </Stack>
);

/** Takes the options for a log, learns from it, and shows what was learned. */
export const LearnLog = ({ file, onOther }: LearnLogProps) => {
  const taken = useTaken();
  const learning = useLearned();
  const [typedName, setName] = useState<string | null>(null);
  const [keepsValues, setKeepsValues] = useState(false);
  const name = typedName ?? freeName(nameFromFile(file.name), taken);
  const learn = (): void => {
    if (nameFlaw(name, taken) === null) learning.mutate({ file, name, keepsValues });
  };
  // A new request clears the data of the last one.
  if (learning.data !== undefined)
    return <Look {...learning.data} name={learning.variables.name} onBack={learning.reset} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600} className="wrapped">
          {file.name} ({shownBytes(file.size)})
        </Text>
        <Button variant="default" size="compact-sm" onClick={onOther} disabled={learning.isPending}>
          Choose another log
        </Button>
      </Group>
      <NameField name={name} taken={taken} onName={setName} isStrict isDone={learning.isPending} />
      <KeepValues keepsValues={keepsValues} onChange={setKeepsValues} />
      {learning.error !== null && <ErrorNote title="The log cannot be learned" error={learning.error} />}
      {learning.isPending ? (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">
            Learning, and comparing generated events with the log. A large log takes a minute.
          </Text>
        </Group>
      ) : (
        <Group>
          <Button leftSection={<ScanSearch size={16} />} onClick={learn}>
            Learn
          </Button>
        </Group>
      )}
    </Stack>
  );
};
