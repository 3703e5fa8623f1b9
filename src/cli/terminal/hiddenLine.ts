interface HiddenLine {
  readonly text: string;
  readonly state: 'typing' | 'done' | 'cancelled';
}

export const EMPTY_LINE: HiddenLine = { text: '', state: 'typing' };

const CONTROL = /\p{Cc}/u;

const typed = (line: HiddenLine, key: string): HiddenLine => {
  const { text } = line;
  switch (key) {
    case '\r':
    case '\n':
      return { text, state: 'done' };
    case '\u0003':
      return { text: '', state: 'cancelled' };
    case '\u0004':
      return text === '' ? { text, state: 'cancelled' } : { text, state: 'done' };
    case '\u007f':
    case '\b':
      return { ...line, text: [...text].slice(0, -1).join('') };
    case '\u0015':
      return EMPTY_LINE;
    default:
      return CONTROL.test(key) ? line : { ...line, text: text + key };
  }
};

/** Input of a terminal in raw mode: backspace and Ctrl-U edit, Ctrl-C and Ctrl-D on an empty line cancel. */
export const typeHidden = (line: HiddenLine, keys: string): HiddenLine => {
  let now = line;
  for (const key of keys) {
    if (now.state !== 'typing') return now;
    now = typed(now, key);
  }
  return now;
};
