import { raise } from '../../errors.js';
import { type Kwargs, TemplateObject, typeName, type Value } from '../value.js';

/** A missing name, attribute or item: prints as an empty string, is false and empty; other uses throw. */
export class Undefined extends TemplateObject {
  constructor(private readonly reason: () => string) {
    super();
  }
  get typeName(): string {
    return 'Undefined';
  }
  get message(): string {
    return this.reason();
  }
  fail(): never {
    return raise('UndefinedError', this.message);
  }
  override attribute(_name: string): Value | undefined {
    return this.fail();
  }
  override callMethod(): Value | undefined {
    return this.fail();
  }
  override item(_key: Value): Value | undefined {
    return this.fail();
  }
  override call(_args: readonly Value[], _kwargs: Kwargs | null): Value {
    return this.fail();
  }
  override isCallable(): boolean {
    return true;
  }
  override iterator(): Iterator<Value> {
    return [][Symbol.iterator]();
  }
  override size(): number {
    return 0;
  }
  override text(): string {
    return '';
  }
  override repr(): string {
    return 'Undefined';
  }
  override equals(other: Value): boolean {
    return other instanceof Undefined;
  }
  override compare(): number | undefined {
    return this.fail();
  }
  override contains(): boolean {
    return false;
  }
  override operate(): Value | undefined {
    return this.fail();
  }
  override hashKey(): object {
    return Undefined;
  }
}

const objectName = (value: Value): string => (value === null ? 'None' : `${typeName(value)} object`);

export const undefinedName = (name: string): Undefined => new Undefined(() => `'${name}' is undefined`);

export const undefinedAttribute = (owner: Value, name: string): Undefined =>
  new Undefined(() => `'${objectName(owner)}' has no attribute '${name}'`);

/** `shown`: the key as Python prints it. */
export const undefinedItem = (owner: Value, shown: string): Undefined =>
  new Undefined(() => `${objectName(owner)} has no element ${shown}`);

/** Error for a value without a needed attribute; an undefined value reports itself. */
export const noAttribute = (value: Value, name: string): never =>
  value instanceof Undefined
    ? value.fail()
    : raise('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);

export const undefinedBecause = (reason: string): Undefined => new Undefined(() => reason);
