import { raise, type Signal } from '../errors.js';
import { enter, leave } from '../limits.js';
import { iterate } from '../values/operations/iterate.js';
import { repr } from '../values/operations/print.js';
import { textOf } from '../values/types/markup.js';
import { Undefined, undefinedBecause } from '../values/types/undefined.js';
import { TemplateObject, type Value } from '../values/value.js';
import type { BlockFunction, Blocks, Context } from './context.js';
import { TemplateModule } from './macro.js';

export interface LoadedTemplate {
  readonly name: string;
  readonly compiled: () => {
    /** The text, or what ended the render. */
    readonly root: (context: Context, exported: Map<string, Value> | null) => string | Signal;
    readonly blocks: ReadonlyMap<string, BlockFunction>;
    readonly hasParent: boolean;
    readonly isPure: boolean;
  };
}

export interface TemplateSource {
  /** `null` if missing. Throws a Fault if invalid. */
  readonly find: (name: string) => LoadedTemplate | null;
}

const notFound = (names: readonly string[]): never =>
  names.length === 1
    ? raise('TemplateNotFound', String(names[0]))
    : raise('TemplatesNotFound', `none of the templates given were found: ${names.join(', ')}`);

const select = (source: TemplateSource, given: Value): LoadedTemplate => {
  if (given instanceof Undefined) return given.fail();
  const single = textOf(given);
  const names: string[] = [];
  for (const each of single === null ? iterate(given) : [single]) {
    if (each instanceof Undefined) each.fail();
    const name = textOf(each);
    if (name === null) return raise('TypeError', `a template name must be a string, not ${repr(each)}`);
    const found = source.find(name);
    if (found !== null) return found;
    names.push(name);
  }
  if (names.length === 0) {
    return raise('TemplatesNotFound', 'Tried to select from an empty list of templates.');
  }
  return notFound(names);
};

export const loadTemplate = (source: TemplateSource, name: Value): LoadedTemplate => {
  if (name instanceof Undefined) return name.fail();
  const text = textOf(name);
  if (text === null) return raise('TypeError', `a template name must be a string, not ${repr(name)}`);
  return source.find(text) ?? notFound([text]);
};

const NO_VARIABLES: ReadonlyMap<string, Value> = new Map();
const NO_BLOCKS: Blocks = new Map();

const ownBlocks = (template: LoadedTemplate): Blocks => {
  const blocks: Blocks = new Map();
  for (const [name, block] of template.compiled().blocks) blocks.set(name, [block]);
  return blocks;
};

export const renderRoot = (
  template: LoadedTemplate,
  context: Context,
  exported: Map<string, Value> | null,
): string | Signal => {
  const { root, blocks, hasParent } = template.compiled();
  const isPlain = blocks.size === 0 && !hasParent;
  return root(isPlain ? context : context.with(NO_VARIABLES, ownBlocks(template)), exported);
};

/** Inside of another template a signal is thrown. */
const textFrom = (rendered: string | Signal): string => {
  if (typeof rendered === 'string') return rendered;
  throw rendered;
};

export const includeTemplate = (
  source: TemplateSource,
  given: Value,
  context: Context,
  ignoresMissing: boolean,
): string => {
  enter();
  try {
    if (!ignoresMissing) return textFrom(renderRoot(select(source, given), context, null));
    const names = given instanceof TemplateObject || Array.isArray(given) ? given : [given];
    const found = [...iterate(textOf(names) === null ? names : [names])]
      .map((name) => source.find(textOf(name) ?? ''))
      .find((each) => each !== null);
    return found === undefined ? '' : textFrom(renderRoot(found, context, null));
  } finally {
    leave();
  }
};

export const importTemplate = (source: TemplateSource, given: Value, context: Context): TemplateModule => {
  enter();
  try {
    const template = loadTemplate(source, given);
    const exported = new Map<string, Value>();
    const body = textFrom(renderRoot(template, context, exported));
    return new TemplateModule(template.name, exported, body);
  } finally {
    leave();
  }
};

/** Modules of pure templates, by the globals they see. */
const pureModules = new WeakMap<Context, Map<string, TemplateModule>>();

/** An import without context: a pure template is read once for each set of globals. */
export const importAlone = (source: TemplateSource, given: Value, context: Context): TemplateModule => {
  const globals = context.globals();
  const known = typeof given === 'string' ? pureModules.get(globals)?.get(given) : undefined;
  if (known !== undefined) {
    // An import counts as a nesting level.
    enter();
    leave();
    return known;
  }
  const module = importTemplate(source, given, globals.with(NO_VARIABLES, NO_BLOCKS));
  if (typeof given === 'string' && source.find(given)?.compiled().isPure === true) {
    const modules = pureModules.get(globals) ?? new Map<string, TemplateModule>();
    pureModules.set(globals, modules.set(given, module));
  }
  return module;
};

export const importedName = (module: TemplateModule, name: string): Value => {
  const value = module.exported.get(name);
  return value === undefined ? notExported(module, name) : value;
};

const notExported = ({ templateName }: TemplateModule, name: string): Undefined =>
  undefinedBecause(`the template '${templateName}' does not export the requested name '${name}'`);

/** Renders the parent with the blocks of both. */
export const renderParent = (
  parent: LoadedTemplate,
  context: Context,
  exported: Map<string, Value> | null,
): string => {
  enter();
  try {
    for (const [name, block] of parent.compiled().blocks) {
      const stack = context.blocks.get(name);
      if (stack === undefined) context.blocks.set(name, [block]);
      else stack.push(block);
    }
    return textFrom(parent.compiled().root(context, exported));
  } finally {
    leave();
  }
};

export const extendedTwice = (): never => raise('TemplateRuntimeError', 'extended multiple times');
