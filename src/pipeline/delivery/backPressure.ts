import type { Output } from '../../plugins/kit.js';

/** Why no write comes before one in flight ends. */
type Cause = 'one at a time' | 'no room' | 'no slot' | 'end';

/** Tells an output that joins writes whether to wait for more. */
export interface BackPressure {
  readonly note: (cause: Cause, holds: boolean) => void;
}

export const makeBackPressure = (tell: Output['onBackPressure']): BackPressure => {
  const causes = new Set<Cause>();
  let told: boolean | null = null;
  return {
    note: (cause, holds) => {
      if (holds) causes.add(cause);
      else causes.delete(cause);
      const isHeldBack = causes.size > 0;
      if (isHeldBack === told) return;
      told = isHeldBack;
      tell?.(isHeldBack);
    },
  };
};
