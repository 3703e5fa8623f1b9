import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import { beginScope, endScope, type Template, type Value } from '../../../template/index.js';
import type { FormatFailure, Formatter, FormatterPlugin } from '../../kit.js';
import { compiledTemplate } from '../shared/compiledTemplate.js';
import { type templateFields, templateSpec } from './spec.js';

const templateFormatter = ({ render }: Template): Formatter => {
  // Shared by all renders: templates cannot write to it.
  const variables = new Map<string, Value>();
  const names = { variables };
  return {
    joins: false,
    format: (events) => {
      const items: string[] = [];
      const failures: FormatFailure[] = [];
      beginScope();
      for (const event of events.texts()) {
        variables.set('event', event);
        const item = render(names);
        if (E.isRight(item)) items.push(item.right);
        else failures.push({ event, reason: item.left.message });
      }
      endScope();
      return { batch: textBatch(items), eventsPerItem: 1, failures };
    },
  };
};

export const templatePlugin: FormatterPlugin<typeof templateFields> = {
  spec: templateSpec,
  build: async (params, context) =>
    E.map(templateFormatter)(compiledTemplate(templateSpec.name, params, context)),
};
