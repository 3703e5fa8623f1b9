/** Random draws of a hand-written function: the same numbers in the same order as `module.rand`, samples and filters. */
import { join } from 'node:path';

/** `dist` is the folder dist/src whose generator of random numbers is used. */
export const makeDraws = async (dist, seed) => {
  const load = (file) => import(join(dist, file));
  const rand = 'plugins/events/template/context/rand';
  const { seededRandom } = await load('domain/random.js');
  const { below } = await load(`${rand}/numbers.js`);
  const { hexText } = await load(`${rand}/hex.js`);
  const { uuidOf } = await load(`${rand}/crypto.js`);
  const alphabets = await load(`${rand}/strings.js`);
  // The event plugin draws from this branch of the seed.
  const random = seededRandom(seed).fork('event/1');
  const picking = random.fork('pick');
  const { next, uint32 } = random;

  const integer = (a, b) => a + below(random, b - a + 1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const text = (alphabet) => (length) => alphabet.draw(random, length);

  return {
    /** The number that picks a template, in [0, 1). */
    pick: picking.next,
    integer,
    floating: (a, b) => a + (b - a) * next(),
    gauss: (mu, sigma) => mu + sigma * normal(),
    lognormal: (mu, sigma) => Math.exp(mu + sigma * normal()),
    choice: (items) => items[below(random, items.length)],
    chance: (p) => next() < p,
    /** `ends`: running sums of the weights. */
    weighted: (items, ends) => {
      const drawn = next() * ends[ends.length - 1];
      let at = 0;
      while (at < ends.length - 1 && drawn >= ends[at]) at++;
      return items[at];
    },
    /** The filter `random`. */
    one: (items) => items[random.integer(0, items.length - 1)],
    uuid4: () => uuidOf(uint32(), uint32(), uint32(), uint32()),
    hex: (length) => hexText(random, length),
    md5: () => hexText(random, 32),
    sha256: () => hexText(random, 64),
    digits: text(alphabets.DECIMAL),
    lowercase: text(alphabets.LOWERCASE),
    uppercase: text(alphabets.UPPERCASE),
    letters: text(alphabets.EITHER_CASE),
  };
};

/** Running sums of weights, for `weighted`. */
export const endsOf = (weights) => {
  let sum = 0;
  return weights.map((weight) => {
    sum += Number(weight);
    return sum;
  });
};
