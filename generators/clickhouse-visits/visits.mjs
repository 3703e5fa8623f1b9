const PAGES = [
  '/',
  '/products',
  '/products/17-desk-lamp',
  '/products/42-armchair',
  '/cart',
  '/checkout',
  '/blog',
];
/** Percent per page; the last page gets the rest. */
const SHARES = [30, 25, 12, 10, 8, 5];

const pagePick = (random) => {
  let point = random.next() * 100;
  const found = SHARES.findIndex((share) => {
    point -= share;
    return point < 0;
  });
  return PAGES[found === -1 ? PAGES.length - 1 : found];
};

/** One row: time, visitor, page, status, duration (mostly short, rarely long). */
export const produce = ({ timestamp, random }) => {
  const status = random.next() < 0.97 ? 200 : random.next() < 0.8 ? 404 : 500;
  const duration_ms = Math.round(8 + 40 * -Math.log(1 - random.next()) * (status === 500 ? 20 : 1));
  const at = timestamp.strftime('%Y-%m-%d %H:%M:%S');
  return [at, random.integer(1, 5000), pagePick(random), status, duration_ms].join('\t');
};
