import { failure, type SpateError } from '../../domain/errors.js';
import type { GeneratorListItem, GeneratorStatus } from '../../messages/generators.js';

/** Status of a generator that no node runs at the moment, or whose node does not answer. */
export const absentStatus = (reason: string): GeneratorStatus => ({
  is_initializing: false,
  is_running: false,
  is_ended_up: false,
  is_ended_up_successfully: false,
  is_stopping: false,
  phase: 'idle',
  reason,
  error_code: null,
  restarts: 0,
  health: 'failing',
  health_reason: reason,
  remedy: 'Look at the nodes with spate cluster status.',
});

/** Status of a generator in quarantine, wherever it is held. */
export const quarantinedStatus = (status: GeneratorStatus, reason: string): GeneratorStatus => ({
  ...status,
  phase: 'failed',
  is_ended_up: true,
  is_ended_up_successfully: false,
  reason,
  error_code: 'host_crashed',
  health: 'failing',
  health_reason: reason,
  remedy: 'Correct it, then start it: a start ends the quarantine.',
});

export const absentItem = (
  known: Pick<GeneratorListItem, 'id' | 'path' | 'scenarios'>,
  reason: string,
  node: string | null,
): GeneratorListItem => ({ ...known, status: absentStatus(reason), start_time: null, node });

export const noNode = (what: string, reason: string): SpateError =>
  failure('unavailable', `${what}: ${reason}`);
