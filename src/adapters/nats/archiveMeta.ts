import { createHash } from 'node:crypto';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import type { ArchiveInfo } from '../../ports/cluster.js';
import type { Cell } from './cells.js';

/** What the object store of NATS keeps of an object; its tools read it. */
export interface ArchiveMeta {
  readonly info: ArchiveInfo;
  /** Last token of the subject of the content. */
  readonly content: string;
  readonly chunks: number;
  readonly size: number;
  /** As the object store writes it. */
  readonly sha256: string;
}

export const sha256Of = (content: Uint8Array): string => {
  const digest = createHash('sha256').update(content).digest('base64');
  return `SHA-256=${digest.replaceAll('+', '-').replaceAll('/', '_')}`;
};

/** A name as a token of a subject: base64 with `-`, `_` and padding. */
export const nameToken = (name: string): string => {
  const text = Buffer.from(name, 'utf8').toString('base64');
  return text.replaceAll('+', '-').replaceAll('/', '_');
};

export const nameOfToken = (token: string): string => Buffer.from(token, 'base64url').toString('utf8');

interface NewMeta extends Omit<ArchiveMeta, 'info'> {
  readonly bucket: string;
  readonly name: string;
  readonly digest: string;
  readonly isDeleted: boolean;
}

export const writtenMeta = (meta: NewMeta, at: Date): Buffer =>
  Buffer.from(
    JSON.stringify({
      name: meta.name,
      bucket: meta.bucket,
      nuid: meta.content,
      size: meta.size,
      chunks: meta.chunks,
      digest: meta.sha256,
      deleted: meta.isDeleted,
      metadata: { digest: meta.digest },
      mtime: at.toISOString(),
    }),
    'utf8',
  );

/** Returns null when the archive was removed, or when the cell is not an archive. */
export const metaOf = ({ data, revision, isMarker }: Cell): ArchiveMeta | null => {
  if (isMarker) return null;
  const read = parsedJson(Buffer.from(data).toString('utf8'));
  if (!isJsonObject(read) || read['deleted'] === true) return null;
  const { name, nuid, size, chunks, digest, metadata } = read;
  if (typeof name !== 'string' || typeof nuid !== 'string' || typeof digest !== 'string') return null;
  if (typeof size !== 'number' || typeof chunks !== 'number') return null;
  const given = isJsonObject(metadata) ? metadata['digest'] : undefined;
  return {
    // The tools of NATS write objects without our digest.
    info: { name, digest: typeof given === 'string' ? given : digest, revision },
    content: nuid,
    chunks,
    size,
    sha256: digest,
  };
};
