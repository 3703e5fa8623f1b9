import { useMutation } from '@tanstack/react-query';
import type { LearnedLog } from '../../../../learn/report.js';
import { call } from '../../../api/client.js';
import { uploadOf } from './upload.js';

export interface LearnRequest {
  readonly file: File;
  readonly name: string;
  readonly keepsValues: boolean;
}

export interface LearnAnswer {
  readonly learned: LearnedLog;
  /** Only the start of the file was sent. */
  readonly isPart: boolean;
}

/** Learns a generator from a log; stores nothing. */
export const useLearned = () =>
  useMutation({
    mutationFn: async ({ file, name, keepsValues }: LearnRequest): Promise<LearnAnswer> => {
      const { content, isPart } = await uploadOf(file);
      const query = { name, keep_values: keepsValues };
      // The answer is text that the preview has written.
      const learned = (await call('learnGenerator', { query, content })) as unknown as LearnedLog;
      return { learned, isPart };
    },
  });
