import type { Phase } from './incident.js';

export interface Effect {
  readonly member: string;
  /** Continues a sentence that begins with the member. */
  readonly effect: string;
}

/** What a phase does to members, in words. */
export const effectsOf = ({ members, stopped }: Phase): readonly Effect[] => [
  ...Object.entries(members).flatMap(([member, { events, input, rate_factor, output }]) =>
    [
      ...(events > 0 ? [`${events.toLocaleString('en-US')} events`] : []),
      ...input.map((one) => `events by ${Object.keys(one).join()}`),
      ...(rate_factor === 1 ? [] : [`at ${rate_factor} times its rate`]),
      ...(output === null ? [] : ['writes elsewhere']),
    ].map((effect): Effect => ({ member, effect })),
  ),
  ...stopped.map((member): Effect => ({ member, effect: 'is silent' })),
];
