/** Most bytes of an incident file. */
export const MAX_INCIDENT_BYTES = 2_097_152;
/** Most characters of an incident file that the API writes. */
export const MAX_INCIDENT_CHARACTERS = 1_000_000;
/** Characters of the seed of a run. */
export const MAX_INCIDENT_SEED = 1_024;
/** How often one run may tell it. */
export const MAX_ROUNDS = 100_000;
