import type { EventBatch } from '../../../../src/domain/events/eventBatch.js';
import { payloadsOf } from '../../../../src/plugins/outputs/shared/batchBytes.js';

/** Items of a batch as outputs send them. */
export const itemsOf = (batch: EventBatch): readonly Buffer[] => {
  const payloadOf = payloadsOf(batch);
  return Array.from({ length: batch.count }, (_, item) => Buffer.from(payloadOf(item)));
};
