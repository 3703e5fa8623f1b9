import { raise } from '../errors.js';
import { enter, leave } from '../limits.js';
import { undefinedBecause } from '../values/types/undefined.js';
import { TemplateObject, type Value } from '../values/value.js';

export type BlockFunction = (context: Context) => string;

/** Blocks of a template and its parents by name, most derived first. */
export type Blocks = Map<string, BlockFunction[]>;

/** Resolves names: own variables, then outer ones. */
export class Context {
  constructor(
    private readonly variables: ReadonlyMap<string, Value>,
    private readonly parent: Context | null,
    readonly blocks: Blocks,
  ) {}

  /** Returns undefined when the name has no value. */
  resolve(name: string): Value | undefined {
    let context: Context | null = this;
    do {
      const value = context.variables.get(name);
      if (value !== undefined) return value;
      context = context.parent;
    } while (context !== null);
    return undefined;
  }

  with(variables: ReadonlyMap<string, Value>, blocks: Blocks = this.blocks): Context {
    return new Context(variables, this, blocks);
  }

  /** The context of templates included or imported without context. */
  globals(): Context {
    let context: Context = this;
    for (;;) {
      const { parent } = context;
      if (context.isGlobal || parent === null) return context;
      context = parent;
    }
  }

  /** True for the globals of a render. */
  isGlobal = false;
}

export const renderBlock = (context: Context, name: string): string => {
  const [block] = context.blocks.get(name) ?? [];
  return block === undefined ? '' : block(context);
};

export const requireBlock = (context: Context, name: string): void => {
  if ((context.blocks.get(name)?.length ?? 0) <= 1) {
    raise('TemplateRuntimeError', `Required block '${name}' not found`);
  }
};

class BlockReference extends TemplateObject {
  constructor(
    private readonly context: Context,
    private readonly name: string,
    private readonly stack: readonly BlockFunction[],
    private readonly depth: number,
  ) {
    super();
  }
  get typeName(): string {
    return 'BlockReference';
  }
  override isCallable(): boolean {
    return true;
  }
  override call(): Value {
    enter();
    try {
      return this.stack[this.depth]?.(this.context) ?? '';
    } finally {
      leave();
    }
  }
  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.name;
    if (name !== 'super') return undefined;
    if (this.depth + 1 >= this.stack.length) {
      return undefinedBecause(`there is no parent block called '${this.name}'.`);
    }
    return new BlockReference(this.context, this.name, this.stack, this.depth + 1);
  }
}

export const superOf = (context: Context, name: string, current: BlockFunction): Value => {
  const stack = context.blocks.get(name) ?? [];
  const depth = stack.indexOf(current) + 1;
  if (depth >= stack.length) return undefinedBecause(`there is no parent block called '${name}'.`);
  return new BlockReference(context, name, stack, depth);
};

/** `self`, with blocks as attributes. */
export class SelfReference extends TemplateObject {
  constructor(private readonly context: () => Context) {
    super();
  }
  get typeName(): string {
    return 'TemplateReference';
  }
  override attribute(name: string): Value | undefined {
    const context = this.context();
    const stack = context.blocks.get(name);
    return stack === undefined ? undefined : new BlockReference(context, name, stack, 0);
  }
}
