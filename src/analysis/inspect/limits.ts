/** Limits of one inspection; the report names those that were hit. */
export interface InspectLimits {
  /** Fields and the objects above them. */
  readonly max_fields: number;
  readonly max_depth: number;
  /** Distinct values that are counted one by one, per field. */
  readonly max_values: number;
  /** Characters of all counted values, 64 for each besides its own: at most 64 MB. */
  readonly max_value_chars: number;
  /** Longer values and names are cut; a hash keeps them apart. */
  readonly max_shown_chars: number;
  /** Distinct events that are counted exactly. */
  readonly max_distinct_events: number;
  /** Bytes that gzip compresses. */
  readonly max_gzip_bytes: number;
  /** Characters of an event of text that are searched for `key=value`. */
  readonly max_pair_chars: number;
  /** Characters of a JSON event that are read; a longer event has no fields. */
  readonly max_json_chars: number;
}

export const INSPECT_LIMITS: InspectLimits = {
  max_fields: 1_000,
  max_depth: 32,
  max_values: 10_000,
  max_value_chars: 32 * 1024 * 1024,
  max_shown_chars: 120,
  max_distinct_events: 200_000,
  max_gzip_bytes: 64 * 1024 * 1024,
  max_pair_chars: 64 * 1024,
  max_json_chars: 16 * 1024 * 1024,
};

/** Values listed per field. */
export const TOP_VALUES = 10;
