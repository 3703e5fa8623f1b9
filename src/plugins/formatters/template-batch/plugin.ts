import * as E from 'fp-ts/lib/Either.js';
import { emptyBatch, textBatch } from '../../../domain/events/eventBatch.js';
import type { TemplateLimits } from '../../../domain/generator.js';
import type { Template, Value } from '../../../template/index.js';
import type { Formatter, FormatterContext, FormatterPlugin } from '../../kit.js';
import { compiledTemplate } from '../template/plugin.js';
import { type templateBatchFields, templateBatchSpec } from './spec.js';

/**
 * A batch of any size must fit into `events`. The step limit still bounds the work: each element of a list takes a
 * step.
 */
const limitsOf = ({ templates: { limits } }: FormatterContext): TemplateLimits => ({
  ...limits,
  collection_items: Math.max(limits.collection_items, limits.loop_steps),
});

const templateBatchFormatter = ({ render }: Template): Formatter => ({
  joins: true,
  format: (events) => {
    if (events.count === 0) return { batch: emptyBatch, eventsPerItem: 0, failures: [] };
    const texts = events.texts();
    // A copy: templates can change lists, and other outputs share the texts.
    const item = render({ variables: new Map<string, Value>([['events', texts.slice()]]) });
    if (E.isRight(item)) return { batch: textBatch([item.right]), eventsPerItem: texts.length, failures: [] };
    const reason = item.left.message;
    const failures = texts.map((event) => ({ event, reason }));
    return { batch: emptyBatch, eventsPerItem: 0, failures, failedTogether: true };
  },
});

export const templateBatchPlugin: FormatterPlugin<typeof templateBatchFields> = {
  spec: templateBatchSpec,
  build: async (params, context) =>
    E.map(templateBatchFormatter)(
      compiledTemplate(templateBatchSpec.name, params, context, limitsOf(context)),
    ),
};
