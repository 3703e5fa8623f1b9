import type { IncidentMemberStatus } from '../../../messages/incidents.js';

/** True for a generator that the incident has made for a member. */
export const isOwn = (
  incident: string,
  { name, generator_id }: Pick<IncidentMemberStatus, 'name' | 'generator_id'>,
): boolean => generator_id === `${incident}.${name.replaceAll(' ', '-')}`;
