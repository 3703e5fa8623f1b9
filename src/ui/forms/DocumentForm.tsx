import { Alert, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { Issue } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { ApiError } from '../api/errors.js';
import { ErrorNote } from '../parts/ErrorNote.js';
import type { FormContext } from './context.js';
import { Differences } from './Differences.js';
import { differences } from './document.js';
import { issuesOfProblems } from './issues.js';
import { masked } from './masked.js';
import { SchemaForm } from './SchemaForm.js';
import type { useDocument } from './useDocument.js';

interface DocumentFormProps extends Pick<FormContext, 'noteOf' | 'isShown' | 'isExpanded'> {
  readonly shape: AnyShape;
  readonly document: ReturnType<typeof useDocument>;
  readonly defaults?: JsonObject;
  /** What the declaration finds wrong. */
  readonly check: (value: JsonObject) => readonly Issue[];
}

const CHECK_PAUSE_MS = 200;

const Conflict = ({ document }: Pick<DocumentFormProps, 'document'>) => {
  const { conflict, base, discard, keepMine } = document;
  if (conflict === null) return null;
  return (
    <Alert color="yellow" title="Someone else has changed this" role="alert">
      <Stack gap="sm">
        <Differences differences={differences(base, conflict.value)} />
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={keepMine}>
            Keep my changes on top of theirs
          </Button>
          <Button variant="default" size="compact-sm" onClick={discard}>
            Take theirs, drop mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};

/** Looks at the document as it is typed, at once after a pause. */
const useIssues = ({ document, check }: Pick<DocumentFormProps, 'document' | 'check'>): readonly Issue[] => {
  const { value, changes, saving, isInvalid } = document;
  const isChecked = changes.length > 0 || isInvalid;
  const [settled] = useDebouncedValue(value, CHECK_PAUSE_MS);
  const local = useMemo(() => (isChecked ? check(settled) : []), [settled, check, isChecked]);
  const refused = saving.error instanceof ApiError ? issuesOfProblems(saving.error.problems) : [];
  return [...local, ...refused];
};

/** A form of a stored document: it shows the changes before it saves them, and what others changed meanwhile. */
export const DocumentForm = ({ shape, document, defaults, check, ...rest }: DocumentFormProps) => {
  const { value, base, changes, saving, conflict, onChange, discard } = document;
  const [isReviewing, review] = useDisclosure(false);
  const [isDropping, dropping] = useState(false);
  const issues = useIssues({ document, check });
  const isRefused = saving.error instanceof ApiError && saving.error.problems.length > 0;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return (
    <Stack gap="md">
      <SchemaForm
        shape={shape}
        value={value}
        base={base}
        issues={issues}
        onChange={onChange}
        {...(defaults === undefined ? {} : { defaults })}
        {...rest}
      />
      {changes.length > 0 && (
        <Paper
          withBorder
          p="sm"
          pos="sticky"
          bottom={8}
          mah="60vh"
          style={{ zIndex: 2, overflowY: 'auto' }}
          shadow="sm"
        >
          <Conflict document={document} />
          {saving.isError && !isRefused && conflict === null && (
            <ErrorNote title="The changes are not saved" error={saving.error} />
          )}
          <Group justify="space-between" mt={saving.isError || conflict !== null ? 'sm' : 0}>
            <Text size="sm" role="status">
              {issues.length === 0 ? count : `${count}; ${issues.length} to mend before saving`}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={() => dropping(true)}>
                Discard
              </Button>
              <Button
                onClick={review.open}
                loading={saving.isPending}
                disabled={issues.length > 0 || conflict !== null}
              >
                Review and save
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      <Modal opened={isReviewing} onClose={review.close} title={`Save ${count}?`} size="lg" centered>
        <Differences differences={masked(shape, changes, { base, value })} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={review.close}>
            Cancel
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              review.close();
              saving.mutate();
            }}
          >
            Save
          </Button>
        </Group>
      </Modal>
      <Modal opened={isDropping} onClose={() => dropping(false)} title={`Discard ${count}?`} centered>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => dropping(false)} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              dropping(false);
              discard();
            }}
          >
            Discard
          </Button>
        </Group>
      </Modal>
    </Stack>
  );
};
