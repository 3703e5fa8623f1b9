import { createHash } from 'node:crypto';

/** Strong entity tag of a text: 27 characters of its SHA-256 digest. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** Whether `If-Match` allows a change of the version with this strong entity tag (RFC 9110 13.1.1); weak tags never match. */
export const allowsChange = (if_match: string | null, etag: string): boolean => {
  if (if_match === null || if_match.trim() === '*') return true;
  return if_match.split(',').some((tag) => tag.trim() === etag);
};
