export const MODES = ['all', 'any', 'chance', 'spin', 'fsm', 'chain'] as const;

export type Mode = (typeof MODES)[number];
