import type { AnswerOf } from '../../api/routes.js';

export type Example = AnswerOf<'listLibrary'>[number];

const SHOWN = 3;
/** Examples that most people know. */
const KNOWN = ['web-nginx', 'payments-api', 'windows-security'];

/** Three examples, the known ones first. */
export const firstExamples = (items: readonly Example[]): readonly Example[] =>
  items.toSorted((a, b) => Number(KNOWN.includes(b.name)) - Number(KNOWN.includes(a.name))).slice(0, SHOWN);
