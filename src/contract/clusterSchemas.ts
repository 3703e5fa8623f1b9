import type { JsonSchema } from '../schema/index.js';
import { amount, count, flag, list, maybe, object, refTo, text, time } from './responses.js';

const phase: JsonSchema = {
  type: 'string',
  enum: ['waiting', 'joining', 'member', 'draining', 'isolated', 'leaving', 'lost'],
  description:
    '`waiting`: takes nothing yet; `isolated`: it has lost the cluster; `lost`: no sign of life for a lease.',
};

/** Schemas of the cluster, by their name under `components.schemas`. */
export const CLUSTER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Cluster: {
    oneOf: [
      { ...object({ enabled: { const: false } }), description: 'The service runs alone.' },
      object({
        enabled: { const: true },
        name: text,
        node: { type: 'string', description: 'The node that answers.' },
        phase,
        is_connected: { ...flag, description: 'The node reaches the NATS servers.' },
        state_age_seconds: {
          ...amount,
          description:
            'Seconds since it last heard of a node, itself included: how old is what it shows of others.',
        },
        lease_seconds: amount,
        nodes: list(refTo('ClusterNode')),
        units: list(refTo('ClusterUnit')),
        counters: {
          ...object({
            takeovers: { ...count, description: 'Leases taken from lost nodes.' },
            last_takeover_ms: amount,
            moves: { ...count, description: 'Units given to other nodes.' },
            isolations: {
              ...count,
              description: 'Times that it lost the cluster for two thirds of a lease.',
            },
            bucket_reads: count,
            bucket_writes: count,
          }),
          description: 'Of this node, since its start.',
        },
      }),
    ],
  },
  ClusterNode: object({
    name: text,
    phase,
    api: { ...maybe(text), description: 'Address of its API; null: it has none.' },
    version: text,
    capacity: { ...amount, description: 'Weight against the other nodes.' },
    labels: { type: 'object', additionalProperties: text },
    generators: { ...count, description: 'Running generators and partitions.' },
    events_per_second: amount,
    cpu: { ...amount, description: 'Used cores.' },
    seen_seconds_ago: { ...amount, description: 'Seconds since its last sign of life.' },
    is_drained: { ...flag, description: 'A person drains it.' },
    refused: {
      ...list(object({ reason: text, units: list(text) })),
      description: 'What it cannot run, and why.',
    },
    problems: { ...list(text), description: 'What is wrong with it, and what to do.' },
  }),
  ClusterUnit: {
    ...object({
      name: text,
      generator_ids: list(text),
      scenarios: list(text),
      node: { ...maybe(text), description: 'Node that holds it; null: none at the moment.' },
      owner: { ...maybe(text), description: 'Node that should hold it; null: none can.' },
      since: { ...maybe(time), description: 'By the clock of its node.' },
      problem: { ...maybe(text), description: 'Why no node holds it; null: one does.' },
    }),
    description: 'What moves as a whole: scenarios with their members, one generator, or one partition.',
  },
};
