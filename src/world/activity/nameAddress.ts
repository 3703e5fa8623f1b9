import { type DrawSource, type KeyedDraws, textNumber } from '../draw.js';
import { outsideAddress } from '../population/population.js';
import type { ActivityFacts } from './kinds.js';
import type { Surroundings } from './scribe.js';

/** Purpose of the draws of addresses. */
const WHY_NAME = 35;

/** Few names are asked for often; those that are made up come once. */
const NAMES_KEPT = 4_096;
const kept = new WeakMap<DrawSource, Map<string, string>>();

/** The address of a name stays the same for a world. */
export const addressOfName = ({ draws }: Pick<Surroundings, 'draws'>, name: string): string => {
  let known = kept.get(draws);
  if (known === undefined || known.size > NAMES_KEPT) {
    known = new Map();
    kept.set(draws, known);
  }
  const address = known.get(name) ?? outsideAddress(draws.of(textNumber(name, 31), 0, WHY_NAME));
  known.set(name, address);
  return address;
};

/** Facts of `browse`: a page of a name, whose address the host may know already. Its size is lognormal. */
export const pageFacts = (
  world: Pick<Surroundings, 'draws'>,
  own: KeyedDraws,
  name: string,
  is_known: boolean,
  [median, sigma]: readonly [median: number, sigma: number],
): ActivityFacts => ({
  ...{ name, to_ip: addressOfName(world, name), is_known },
  bytes: Math.round(own.lognormal(median, sigma)),
});
