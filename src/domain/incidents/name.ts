import { checkGeneratorId, type NameFlaw } from '../identifiers.js';

/** Leaves room for the name of a member behind it. */
export const MAX_INCIDENT_NAME = 60;

/** Name of an incident, part of file names and ids: as that of a generator, at most 60 characters. */
export const checkIncidentName = (name: string): NameFlaw | null =>
  name.length > MAX_INCIDENT_NAME
    ? { type: 'too_long', message: `must not be longer than ${MAX_INCIDENT_NAME} characters` }
    : checkGeneratorId(name);
