import { Alert, Button, Group, Loader, Stack, Switch, Text } from '@mantine/core';
import { ScanSearch, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ErrorNote } from '../../../parts/notes.js';
import { shownBytes } from '../../../parts/numbers.js';
import { NameField, useTaken } from '../fields.js';
import { LogPicker } from '../LogPicker.js';
import { freeGeneratorName, nameFlaw, nameFromFile } from '../names.js';
import { fileFlaw } from '../sample.js';
import { LogLook } from './Look.js';
import { useLearned } from './learned.js';

/** Characters that are looked at before a file is taken. */
const LOOK_LENGTH = 65_536;

/** A generator that is learned from a log. */
export const Learn = () => {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState('');
  const [flaw, setFlaw] = useState<string | null>(null);
  const take = async (chosen: File): Promise<void> => {
    const start = await chosen
      .slice(0, LOOK_LENGTH)
      .text()
      .catch(() => null);
    // Any size: only the start of a large log is sent.
    const found =
      start === null
        ? 'The file cannot be read. Choose it again.'
        : fileFlaw(Math.min(1, chosen.size), start);
    setFlaw(found);
    if (found === null) setFile(chosen);
  };
  return (
    <Stack>
      <Text size="sm">
        Finds format, fields, values and rate of your log, and makes a generator of new events like them.
        Private values are replaced.
      </Text>
      {file === null ? (
        <LogPicker
          onFile={(chosen) => void take(chosen)}
          flaw={flaw}
          pasted={pasted}
          onPasted={setPasted}
          help="Text in UTF-8. The first 8 MiB are uploaded to learn from, and are not stored."
        />
      ) : (
        <LearnLog file={file} onOther={() => setFile(null)} />
      )}
    </Stack>
  );
};

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
const LearnLog = ({ file, onOther }: LearnLogProps) => {
  const taken = useTaken();
  const learning = useLearned();
  const [typedName, setName] = useState<string | null>(null);
  const [keepsValues, setKeepsValues] = useState(false);
  const name = typedName ?? freeGeneratorName(nameFromFile(file.name), taken);
  const learn = (): void => {
    if (nameFlaw(name, taken) === null) learning.mutate({ file, name, keepsValues });
  };
  // A new request clears the data of the last one.
  if (learning.data !== undefined)
    return <LogLook {...learning.data} name={learning.variables.name} onBack={learning.reset} />;
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
