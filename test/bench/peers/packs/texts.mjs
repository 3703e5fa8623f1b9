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

const HTML = { "'": '\\u0027', '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' };

/** The filter `tojson` for a text. */
export const json = (text) =>
  JSON.stringify(text).replace(
    /['&<>\u007f-\uffff]/g,
    (character) =>
      HTML[character] ??
      (character === '\u007f' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
