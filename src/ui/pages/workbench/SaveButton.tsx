import { Button } from '@mantine/core';
import { Save } from 'lucide-react';

interface SaveButtonProps {
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

/** Saves the open file, as Ctrl-S does. */
export const SaveButton = ({ isDirty, isSaving, onSave }: SaveButtonProps) => (
  <Button
    size="compact-sm"
    leftSection={<Save size={14} />}
    onClick={onSave}
    disabled={!isDirty}
    loading={isSaving}
    title="Ctrl-S"
  >
    Save
  </Button>
);
