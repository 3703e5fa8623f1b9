import { offsetText } from '../../../domain/time/iso.js';
import { raise } from '../../errors.js';
import { callMethodOf, type Methods, methodOf, methods } from '../../values/methods.js';
import { repr } from '../../values/operations/print.js';
import { asIndex } from '../../values/operations/subscript.js';
import { type HashKey, type Kwargs, TemplateObject, typeName, type Value } from '../../values/value.js';
import { checkTime, clockOf, clockText, DAY_MICROS, needTextOf, needWhole } from './civil.js';
import { strftime } from './format.js';
import { PyTimedelta, timedeltaOf } from './timedelta.js';
import { PyFixedZone, PyTzinfo } from './zones.js';

export const needZone = (value: Value): PyTzinfo | null =>
  value === null || value instanceof PyTzinfo
    ? value
    : raise(
        'TypeError',
        `tzinfo argument must be None or of a tzinfo subclass, not type '${typeName(value)}'`,
      );

export const needFold = (value: Value): number => {
  const fold = asIndex(value);
  return fold === 0 || fold === 1 ? fold : raise('ValueError', 'fold must be either 0 or 1');
};

export const secondsDelta = (seconds: number): PyTimedelta => timedeltaOf(BigInt(seconds) * 1_000_000n);

/** A time of day. Only fixed zones have an offset without a date. */
export class PyTime extends TemplateObject {
  constructor(
    readonly micros: number,
    readonly zone: PyTzinfo | null,
    readonly fold = 0,
  ) {
    super();
  }
  get typeName(): string {
    return 'datetime.time';
  }
  get offset(): number | null {
    return this.zone instanceof PyFixedZone ? this.zone.offset : null;
  }
  override attribute(name: string): Value | undefined {
    const [hour, minute, second, micro] = clockOf(this.micros);
    switch (name) {
      case 'hour':
        return hour;
      case 'minute':
        return minute;
      case 'second':
        return second;
      case 'microsecond':
        return micro;
      case 'tzinfo':
        return this.zone;
      case 'fold':
        return this.fold;
      default:
        return TIME_BOUNDS.get(name) ?? methodOf(TIME_METHODS, this, name);
    }
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(TIME_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
  isoformat(timespec: string): string {
    return clockText(this.micros, timespec) + (this.offset === null ? '' : offsetText(this.offset));
  }
  override text(): string {
    return this.isoformat('auto');
  }
  override repr(): string {
    const [hour, minute, second, micro] = clockOf(this.micros);
    const tail = micro > 0 ? [second, micro] : second > 0 ? [second] : [];
    const zone = this.zone === null ? '' : `, tzinfo=${repr(this.zone)}`;
    return `datetime.time(${[hour, minute, ...tail].join(', ')}${this.fold === 1 ? ', fold=1' : ''}${zone})`;
  }
  override format(spec: string): string {
    const name = (): string => this.zone?.nameAt({ day: 0, micros: 0, fold: 0 }) ?? '';
    // Python uses 1900-01-01 for times.
    return strftime({ day: -25_567, micros: this.micros, offset: this.offset, name }, spec);
  }
  private get instant(): number {
    return this.micros - (this.offset ?? 0) * 1_000_000;
  }
  override equals(other: Value): boolean {
    return (
      other instanceof PyTime &&
      (other.offset === null) === (this.offset === null) &&
      other.instant === this.instant
    );
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyTime)) return undefined;
    if ((other.offset === null) !== (this.offset === null)) {
      return raise('TypeError', "can't compare offset-naive and offset-aware times");
    }
    return this.instant - other.instant;
  }
  override hashKey(): HashKey {
    return `\0T${this.instant}`;
  }
}

const TIME_METHODS: Methods<PyTime> = methods<PyTime>({
  "isoformat(timespec='auto')": (self, timespec) => self.isoformat(needTextOf(timespec, 'timespec')),
  'strftime(format)': (self, format) => self.format(needTextOf(format, 'strftime() argument 1')),
  'utcoffset()': (self) => (self.offset === null ? null : secondsDelta(self.offset)),
  'dst()': () => null,
  'tzname()': (self) =>
    self.offset === null ? null : (self.zone?.nameAt({ day: 0, micros: 0, fold: 0 }) ?? null),
  'replace(hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None)': (
    self,
    ...parts
  ) => {
    const now = clockOf(self.micros);
    const [hour, minute, second, micro] = now.map((value, index) => partOr(parts[index], value));
    return new PyTime(
      checkTime(hour ?? 0, minute ?? 0, second ?? 0, micro ?? 0),
      parts[4] === true ? self.zone : needZone(parts[4] ?? null),
      parts[5] === null || parts[5] === undefined ? self.fold : needFold(parts[5]),
    );
  },
});

export const partOr = (given: Value | undefined, now: number): number =>
  given === null || given === undefined ? now : needWhole(given);

export const TIME_BOUNDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['min', new PyTime(0, null)],
  ['max', new PyTime(DAY_MICROS - 1, null)],
  ['resolution', new PyTimedelta(0, 1)],
]);
