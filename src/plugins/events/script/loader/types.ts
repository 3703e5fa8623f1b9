import { type Eraser, loadEraser } from './eraser.js';
import { LoadProblem, type SourcePosition, showPosition } from './problem.js';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

const isRefusal = (thrown: unknown): thrown is Refusal =>
  typeof thrown === 'object' && thrown !== null && 'startLine' in thrown && 'startColumn' in thrown;

/** 10 MB that few generators need, and only briefly: let the collector free them. */
let loaded: WeakRef<Eraser> | null = null;

const eraser = (): Eraser => {
  const found = loaded?.deref() ?? loadEraser();
  loaded = new WeakRef(found);
  return found;
};

const transform = (source: string, file: string): string =>
  eraser().transformSync(source, { mode: 'strip-only', filename: file, deprecatedTsModuleAsError: true })
    .code;

const positionOf = ({ startLine, startColumn }: Refusal): SourcePosition => ({
  line: startLine,
  column: startColumn + 1,
});

/** Removes erasable types; `enum`, `namespace` and `import =` are errors. */
export const withoutTypes = (source: string, file: string, shown: string): string => {
  try {
    return transform(source, file);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const where = showPosition(shown, positionOf(thrown));
    if (thrown.code === 'UnsupportedSyntax') {
      throw new LoadProblem(`${thrown.message} (${where}). Use syntax with erasable types.`);
    }
    throw new LoadProblem(`syntax error at ${where}: ${thrown.message}`);
  }
};

/** Returns the position of a syntax error in a JavaScript module, which V8 does not report. Null when it is unknown. */
export const syntaxErrorPosition = (source: string, file: string): SourcePosition | null => {
  try {
    transform(source, file);
    return null;
  } catch (thrown) {
    return isRefusal(thrown) ? positionOf(thrown) : null;
  }
};
