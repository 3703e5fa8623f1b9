export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

export function selfTimes(profiles: readonly Profile[]): {
  readonly busy_seconds: number;
  readonly top: readonly (readonly [share: number, name: string])[];
};
