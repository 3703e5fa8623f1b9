import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 finish a search in linear time after 50,000 backtracks, for `isLinear` patterns compiled after this call.
 */
export const useLinearEngine = (): void =>
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
