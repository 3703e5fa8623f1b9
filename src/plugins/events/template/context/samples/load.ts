import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../../../domain/errors.js';
import type { Json } from '../../../../../domain/json.js';
import {
  Fault,
  fromJson,
  jsonLoads,
  repr,
  TemplateObject,
  textOf,
  Undefined,
  type Value,
} from '../../../../../template/index.js';
import type { EventContext } from '../../../../kit.js';
import { generatorFile } from '../../../../shared/inputFile.js';
import { type CsvStyle, readCsv } from './csv.js';
import { readDataFile } from './dataFile.js';
import { type Sample, sampleOf } from './sample.js';
import type { SampleConfig } from './shape.js';
import { listNames, type SampleTable, tableOfDocument, tableOfItems } from './table.js';

/** Returns an error with the message of an engine error that `run` throws. */
const attempt = <A>(run: () => E.Either<string, A>): E.Either<string, A> => {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof Fault) return E.left(thrown.message);
    throw thrown;
  }
};

const tableOfJson = (bytes: Buffer): E.Either<string, SampleTable> =>
  attempt(() => {
    const document = E.tryCatch(
      () => jsonLoads(bytes.toString('utf8')),
      (thrown) => {
        if (!(thrown instanceof Fault)) throw thrown;
        return thrown.kind === 'JSONDecodeError' ? `invalid JSON: ${thrown.message}` : thrown.message;
      },
    );
    return E.chain(tableOfDocument)(document);
  });

const tableOfCsv =
  (style: CsvStyle) =>
  (bytes: Buffer): E.Either<string, SampleTable> =>
    E.mapLeft(({ line, reason }: { readonly line: number | null; readonly reason: string }) =>
      line === null ? reason : `line ${line}: ${reason}`,
    )(readCsv(bytes, style));

/** Errors name the file as the config does, and its full path. */
const tableOfFile = async (
  { directory, clock, drafts }: SampleSurroundings,
  source: string,
  read: (bytes: Buffer) => E.Either<string, SampleTable>,
): Promise<E.Either<SampleProblem, SampleTable>> => {
  const file = generatorFile({ directory }, source);
  const problem =
    (isRead: boolean) =>
    (reason: string): SampleProblem => ({ where: ` from ${source}`, reason, file, isRead });
  const bytes = await readDataFile(file, clock, drafts?.get(file));
  return E.isLeft(bytes) ? E.left(problem(false)(bytes.left)) : E.mapLeft(problem(true))(read(bytes.right));
};

/** Relative paths start at `directory`; `clock`: read deadlines. */
type SampleSurroundings = Pick<EventContext, 'directory' | 'clock' | 'drafts' | 'random'>;

interface SampleProblem {
  readonly where: string;
  readonly reason: string;
  readonly file: string | null;
  /** Whether the file was read, so that its contents are wrong. */
  readonly isRead?: boolean;
}

const tableOf = async (
  config: SampleConfig,
  surroundings: SampleSurroundings,
): Promise<E.Either<SampleProblem, SampleTable>> => {
  switch (config.kind) {
    case 'items': {
      const items: readonly Json[] = config.params.source;
      return E.mapLeft((reason: string): SampleProblem => ({ where: '', reason, file: null }))(
        attempt(() => tableOfItems(items.map(fromJson))),
      );
    }
    case 'csv':
      return tableOfFile(surroundings, config.params.source, tableOfCsv(config.params));
    case 'json':
      return tableOfFile(surroundings, config.params.source, tableOfJson);
  }
};

const asFailure = (name: string, { where, reason, file, isRead }: SampleProblem): SpateError => {
  const looked = file === null ? '' : ` (${isRead === true ? 'in' : 'looked for'} ${file})`;
  return failure(
    'plugin_failed',
    `sample '${name}'${where}: ${reason}${looked}`,
    file === null ? {} : { file },
  );
};

/** Loads samples once, at start. Returns the first error, with sample, file, position and fix. */
export const loadSamples = async (
  configs: Readonly<Record<string, SampleConfig>>,
  surroundings: SampleSurroundings,
): Promise<Result<ReadonlyMap<string, Sample>>> => {
  const samples = new Map<string, Sample>();
  for (const [name, config] of Object.entries(configs)) {
    const table = await tableOf(config, surroundings);
    if (E.isLeft(table)) return E.left(asFailure(name, table.left));
    samples.set(name, sampleOf(name, table.right, surroundings.random));
  }
  return E.right(samples);
};

/** `samples`: the error of an unknown name lists the known ones. */
class Samples extends TemplateObject {
  constructor(private readonly byName: ReadonlyMap<string, Sample>) {
    super();
  }
  get typeName(): string {
    return 'Samples';
  }
  override attribute(name: string): Value {
    return (
      this.byName.get(name) ??
      new Undefined(
        () => `sample ${repr(name)} does not exist (samples: ${listNames([...this.byName.keys()])})`,
      )
    );
  }
  override fixed(name: string): Value | undefined {
    return this.byName.get(name);
  }
  override item(key: Value): Value | undefined {
    const name = textOf(key);
    return name === null ? undefined : this.attribute(name);
  }
  override iterator(): Iterator<Value> {
    return this.byName.keys();
  }
  override size(): number {
    return this.byName.size;
  }
  override contains(needle: Value): boolean {
    const name = textOf(needle);
    return name !== null && this.byName.has(name);
  }
  override repr(): string {
    return `Samples(${[...this.byName.keys()].map(repr).join(', ')})`;
  }
}

export const samplesObject = (samples: ReadonlyMap<string, Sample>): TemplateObject => new Samples(samples);
