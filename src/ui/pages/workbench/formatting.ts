import { languageOf } from './paths.js';

/** A string, a number or word, or a mark of JSON; white space between is left out. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON with a line for each value. Tokens stay as written: a number keeps its digits, and a key may be there twice. */
const formattedJson = (text: string): string | null => {
  if (!isJson(text)) return null;
  const tokens = text.match(TOKEN) ?? [];
  let made = '';
  let depth = 0;
  const newLine = (): void => {
    made += `\n${'  '.repeat(depth)}`;
  };
  for (const [index, token] of tokens.entries()) {
    const isClosing = token === '}' || token === ']';
    const isEmpty = isClosing && /[{[]/.test(tokens[index - 1] ?? '') && tokens[index - 1]?.length === 1;
    if (isClosing) depth -= 1;
    if (isClosing && !isEmpty) newLine();
    made += token === ':' ? ': ' : token;
    const isOpening = token === '{' || token === '[';
    if (isOpening) depth += 1;
    const isOpen = isOpening && !['}', ']'].includes(tokens[index + 1] ?? '');
    if (isOpen || token === ',') newLine();
  }
  return `${made}\n`;
};

/** Whether files of this name can be formatted. */
export const isFormattable = (path: string): boolean => ['yaml', 'json'].includes(languageOf(path));

/** The formatted text of a file. Null when it cannot be read, or not be formatted without another meaning. */
export const formattedText = async (path: string, text: string): Promise<string | null> => {
  if (languageOf(path) === 'json') return formattedJson(text);
  const { formattedYaml } = await import('../../../config/yaml/format.js');
  return formattedYaml(text);
};
