import { MAX_LEARNED_BYTES } from '../../../../contract/body.js';

const LINE_FEED = 0x0a;

/** What is sent of a log; `isPart`: the file is larger. */
export interface LearnUpload {
  readonly content: Blob;
  readonly isPart: boolean;
}

/** The start of a log, up to its last whole line. */
export const uploadOf = async (file: Blob, limit_bytes = MAX_LEARNED_BYTES): Promise<LearnUpload> => {
  if (file.size <= limit_bytes) return { content: file, isPart: false };
  const start = new Uint8Array(await file.slice(0, limit_bytes).arrayBuffer());
  const end = start.lastIndexOf(LINE_FEED) + 1;
  return { content: file.slice(0, end > 0 ? end : limit_bytes), isPart: true };
};
