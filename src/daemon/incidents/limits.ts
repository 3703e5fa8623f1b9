/** Of an incident file. */
export const MAX_INCIDENT_BYTES = 2_097_152;
