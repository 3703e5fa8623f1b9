/**
 * Reason for aborting a signal that only ends a wait. Without a reason of its own, `abort()` makes a
 * `DOMException` with a stack each time.
 */
export const ENDED = 'ended';
