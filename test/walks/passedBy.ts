export const PASSED_BY: Readonly<Record<string, readonly string[]>> = {};
