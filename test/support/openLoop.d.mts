/** Types of `openLoop.mjs`; its descriptions stand there. */
export interface LoadRequest {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly onAnswer?: (answer: LoadAnswer) => string | undefined;
  readonly onFailure?: () => void;
}

export interface LoadAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export interface Figures {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export declare const figures: (latencies: readonly number[]) => Figures;

export declare const openLoop: (options: {
  readonly port: number;
  readonly connections: number;
  readonly per_second: number;
  readonly seconds: number;
  readonly next: (index: number) => LoadRequest;
  readonly warmUp: Pick<LoadRequest, 'method' | 'path'>;
}) => Promise<{
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  readonly lags: readonly number[];
  readonly errors: readonly string[];
  readonly opened: number;
}>;
