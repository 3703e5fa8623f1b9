import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JsonObject } from '../../domain/json.js';
import type { Tagged } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { type Difference, differences, withValue } from './document.js';

/** A document as it is edited. */
interface Draft {
  readonly value: JsonObject;
  /** What it was when the editing began. */
  readonly base: JsonObject;
  readonly etag: string;
}

/** Drafts of pages that are left, until the page is loaded anew. */
const drafts = new Map<string, Draft>();

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

const applied = (onto: JsonObject, changes: readonly Difference[]): JsonObject =>
  changes.reduce((value, { place, after }) => withValue(value, place, after) as JsonObject, onto);

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
  const changes = differences(base, value);
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
      setDraft(differences(base, next).length === 0 ? null : { value: next, base, etag });
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
