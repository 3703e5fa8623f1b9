import { Alert, Button, Code, Group, Modal, Paper, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Issue } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import type { Tagged } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import type { RowId } from '../api/routes.js';
import { Needs } from '../app/role.js';
import { ErrorNote } from '../parts/notes.js';
import type { FormContext } from './context.js';
import { type FieldDifference, fieldDifferences, maskedValue, withValue } from './document.js';
import { issuesOfProblems } from './issues.js';
import { SchemaForm } from './SchemaForm.js';

interface DocumentFormProps extends Pick<FormContext, 'noteOf' | 'isShown' | 'isExpanded'> {
  readonly shape: AnyShape;
  readonly document: ReturnType<typeof useDocument>;
  readonly defaults?: JsonObject;
  /** The operation that saves the document. */
  readonly savedBy: RowId;
  /** What the declaration finds wrong. */
  readonly check: (value: JsonObject) => readonly Issue[];
}

/** A form of a stored document: it shows the changes before it saves them, and what others changed meanwhile. */
export const DocumentForm = ({ shape, document, defaults, savedBy, check, ...rest }: DocumentFormProps) => {
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
              <Needs to={savedBy}>
                <Button
                  onClick={review.open}
                  loading={saving.isPending}
                  disabled={issues.length > 0 || conflict !== null}
                >
                  Review and save
                </Button>
              </Needs>
            </Group>
          </Group>
        </Paper>
      )}
      <Modal opened={isReviewing} onClose={review.close} title={`Save ${count}?`} size="lg" centered>
        <Differences differences={maskedValue(shape, changes, { base, value })} />
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

const CHECK_PAUSE_MS = 200;

/** Looks at the document as it is typed, at once after a pause. */
const useIssues = ({ document, check }: Pick<DocumentFormProps, 'document' | 'check'>): readonly Issue[] => {
  const { value, changes, saving, isInvalid } = document;
  const isChecked = changes.length > 0 || isInvalid;
  const [settled] = useDebouncedValue(value, CHECK_PAUSE_MS);
  const local = useMemo(() => (isChecked ? check(settled) : []), [settled, check, isChecked]);
  const refused = saving.error instanceof ApiError ? issuesOfProblems(saving.error.problems) : [];
  return [...local, ...refused];
};

const Conflict = ({ document }: Pick<DocumentFormProps, 'document'>) => {
  const { conflict, base, discard, keepMine } = document;
  if (conflict === null) return null;
  return (
    <Alert color="yellow" title="Someone else has changed this" role="alert">
      <Stack gap="sm">
        <Differences differences={fieldDifferences(base, conflict.value)} />
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

/** What a save changes. */
export const Differences = ({ differences }: { readonly differences: readonly FieldDifference[] }) => {
  if (differences.length === 0) return <Text size="sm">Nothing is changed.</Text>;
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Option</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ location, before, after }) => (
            <Table.Tr key={JSON.stringify(location)}>
              <Table.Td>{location.join('.')}</Table.Td>
              <Table.Td>
                <Code className="wrapped">{shown(before)}</Code>
              </Table.Td>
              <Table.Td>
                <Code className="wrapped">{shown(after)}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const shown = (value: Json | undefined): string => (value === undefined ? 'not set' : JSON.stringify(value));

/** A stored document. */
interface StoredDocument extends Tagged<JsonObject> {
  /** What is wrong with it; absent for a valid one. */
  readonly flaw?: string;
  /** What an edit of an invalid one begins with. */
  readonly mended?: JsonObject;
}

interface DocumentOptions {
  readonly queryKey: readonly string[];
  readonly load: () => Promise<StoredDocument>;
  /** Rejects with `ApiError`. */
  readonly save: (value: JsonObject, etag: string) => Promise<void>;
}

/** A document as it is edited. */
interface Draft {
  readonly value: JsonObject;
  /** What it was when the editing began. */
  readonly base: JsonObject;
  readonly etag: string;
}

/** Drafts of pages that are left, until the page is loaded anew. */
const drafts = new Map<string, Draft>();

/** A stored document with a draft. A change by others meets the draft only when its owner says how. */
export const useDocument = ({ queryKey, load, save }: DocumentOptions) => {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const stored = useQuery({ queryKey, queryFn: load });
  const [draft, setDraft] = useState<Draft | null>(() => drafts.get(key) ?? null);
  useEffect(() => {
    if (draft === null) drafts.delete(key);
    else drafts.set(key, draft);
  }, [key, draft]);
  useEffect(() => {
    if (draft === null) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [draft]);

  const theirs = stored.data;
  const base = draft?.base ?? theirs?.value ?? {};
  const value = draft?.value ?? theirs?.mended ?? theirs?.value ?? {};
  const etag = draft?.etag ?? theirs?.etag ?? '';
  const changes = fieldDifferences(base, value);
  const saving = useMutation({
    mutationFn: () => save(value, etag),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey });
      setDraft(null);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'precondition_failed') {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
  return {
    stored,
    base,
    value,
    changes,
    saving,
    isInvalid: theirs?.flaw !== undefined,
    /** The document of others, if it has changed since the draft began. */
    conflict:
      draft !== null && theirs !== undefined && theirs.etag !== draft.etag && !saving.isPending
        ? theirs
        : null,
    onChange: (next: JsonObject) => {
      saving.reset();
      setDraft(fieldDifferences(base, next).length === 0 ? null : { value: next, base, etag });
    },
    discard: () => {
      saving.reset();
      setDraft(null);
    },
    /** Puts the changes of the draft on top of what others have stored. */
    keepMine: () => {
      if (theirs === undefined) return;
      saving.reset();
      setDraft({ value: applied(theirs.value, changes), base: theirs.value, etag: theirs.etag });
    },
  };
};

const applied = (onto: JsonObject, changes: readonly FieldDifference[]): JsonObject =>
  changes.reduce((value, { location, after }) => withValue(value, location, after) as JsonObject, onto);
