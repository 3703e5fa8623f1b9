import { emptyBatch } from '../../../domain/events/eventBatch.js';
import { eventCollector } from '../../../domain/events/eventCollector.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { dateTimeAt, UTC_ZONE, zoneValue } from '../../../template/index.js';
import type { EventProducer, Produced, ProduceRequest } from '../../kit.js';
import { problemLog } from '../shared/problemLog.js';
import { templateMemory } from './memory.js';
import { templatePosition } from './position.js';
import { type RendererOptions, type RenderFailure, timestampRenderer } from './timestampRenderer.js';

/** The error in one line, with template and call chain. */
const describe = ({ alias, error }: RenderFailure) => {
  const [reason = ''] = error.message.split('\n');
  const [place, ...outer] = error.places;
  return {
    reason,
    ...(alias === null ? {} : { template_alias: alias }),
    ...(place === undefined ? {} : { source: place.text.trim().slice(0, 200) }),
    ...(outer.length === 0
      ? {}
      : {
          traceback: outer.map(({ template, line, column }) => `${template}:${line}:${column}`).join(' < '),
        }),
  };
};

export const templateProducer = (options: RendererOptions): EventProducer => {
  const { program, context, marker } = options;
  const { moment } = program;
  const { log, clock } = context;
  const zone = zoneValue(context.zone.id) ?? UTC_ZONE;
  const printed = isoFormatter(context.zone);
  const failures = problemLog(log, clock, 'error', 'the template failed; the timestamp got no event');
  const made = eventCollector();
  const { render, emit, restored } = timestampRenderer(options, made);
  let isExhausted = false;

  const produce = (request: ProduceRequest): Produced => {
    if (isExhausted) return { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };
    let [consumed, failed, dropped] = [0, 0, 0];
    for (let index = request.from; index < request.to; index++) {
      if (consumed > 0 && (request.isSpent() || made.isFull())) break;
      const micros = request.micros[index] as number;
      moment.micros = micros;
      let outcome = render(dateTimeAt(micros, zone), request.tagsOf(index));
      if (outcome === 'exhausted') {
        isExhausted = true;
        break;
      }
      if (outcome === 'made') outcome = emit(micros) ?? outcome;
      consumed++;
      if (outcome === 'dropped') dropped++;
      if (typeof outcome === 'object') {
        failed++;
        const failure = outcome;
        failures.report(() => ({ ...describe(failure), timestamp: printed(micros) }));
      }
    }
    return { consumed, events: made.take(), failed, dropped, exhausted: isExhausted };
  };

  return {
    produce,
    close: async () => failures.close(),
    memory: templateMemory(program),
    ...templatePosition(program, marker, restored),
  };
};
