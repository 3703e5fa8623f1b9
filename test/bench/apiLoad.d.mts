/** Types of `apiLoad.mjs`; its descriptions stand there. */
import type { Figures } from '../support/openLoop.mjs';

export declare const LOAD_INSTANCE: {
  readonly startup: string;
  readonly generators: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
};

export interface LoadReport {
  readonly connections: { readonly asked_for: number; readonly opened: number };
  readonly requests: number;
  readonly events_per_second: { readonly script: number; readonly replay: number };
  readonly sent_late_ms: Figures;
  readonly reads_ms: Figures;
  readonly writes_ms: Figures;
  readonly previews_ms: Figures;
  readonly kinds_ms: Readonly<Record<string, Figures>>;
  readonly problems: readonly string[];
}

export declare const apiLoad: (options: {
  readonly folder: string;
  readonly port: number;
  readonly connections: number;
  readonly per_second: number;
  readonly seconds: number;
  readonly seed: number;
  readonly stop: () => Promise<void>;
}) => Promise<LoadReport>;
