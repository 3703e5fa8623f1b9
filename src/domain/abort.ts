/** Abort reason of signals that only end a wait: without a reason, `abort()` makes a `DOMException` with a stack. */
export const ENDED = 'ended';
