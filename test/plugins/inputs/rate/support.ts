import { ratePlugin } from '../../../../src/plugins/inputs/rate/plugin.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { buildInput } from '../../../support/pipelines/inputs.js';

/** A rate input; a problem throws. */
export const rate = async (params: object, more: Parameters<typeof buildInput>[2] = {}): Promise<Input> => {
  const built = await buildInput(ratePlugin, params, more);
  if (typeof built === 'string') throw new Error(built);
  return built;
};

/** Problem of the parameters. */
export const problemOf = async (
  params: unknown,
  more: Parameters<typeof buildInput>[2] = {},
): Promise<string> => {
  const built = await buildInput(ratePlugin, params, more);
  return typeof built === 'string' ? built : '';
};

/** Up to `most` timestamps, without conversion. */
export const microsOf = (input: Input, most = Number.POSITIVE_INFINITY, step = 4_096): readonly number[] => {
  const all: number[] = [];
  const out = new Float64Array(step);
  while (all.length < most) {
    const count = input.fill(out.subarray(0, Math.min(step, most - all.length)));
    if (count <= 0) break;
    for (let i = 0; i < count; i++) all.push(out[i] as number);
  }
  return all;
};

/** Counts of timestamps in equal parts from `start`. */
export const countsOf = (
  micros: readonly number[],
  start: number,
  width: number,
  parts: number,
): readonly number[] => {
  const counts = new Array<number>(parts).fill(0);
  for (const at of micros) {
    const part = Math.floor((at - start) / width);
    if (part >= 0 && part < parts) counts[part] = (counts[part] as number) + 1;
  }
  return counts;
};

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const varianceOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
};
