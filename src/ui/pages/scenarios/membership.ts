import type { AnswerOf } from '../../api/routes.js';

type Entry = Pick<AnswerOf<'listStartupEntries'>[number], 'id' | 'scenarios'>;
type Generator = Pick<AnswerOf<'listGenerators'>[number], 'id' | 'scenarios'>;

export interface Member {
  readonly id: string;
  /** The startup list names it as a member. */
  readonly isListed: boolean;
  /** What its next start changes. */
  readonly atNextStart: 'joins' | 'leaves' | null;
  /** It can write the globals: the scenario is its first. */
  readonly isHome: boolean;
}

interface Known {
  readonly entries: readonly Entry[];
  readonly generators: readonly Generator[];
  readonly isUp: (id: string) => boolean;
}

export const membersOf = (
  name: string,
  ids: readonly string[],
  { entries, generators, isUp }: Known,
): readonly Member[] =>
  ids.map((id) => {
    const listed = entries.find((entry) => entry.id === id)?.scenarios ?? [];
    const joined = generators.find((generator) => generator.id === id)?.scenarios ?? [];
    const isListed = listed.includes(name);
    const isJoined = joined.includes(name);
    const change = isListed ? 'joins' : 'leaves';
    return {
      id,
      isListed,
      atNextStart: isUp(id) && isListed !== isJoined ? change : null,
      isHome: (isListed ? listed : joined)[0] === name,
    };
  });
