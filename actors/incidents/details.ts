import * as E from 'fp-ts/lib/Either.js';
import type { IncidentFile } from '../../src/config/incidents/read.js';
import { effectsOf, type Incident, occurrencesOf } from '../../src/domain/incidents/incident.js';
import type { GeneratorListItem } from '../../src/messages/generators.js';
import type { IncidentMemberStatus, IncidentMoment } from '../../src/messages/incidents.js';
import { generatorOf, type MemberGenerators, ownId } from './members.js';

export const timelineOf = (incident: Incident): readonly IncidentMoment[] =>
  occurrencesOf(incident).map(({ phase, number, from, to }) => ({
    phase: phase.name,
    number,
    of: phase.repeat?.times ?? 1,
    from,
    to,
    effects: effectsOf(phase),
  }));

/** The generator of each member now. */
export const memberStates = async (
  { incident, members }: Pick<IncidentFile, 'incident' | 'members'>,
  generators: Pick<MemberGenerators, 'list' | 'shownPath'>,
): Promise<readonly IncidentMemberStatus[]> => {
  const listed = E.getOrElse((): readonly GeneratorListItem[] => [])(await generators.list());
  const none = (): GeneratorListItem | null => null;
  return members.map((member) => {
    const own = listed.find(({ id }) => id === ownId(incident.name, member));
    const played = own ?? E.getOrElse(none)(generatorOf(member, listed, generators.shownPath));
    return {
      name: member.name,
      path: generators.shownPath(member.path),
      generator_id: played?.id ?? null,
      phase: played?.status.phase ?? null,
    };
  });
};
