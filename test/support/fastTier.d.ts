export const ROOMS: readonly string[];
export const STARTS: readonly string[];
export const SLOW: readonly string[];
export const fastTierIgnores: () => readonly string[];
export const isFast: (path: string) => boolean;
