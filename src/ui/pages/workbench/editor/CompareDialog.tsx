import { Button, Group, Modal, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Conflict, SaveRequest } from '../storedFile.js';

const CompareView = lazy(() => import('./CompareView.js'));

interface DiffersProps {
  readonly path: string;
  readonly stored: string;
  readonly text: string;
  readonly onClose: () => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/** What a save would change. */
export const DiffersDialog = ({ path, stored, text, onClose, onSave, onDiscard }: DiffersProps) => (
  <Modal opened onClose={onClose} title={`Unsaved changes of ${path}`} size="min(60rem, 95vw)">
    <Suspense>
      <CompareView path={path} before={stored} after={text} />
    </Suspense>
    <Group justify="space-between" mt="md">
      <Button color="red" variant="light" onClick={onDiscard}>
        Discard changes
      </Button>
      <Group>
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Button onClick={onSave}>Save</Button>
      </Group>
    </Group>
  </Modal>
);

interface ConflictProps {
  readonly conflict: Conflict;
  readonly isSaving: boolean;
  readonly onSave: (request: SaveRequest) => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
}

/** Two people changed one file: takes one text, or joins both. */
export const ConflictDialog = ({ conflict, isSaving, onSave, onTakeTheirs, onClose }: ConflictProps) => {
  const { path, mine, theirs, etag } = conflict;
  const [text, setText] = useState(mine);
  return (
    <Modal opened onClose={onClose} title={`Someone else changed ${path}`} size="min(60rem, 95vw)">
      <Text size="sm" mb="sm">
        Your text is below. Red lines are in the saved file, green lines are yours. Reject a change to take
        the lines of the saved file.
      </Text>
      <Suspense>
        <CompareView path={path} before={theirs} after={mine} onChange={setText} />
      </Suspense>
      <Group justify="space-between" mt="md">
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Group>
          <Button variant="default" onClick={onClose}>
            Decide later
          </Button>
          <Button onClick={() => onSave({ path, text, base: theirs, etag })} loading={isSaving}>
            {text === mine ? 'Keep mine' : 'Save this text'}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
};
