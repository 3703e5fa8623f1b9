import * as E from 'fp-ts/lib/Either.js';
import type { InputPlugin } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { firstAfterSkip, indexedInput } from '../shared/indexed.js';
import { instantsOfList } from './collect.js';
import { instantsOfFile } from './file.js';
import { timestampsSpec } from './spec.js';

export const timestampsPlugin: InputPlugin<typeof timestampsSpec.fields> = {
  spec: timestampsSpec,
  build: async ({ source }, context) => {
    const { zone, now, clock } = context;
    const read =
      source.kind === 'list'
        ? instantsOfList(source.texts, zone)
        : await instantsOfFile(generatorFile(context, source.path), { zone, clock });
    if (E.isLeft(read)) return read;
    const instants = read.right;
    const at = (index: number): number => instants[index] as number;
    const isWanted = (index: number): boolean => at(index) > now;
    const end = instants.length;
    const first = firstAfterSkip({ from: 0, end, isWanted }, context);
    return E.right(indexedInput({ at, first, end, copies: 1 }));
  },
};
