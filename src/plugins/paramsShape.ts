import { record } from '../schema/index.js';
import type { Fields, Shape, ValueOf } from '../schema/shape.js';
import type { PluginSpec } from './kit.js';

export const paramsShape = <F extends Fields>(
  spec: Pick<PluginSpec<F>, 'fields' | 'rules'>,
): Shape<ValueOf<F>> => record(spec.fields, { rules: spec.rules ?? [] });

/** Declarations as variants of a union, by name and alias. */
type ParamsVariants<T extends Readonly<Record<string, PluginSpec>>> = {
  readonly [K in keyof T & string]: {
    readonly shape: Shape<ValueOf<T[K]['fields']>>;
    readonly aliases: readonly string[];
  };
};

export const variantsOf = <T extends Readonly<Record<string, PluginSpec>>>(specs: T): ParamsVariants<T> =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { shape: paramsShape(spec), aliases: spec.aliases ?? [] },
    ]),
  ) as ParamsVariants<T>;
