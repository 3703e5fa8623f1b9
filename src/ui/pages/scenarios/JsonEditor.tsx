import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../domain/json.js';
import { wordsOf } from '../../parts/tell.js';

interface JsonEditorProps {
  readonly title: string;
  readonly value: Json;
  readonly onSave: (value: Json) => Promise<void>;
  readonly onClose: () => void;
}

/** Edits a value of any type as JSON. */
export const JsonEditor = ({ title, value, onSave, onClose }: JsonEditorProps) => {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const save = (): void => {
    let next: Json;
    try {
      next = JSON.parse(text) as Json;
    } catch (failed) {
      return setError(`This is not JSON: ${failed instanceof Error ? failed.message : ''}`);
    }
    setSaving(true);
    void onSave(next)
      .then(onClose, (failed: unknown) => setError(wordsOf(failed)))
      .finally(() => setSaving(false));
  };
  return (
    <Modal opened onClose={onClose} title={title} size="lg" centered>
      <Stack>
        <Textarea
          label="JSON"
          autosize
          minRows={6}
          maxRows={24}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
          error={error}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} loading={isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
