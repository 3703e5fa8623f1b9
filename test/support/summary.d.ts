export default class Summary {
  onRunComplete(contexts: unknown, results: unknown): void;
  getLastError(): Error | undefined;
}

export function leftOver(run?: string): readonly string[];
