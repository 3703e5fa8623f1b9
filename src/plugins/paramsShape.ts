import { record } from '../schema/index.js';
import type { Fields, Shape, ValueOf } from '../schema/shape.js';
import type { PluginSpec } from './kit.js';

/** Shape of the parameters of one plugin, its rules included. */
export const paramsShape = <F extends Fields>(
  spec: Pick<PluginSpec<F>, 'fields' | 'rules'>,
): Shape<ValueOf<F>> => record(spec.fields, { rules: spec.rules ?? [] });

/** A table of declarations as the kinds of a union: each by its name and under its aliases. */
export type ParamsVariants<T extends Readonly<Record<string, PluginSpec>>> = {
  readonly [K in keyof T & string]: {
    readonly shape: Shape<ValueOf<T[K]['fields']>>;
    readonly aliases: readonly string[];
  };
};

/** The kinds of a union from a table of declarations. */
export const variantsOf = <T extends Readonly<Record<string, PluginSpec>>>(specs: T): ParamsVariants<T> =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { shape: paramsShape(spec), aliases: spec.aliases ?? [] },
    ]),
  ) as ParamsVariants<T>;
