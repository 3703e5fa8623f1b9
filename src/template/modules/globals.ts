import type { Random } from '../../domain/random.js';
import { raise } from '../errors.js';
import { checkItems } from '../limits.js';
import { Namespace } from '../runtime/macro.js';
import { RANGE } from '../runtime/runtime.js';
import { PyMarkup } from '../text/markupValue.js';
import { native } from '../values/methods.js';
import { truthy } from '../values/operations/compare.js';
import { fillDict, PyDict } from '../values/types/dict.js';
import { escapedMarkup } from '../values/types/markup.js';
import { type Callable, type Kwargs, orElse, TemplateObject, type Value } from '../values/value.js';

class Cycler extends TemplateObject {
  private position = 0;

  constructor(private readonly choices: readonly Value[]) {
    super();
  }
  get typeName(): string {
    return 'Cycler';
  }
  private readonly next: Callable = () => {
    const value = this.choices[this.position] ?? null;
    this.position = (this.position + 1) % this.choices.length;
    return value;
  };
  private readonly reset: Callable = () => {
    this.position = 0;
    return null;
  };
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'next':
        return this.next;
      case 'reset':
        return this.reset;
      case 'current':
        return this.choices[this.position];
      case 'items':
        return [...this.choices];
      case 'pos':
        return this.position;
      default:
        return undefined;
    }
  }
}

/** `joiner(separator)`: empty at the first call, then the separator. */
class Joiner extends TemplateObject {
  private isUsed = false;

  constructor(private readonly separator: Value) {
    super();
  }
  get typeName(): string {
    return 'Joiner';
  }
  override isCallable(): boolean {
    return true;
  }
  override call(): Value {
    const separator = this.isUsed ? this.separator : '';
    this.isUsed = true;
    return separator;
  }
}

const dict = (args: readonly Value[], kwargs: Kwargs | null): PyDict => {
  if (args.length > 1) return raise('TypeError', `dict expected at most 1 argument, got ${args.length}`);
  return fillDict(new PyDict(), args[0], kwargs);
};

export const makeGlobals = (random: () => Random): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ['range', RANGE],
    ['dict', dict],
    ['namespace', (args, kwargs) => new Namespace(dict(args, kwargs))],
    [
      'cycler',
      (args) =>
        args.length === 0 ? raise('RuntimeError', 'at least one item has to be provided') : new Cycler(args),
    ],
    [
      'joiner',
      (args, kwargs) =>
        new Joiner(
          orElse<Value>(
            orElse(args[0], () => kwargs?.get('sep')),
            () => ', ',
          ),
        ),
    ],
    [
      'lipsum',
      native('lipsum(n=5, html=True, min=20, max=100)', (...values) => {
        const [count = 5, isHtml = true, min = 20, max = 100] = values;
        return lipsum(random(), Number(count), truthy(isHtml), Number(min), Number(max));
      }),
    ],
  ]);

const WORDS = (
  'a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent arcu at auctor augue bibendum blandit ' +
  'class commodo condimentum congue consectetuer consequat conubia convallis cras cubilia cum curabitur curae ' +
  'cursus dapibus diam dictum dictumst dignissim dis dolor donec dui duis egestas eget eleifend elementum elit ' +
  'enim erat eros est et etiam eu euismod facilisi facilisis fames faucibus felis fermentum feugiat fringilla ' +
  'fusce gravida habitant habitasse hac hendrerit hymenaeos iaculis id imperdiet in inceptos integer interdum ' +
  'ipsum justo lacinia lacus laoreet lectus leo libero ligula litora lobortis lorem luctus maecenas magna magnis ' +
  'malesuada massa mattis mauris metus mi molestie mollis montes morbi mus nam nascetur natoque nec neque netus ' +
  'nibh nisi nisl non nonummy nostra nulla nullam nunc odio orci ornare parturient pede pellentesque penatibus per ' +
  'pharetra phasellus placerat platea porta porttitor posuere potenti praesent pretium primis proin pulvinar purus ' +
  'quam quis quisque rhoncus ridiculus risus rutrum sagittis sapien scelerisque sed sem semper senectus sit sociis ' +
  'sociosqu sodales sollicitudin suscipit suspendisse taciti tellus tempor tempus tincidunt torquent tortor ' +
  'tristique turpis ullamcorper ultrices ultricies urna ut varius vehicula vel velit venenatis vestibulum vitae ' +
  'vivamus viverra volutpat vulputate'
).split(' ');

const paragraph = (random: Random, min: number, max: number): string => {
  const count = random.integer(min, Math.max(min, max - 1));
  checkItems(count);
  const words: string[] = [];
  let isStart = true;
  let last = '';
  let lastComma = 0;
  let lastStop = 0;
  for (let i = 0; i < count; i++) {
    let word = last;
    while (word === last) word = WORDS[random.integer(0, WORDS.length - 1)] ?? last;
    last = word;
    if (isStart) word = (word[0] ?? '').toUpperCase() + word.slice(1);
    isStart = false;
    if (i - random.integer(3, 8) > lastComma) {
      lastComma = i;
      lastStop += 2;
      word += ',';
    }
    if (i - random.integer(10, 20) > lastStop) {
      lastComma = i;
      lastStop = i;
      word += '.';
      isStart = true;
    }
    words.push(word);
  }
  const text = words.join(' ').replace(/,$/, '');
  return text.endsWith('.') ? text : `${text}.`;
};

const lipsum = (random: Random, count: number, isHtml: boolean, min: number, max: number): Value => {
  checkItems(count);
  const paragraphs = Array.from({ length: Math.max(0, count) }, () => paragraph(random, min, max));
  if (!isHtml) return paragraphs.join('\n\n');
  return new PyMarkup(paragraphs.map((each) => `<p>${escapedMarkup(each)}</p>`).join('\n'));
};
