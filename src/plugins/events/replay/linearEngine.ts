import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 finish a search in linear time once it has gone back 50,000 times. It does so for patterns that `isLinear` and
 * that are compiled after this call; others it searches as usual.
 */
export const useLinearEngine = (): void =>
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
