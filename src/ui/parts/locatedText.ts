/** `page.jinja:3:7: what is wrong`, alone or inside a sentence. */
const LOCATED = /(?:^|[\s'"(])([\w@./-]+\.[a-z]\w*):(\d+)(?::(\d+))?(?:: ([^\n]*))?/;

/** A line of a file that a message names. */
export interface TextLocation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** What the message says about it; null when the location stands at its end. */
  readonly message: string | null;
  /** Where the location stands in the text. */
  readonly from: number;
  readonly to: number;
}

/** The first location that a text names. Null when it names none. */
export const locationIn = (text: string): TextLocation | null => {
  const found = LOCATED.exec(text);
  if (found === null) return null;
  const [whole, path = '', line = '', column, message] = found;
  const from = found.index + whole.indexOf(path);
  return {
    path: path.replace(/^\.\//, ''),
    line: Number(line),
    column: Number(column ?? 1),
    message: message ?? null,
    from,
    to: from + `${path}:${line}${column === undefined ? '' : `:${column}`}`.length,
  };
};

/** Where a config is. */
export interface ConfigLocation {
  /** Directory of the generator. */
  readonly name: string;
  /** Config file within it. */
  readonly file: string;
}

/** Where a config file is, for example `shop/generator.yml`. Null outside of the directories of generators. */
export const locationOf = (path: string): ConfigLocation | null => {
  const [name, ...rest] = path.split('/');
  return name === undefined || name === '' || name.startsWith('.') || rest.length === 0
    ? null
    : { name, file: rest.join('/') };
};

/** Where the workbench shows a location that an error of a generator names. Null when the file is not in its directory. */
export const workbenchHref = (config: string, { path, line }: TextLocation): string | null => {
  const directory = locationOf(config)?.name;
  if (directory === undefined) return null;
  const at = `/${path}`.lastIndexOf(`/${directory}/`);
  const file = at < 0 ? path : path.slice(at + directory.length + 1);
  if (/^\/|^\.\.\//.test(file)) return null;
  return `/g/${encodeURIComponent(directory)}?${new URLSearchParams({ file, line: String(line) })}`;
};
