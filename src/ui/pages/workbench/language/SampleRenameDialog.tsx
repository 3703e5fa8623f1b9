import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../../parts/notes.js';
import { counted } from '../../../parts/numbers.js';
import { languageOf } from '../paths.js';
import type { StoredFile } from '../storedFile.js';
import type { FileDrafts } from '../useDrafts.js';
import { declaredIn } from './declared.js';
import type { Directory } from './namesSource.js';
import { type RenamedFile, renamedSample, sampleNameProblem } from './rename.js';

interface RenameProps {
  readonly sample: string;
  readonly directory: Directory;
  readonly drafts: FileDrafts;
  readonly stored: (path: string) => Promise<StoredFile>;
  readonly onClose: () => void;
}

const sumOf = (files: readonly { readonly places: number }[]): number =>
  files.reduce((sum, { places }) => sum + places, 0);

const FileList = ({ files }: { readonly files: readonly RenamedFile[] }) => (
  <ul className="renamed-files" aria-label="Files that change">
    {files.map(({ path, places }) => (
      <li key={path}>
        <code>{path}</code>{' '}
        <Text span c="dimmed" size="sm">
          {counted(places, 'place')}
        </Text>
      </li>
    ))}
  </ul>
);

/** Renames a sample in the config and all templates of the directory; the changes are not saved yet. */
export default function SampleRenameDialog({ sample, directory, drafts, stored, onClose }: RenameProps) {
  const [name, setName] = useState(sample);
  const { configPath, paths, read } = directory;
  const texts = useQuery({
    queryKey: ['renamed', configPath, sample],
    queryFn: async () => {
      const own = paths.filter((path) => path === configPath || languageOf(path) === 'jinja');
      const found = await Promise.all(own.map(async (path) => [path, await read(path)] as const));
      return new Map(found.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
    },
    gcTime: 0,
  });
  if (texts.isPending) return null;
  const known = texts.data ?? new Map<string, string>();
  const declared = declaredIn(known.get(configPath) ?? '', configPath);
  const problem = declared === null ? null : sampleNameProblem(declared, sample, name);
  // With a name that cannot be, the places are those of the old one.
  const renaming = renamedSample(
    known,
    configPath,
    sample,
    problem === null && name !== sample ? name : `${sample}_`,
  );

  const rename = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (renaming === null || problem !== null || name === sample) return;
    for (const { path, text } of renaming.files) {
      const draft = drafts.byPath.get(path);
      const file = await stored(path);
      const start = draft ?? { base: file.text ?? '', etag: file.etag };
      drafts.set(path, { text, base: start.base, etag: start.etag, at: Date.now() });
    }
    onClose();
    const { files } = renaming;
    notifications.show({
      message: `${sample} is ${name} at ${counted(sumOf(files), 'place')} in ${counted(files.length, 'file')}. Save each file to keep it.`,
      autoClose: 10_000,
    });
  };

  return (
    <Modal opened onClose={onClose} title={`Rename the sample ${sample}`}>
      {texts.error !== null && <ErrorNote title="The files cannot be read" error={texts.error} />}
      {renaming === null ? (
        <Alert color="red">
          The config cannot be read, or writes {sample} in a way that is not understood. Repair it, or rename
          the sample by hand.
        </Alert>
      ) : (
        <form onSubmit={(event) => void rename(event)}>
          <Stack>
            <TextInput
              label="New name"
              value={name}
              error={problem}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <div>
              <Text size="sm">
                Changes {counted(sumOf(renaming.files), 'place')} in {counted(renaming.files.length, 'file')}:
              </Text>
              <FileList files={renaming.files} />
            </div>
            {renaming.computed.length > 0 && (
              <Alert color="yellow" p="xs">
                {renaming.computed.map(({ path }) => path).join(', ')}: templates choose a sample by a
                computed name at {counted(sumOf(renaming.computed), 'place')}. Check whether they mean this
                one.
              </Alert>
            )}
            <Text size="sm" c="dimmed">
              Nothing is saved yet: look at the files, then save each.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={name === sample || problem !== null}>
                Rename
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
