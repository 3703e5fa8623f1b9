import { basename } from 'node:path';

/** What replaces `{generator}`: the name of its folder. */
export const generatorName = ({ directory }: { readonly directory: string }): string => basename(directory);
