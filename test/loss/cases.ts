import type { LossCase } from './peer.js';
import { brokers } from './peers/brokers.js';
import { databases } from './peers/databases.js';
import { logs } from './peers/logs.js';
import { streams } from './peers/streams.js';

export const CASES: readonly LossCase[] = [...streams, ...databases, ...brokers, ...logs];
