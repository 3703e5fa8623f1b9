import {
  HostModule,
  PyTuple,
  TemplateObject,
  undefinedBecause,
  type Value,
} from '../../../../../template/index.js';

/** Equal to itself only; `value` is what functions take. */
class EnumMember extends TemplateObject {
  constructor(
    private readonly owner: string,
    readonly name: string,
    readonly value: Value,
  ) {
    super();
  }
  get typeName(): string {
    return this.owner;
  }
  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.name;
    return name === 'value' ? this.value : undefined;
  }
  override text(): string {
    return `${this.owner}.${this.name}`;
  }
  override repr(): string {
    const shown = typeof this.value === 'string' ? `'${this.value}'` : this.value;
    return `<${this.text()}: ${shown instanceof TemplateObject ? shown.repr() : String(shown)}>`;
  }
}

/** Members as attributes and items, in order. */
class EnumType extends TemplateObject {
  private readonly members: ReadonlyMap<string, EnumMember>;

  constructor(
    private readonly name: string,
    values: Readonly<Record<string, Value>>,
  ) {
    super();
    this.members = new Map(
      Object.entries(values).map(([member, value]) => [member, new EnumMember(name, member, value)]),
    );
  }
  get typeName(): string {
    return 'EnumType';
  }
  override attribute(name: string): Value {
    return (
      this.members.get(name) ??
      undefinedBecause(`${this.name} has no member '${name}'; known: ${[...this.members.keys()].join(', ')}`)
    );
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'string' ? this.members.get(key) : undefined;
  }
  override iterator(): Iterator<Value> {
    return this.members.values();
  }
  override size(): number {
    return this.members.size;
  }
  override repr(): string {
    return `<enum '${this.name}'>`;
  }
}

const range = (low: number, high: number): Value => new PyTuple([low, high]);

const upper = (...values: readonly string[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(values.map((value) => [value.toUpperCase().replaceAll('-', '_'), value]));

const ENUMS: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  Gender: upper('male', 'female'),
  TitleType: upper('typical', 'academic'),
  CardType: { VISA: 'Visa', MASTER_CARD: 'MasterCard', AMERICAN_EXPRESS: 'American Express' },
  Algorithm: upper('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'blake2b', 'blake2s'),
  TLDType: upper('cctld', 'gtld', 'geotld', 'utld', 'stld'),
  FileType: upper('source', 'text', 'data', 'audio', 'video', 'image', 'executable', 'compressed'),
  MimeType: upper('application', 'audio', 'image', 'message', 'text', 'video'),
  CountryCode: { A2: 'a2', A3: 'a3', NUMERIC: 'numeric', IOC: 'ioc', FIFA: 'fifa' },
  ISBNFormat: { ISBN13: 'isbn-13', ISBN10: 'isbn-10' },
  EANFormat: { EAN8: 'ean-8', EAN13: 'ean-13' },
  URLScheme: upper('ws', 'wss', 'ftp', 'sftp', 'http', 'https'),
  PortRange: {
    ALL: range(1, 65_535),
    WELL_KNOWN: range(1, 1_023),
    EPHEMERAL: range(49_152, 65_535),
    REGISTERED: range(1_024, 49_151),
  },
  TimezoneRegion: Object.fromEntries(
    [
      'Africa',
      'America',
      'Antarctica',
      'Arctic',
      'Asia',
      'Atlantic',
      'Australia',
      'Europe',
      'Indian',
      'Pacific',
    ].map((name) => [name.toUpperCase(), name]),
  ),
  TimestampFormat: { POSIX: 1, ISO_8601: 2, RFC_3339: 3 },
  DurationUnit: upper('weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds'),
};

export const enumsModule = (): HostModule =>
  new HostModule(
    'mimesis.enums',
    Object.fromEntries(Object.entries(ENUMS).map(([name, values]) => [name, new EnumType(name, values)])),
  );

/** The value of an enum member; others unchanged. */
export const plainOf = (value: Value | undefined): Value =>
  value instanceof EnumMember ? value.value : (value ?? null);
