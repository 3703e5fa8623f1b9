import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { FormatFailure, FormatterContext, FormatterPlugin } from '../../kit.js';
import { nanosOf } from '../../shared/eventTime.js';
import { SEVERITIES } from '../../shared/syslogFields.js';
import { headerWriter, ownHostname, structuredElement } from '../../shared/syslogHeader.js';
import { compileText, eventValue } from '../../shared/text/compile.js';
import { namedValues, plainText } from '../shared/namedValues.js';
import { objectOf } from '../shared/objectFormatter.js';
import {
  facilityCode,
  MAX_WORDS,
  severityCode,
  type syslogFormatterFields,
  syslogFormatterSpec,
} from './spec.js';

type Params = ValueOf<typeof syslogFormatterFields>;

const USER = 1;
const INFO = 6;
const NIL = '-';
const MARK = '\ufeff';
const NO_OBJECT: JsonObject = Object.freeze({});

const NOT_A_WORD = /[^!-~]/gu;
/** TAG of RFC 3164; receivers end it at the first other character. */
const NOT_A_TAG = /[^\w./-]/gu;
const MAX_TAG = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const NOT_ASCII = /[^\u0000-\u007f]/;

/** Whether an option names a value of the event. */
const readsEvents = ({ structured_data, ...params }: Params): boolean => {
  const data = Object.values(structured_data ?? {}).flatMap((element) => Object.values(element));
  return [...Object.values(params), ...data].some(
    (value) => typeof value === 'string' && compileText(value).constant === null,
  );
};

const codeReader = (
  written: string | number,
  codeOf: (value: unknown) => number | null,
  otherwise: number,
): ((event: JsonObject) => number) => {
  if (typeof written === 'number') return () => written;
  const read = eventValue(written);
  return (event) => codeOf(read(event)) ?? otherwise;
};

/** Makes a function that reads the time of an event. It returns null when the value of the event is no time. */
const timeReader = (
  written: string | null,
  { zone, clock }: FormatterContext,
): ((event: JsonObject) => Micros | null) => {
  if (written === null) return () => clock.now();
  const read = eventValue(written);
  return (event) => {
    const value = read(event) ?? '';
    if (value === '') return clock.now();
    const nanos = nanosOf(value, zone);
    return nanos === null ? null : Number(nanos / 1_000n);
  };
};

/** Makes a function that writes the message of an event. It returns null when the time of the event is no time. */
const messageWriter = (
  params: Params,
  context: FormatterContext,
): ((event: JsonObject, text: string) => string | null) => {
  const { header, message } = params;
  const isOld = header === 'rfc3164';
  const wordOf = (name: keyof typeof MAX_WORDS, forbidden = NOT_A_WORD) =>
    wordReader(params[name], MAX_WORDS[name], forbidden);
  const clean = controlCharacters(params.control_characters);
  const facilityOf = codeReader(params.facility, facilityCode, USER);
  const severityOf = codeReader(params.severity, severityCode, INFO);
  const timeOf = timeReader(params.timestamp, context);
  const own = ownHostname();
  const hostnameOf = params.hostname === null ? () => own : wordOf('hostname');
  const appNameOf = isOld ? wordReader(params.app_name, MAX_TAG, NOT_A_TAG) : wordOf('app_name');
  const procidOf = wordOf('procid', isOld ? /[^!-9;-Z\\^-~]/gu : NOT_A_WORD);
  const msgidOf = wordOf('msgid');
  const structuredOf = structuredReader(params.structured_data, clean);
  const read = message === null ? null : eventValue(message);
  const write = headerWriter(header, context.zone);
  const hasMark = params.bom && !isOld;
  return (event, text) => {
    const time = timeOf(event);
    if (time === null) return null;
    const words = {
      priority: facilityOf(event) * SEVERITIES.length + severityOf(event),
      hostname: hostnameOf(event) ?? NIL,
      app_name: appNameOf(event) ?? NIL,
      procid: procidOf(event),
      msgid: msgidOf(event),
      structured: structuredOf(event),
    };
    const body = clean(read === null ? text : plainText(read(event)));
    const mark = hasMark && NOT_ASCII.test(body) && !body.startsWith(MARK) ? MARK : '';
    return write(time, words) + mark + body;
  };
};

export const syslogFormatterPlugin: FormatterPlugin<typeof syslogFormatterFields> = {
  spec: syslogFormatterSpec,
  build: async (params, context) => {
    const write = messageWriter(params, context);
    const isRead = readsEvents(params);
    return E.right({
      joins: false,
      format: (events) => {
        const items: string[] = [];
        const failures: FormatFailure[] = [];
        for (const event of events.texts()) {
          const found = isRead ? objectOf(event) : NO_OBJECT;
          const item = typeof found === 'string' ? null : write(found, event);
          if (item !== null) items.push(item);
          else
            failures.push({
              event,
              reason: typeof found === 'string' ? found : '`timestamp` finds no time in the event',
            });
        }
        return { batch: textBatch(items), eventsPerItem: 1, failures };
      },
    });
  },
};

/** Reads a word of the header. Returns null when it is empty. */
type ReadWord = (event: JsonObject) => string | null;

/** Characters that a word may not have become `_`. */
const wordReader = (written: string | null, maxLength: number, forbidden: RegExp): ReadWord => {
  if (written === null) return () => null;
  const read = eventValue(written);
  return (event) => plainText(read(event)).replace(forbidden, '_').slice(0, maxLength) || null;
};

type ControlCharacters = 'escape' | 'space' | 'keep';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** `#` and three octal digits. */
const escapedControl = (character: string): string =>
  `#${character.charCodeAt(0).toString(8).padStart(3, '0')}`;

/** What messages and parameters do with control characters. */
const controlCharacters = (mode: ControlCharacters): ((text: string) => string) => {
  if (mode === 'keep') return (text) => text;
  return mode === 'space'
    ? (text) => text.replace(CONTROL, ' ')
    : (text) => text.replace(CONTROL, escapedControl);
};

/** Elements of structured data in an event, joined; empty: none. */
const structuredReader = (
  data: Readonly<Record<string, Readonly<Record<string, string>>>> | null,
  clean: (text: string) => string,
): ((event: JsonObject) => string) => {
  const elements = Object.entries(data ?? {}).map(([id, params]) => ({
    id,
    read: namedValues(params),
    isBare: Object.keys(params).length === 0,
  }));
  return (event) => {
    let text = '';
    for (const { id, read, isBare } of elements) {
      const found = read(event);
      if (found.length === 0 && !isBare) continue;
      text += structuredElement(
        id,
        found.map(([name, value]) => [name, clean(plainText(value))]),
      );
    }
    return text;
  };
};
