import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.js';

/** Larger files are not opened in the editor. */
export const MAX_EDITED_BYTES = 2_097_152;

export interface StoredFile {
  /** Content of the file. Null when it is not text, or too large for the editor. */
  readonly text: string | null;
  readonly etag: string;
  readonly size: number;
}

export const fileKey = (directory: string, path: string): readonly string[] => ['file', directory, path];

/** Reads a file; the content of one that the editor does not open is not loaded. */
export const readStored = async (name: string, filepath: string): Promise<StoredFile> => {
  const response = await ask('readGeneratorFile', { path: { name, filepath } });
  const { headers } = response;
  const size = Number(headers.get('Content-Length'));
  const isText = headers.get('Content-Type')?.startsWith('text/') && size <= MAX_EDITED_BYTES;
  if (!isText) void response.body?.cancel();
  return { text: isText ? await response.text() : null, etag: headers.get('ETag') ?? '', size };
};

/** A file as it is stored. */
export const useFile = (directory: string, path: string | null): UseQueryResult<StoredFile> =>
  useQuery({
    queryKey: fileKey(directory, path ?? ''),
    queryFn: () => readStored(directory, path ?? ''),
    enabled: path !== null,
  });
