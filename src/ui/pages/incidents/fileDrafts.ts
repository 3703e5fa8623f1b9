import { writeDraft } from '../workbench/drafts.js';

/** Where drafts of incident files are stored; no directory of a generator has this name. */
export const DRAFTS = 'incidents:';

export const fileOf = (name: string): string => `${name}.yml`;

/** Forgets what was typed into a file that is deleted. */
export const dropDraft = (name: string): void => {
  writeDraft(localStorage, DRAFTS, fileOf(name), null);
};
