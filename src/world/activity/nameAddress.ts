import { textNumber } from '../draw.js';
import { outsideAddress } from '../population/population.js';
import type { Surroundings } from './scribe.js';

/** Purpose of the draws of addresses. */
const WHY_NAME = 35;

/** The address of a name stays the same for a world. */
export const addressOfName = ({ draws }: Pick<Surroundings, 'draws'>, name: string): string =>
  outsideAddress(draws.of(textNumber(name, 31), 0, WHY_NAME));
