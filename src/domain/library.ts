import type { Json } from './json.js';

/** A placeholder of a library generator. */
export interface LibraryParameter {
  readonly name: string;
  readonly default: Json;
  readonly help: string;
}

/** An attack: a value of the scenario global `anomaly`. */
export interface LibraryAnomaly {
  readonly name: string;
  readonly help: string;
}

/** A ready-made generator, as it is listed. */
export interface LibraryItem {
  readonly name: string;
  readonly summary: string;
  /** First part of the name. */
  readonly category: string;
  /** Typical size of an event as written. */
  readonly event_bytes: number;
  /** Templates of its event plugin; 0 for other plugins. */
  readonly templates: number;
  readonly parameters: readonly LibraryParameter[];
  readonly anomalies: readonly LibraryAnomaly[];
  readonly detections: readonly string[];
}

/** A file of a library generator; `path` is relative, with slashes. */
export interface LibraryFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A file as the API shows it. */
export interface LibraryText {
  readonly path: string;
  readonly size_bytes: number;
  /** Text of the file. Null when it is binary, or above the limits of an answer. */
  readonly text: string | null;
}

export const GENERATOR_FILE = 'generator.yml';
export const LIBRARY_FILE = 'library.yml';
export const README_FILE = 'README.md';

/** A copy under another name is a generator of its own, not part of the library. */
export const isInCategory = (name: string, category: string): boolean => name.startsWith(`${category}-`);
