let second = -1;
let head = '';

/** `isoformat()` of a UTC timestamp in microseconds that is no whole second. */
export const isoOf = (micros) => {
  const now = Math.floor(micros / 1_000_000);
  if (now !== second) {
    second = now;
    head = new Date(now * 1_000).toISOString().slice(0, 20);
  }
  return `${head}${String(micros - now * 1_000_000).padStart(6, '0')}+00:00`;
};

/** The filter `json` for a text. */
export const json = (text) => JSON.stringify(text);
