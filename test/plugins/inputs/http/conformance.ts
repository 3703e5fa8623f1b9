/** It gives timestamps on request only, so nothing is scheduled. */
export const isInteractive = true;
