const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The problem of a file without the directory of the service, which lines begin with. */
export const problemText = (problem: string, name: string): string =>
  problem.replace(new RegExp(`^( *)\\S.*?/(?=${escaped(name)}\\.yml)`, 'gm'), '$1');
