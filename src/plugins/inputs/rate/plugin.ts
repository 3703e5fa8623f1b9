import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { MAX_MICROS, type Micros } from '../../../domain/time/micros.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { InputContext, InputPlugin } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { scheduleRangeOf } from '../shared/range.js';
import { roundAllDown } from '../shared/resolution.js';
import { arrivalsInput } from './arrivals.js';
import { type Blocks, fixedBlocks, measuredBlocks } from './blocks.js';
import { makeBursts } from './bursts.js';
import { readCurve } from './curve.js';
import { constant, levels, type RateShape, ramp, rampEnd, spike } from './shape.js';
import { DEFAULTS, rateSpec } from './spec.js';
import { ofHours, weekly, weekMean } from './week.js';

type Params = ValueOf<typeof rateSpec.fields>;

const MEGA = 1e6;
const GIGA = 1e9;
const SECONDS_PER_DAY = 86_400;

/** The target in events or bytes, and how timestamps fill it. */
const targetOf = (params: Params): { readonly perSecond: number; readonly blocks: Blocks } => {
  const { events_per_second, mb_per_second, gb_per_day, event_bytes } = params;
  if (events_per_second !== null) return { perSecond: events_per_second, blocks: fixedBlocks(1) };
  const perSecond = (mb_per_second ?? 0) * MEGA + ((gb_per_day ?? 0) * GIGA) / SECONDS_PER_DAY;
  return { perSecond, blocks: event_bytes === null ? measuredBlocks() : fixedBlocks(event_bytes) };
};

const shapeOf = async (
  params: Params,
  start: Micros,
  end: Micros,
  context: InputContext,
): Promise<Result<RateShape>> => {
  const { zone } = context;
  switch (params.shape) {
    case 'constant':
      return E.right(constant(1));
    case 'ramp': {
      const { from, to, seconds } = params.ramp ?? DEFAULTS.ramp;
      return E.right(ramp(start, seconds === null ? end : rampEnd(start, seconds), from, to));
    }
    case 'steps':
      return E.right(levels(start, params.steps?.levels ?? [], params.steps?.repeat ?? false));
    case 'spike':
      return E.right(spike(start, params.spike ?? DEFAULTS.spike));
    case 'daily': {
      const { hours, weekdays } = params.daily ?? DEFAULTS.daily;
      const parts = ofHours(hours);
      if (!(weekMean(parts, weekdays) > 0)) {
        return E.left(
          failure('plugin_failed', 'daily: all weights are 0. Give an hour and a weekday a greater one.'),
        );
      }
      return E.right(weekly(parts, weekdays, zone));
    }
    case 'curve':
      return readCurve(generatorFile(context, params.curve?.file ?? ''), context);
  }
};

export const ratePlugin: InputPlugin<typeof rateSpec.fields> = {
  spec: rateSpec,
  build: async (params, context) => {
    const range = scheduleRangeOf(params, context);
    if (E.isLeft(range)) return range;
    const { start } = range.right;
    const end = Math.min(range.right.end, MAX_MICROS);
    const shape = await shapeOf(params, start, end, context);
    if (E.isLeft(shape)) return shape;
    const from = context.skipPast ? Math.max(start, context.now) : start;
    if (from >= end) context.log.write('info', 'the end is in the past: no timestamps');
    const { arrivals } = params;
    const random = context.random.fork('arrivals');
    const bursts = () => makeBursts(params.burst ?? DEFAULTS.burst, context.random.fork('bursts'));
    const input = arrivalsInput({
      shape: shape.right,
      ...targetOf(params),
      bursts: arrivals === 'bursty' ? bursts() : null,
      random: arrivals === 'even' ? null : random,
      from,
      end,
      total: params.total ?? Number.POSITIVE_INFINITY,
    });
    const { resolution } = params;
    return E.right(resolution === null ? input : { ...input, fill: roundAllDown(input.fill, resolution) });
  },
};
