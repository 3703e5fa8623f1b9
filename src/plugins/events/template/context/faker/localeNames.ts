import { LOCALE_ENTRIES, type LocaleEntry } from './localeEntries.js';

/** Locale names in templates, each with its faker-js locale. */
export type LocaleNames = ReadonlyMap<string, LocaleEntry>;

const isEntry = (name: string): name is LocaleEntry => Object.hasOwn(LOCALE_ENTRIES, name);

const OWN_NAMES: readonly LocaleEntry[] = Object.keys(LOCALE_ENTRIES).filter(isEntry);

/** Names in Python's Faker that differ in faker-js. */
const PYTHON_NAMES: Readonly<Record<string, LocaleEntry>> = {
  ar_AA: 'ar',
  az_AZ: 'az',
  bn: 'bn_BD',
  cs: 'cs_CZ',
  cy_GB: 'cy',
  da_DK: 'da',
  de_DE: 'de',
  dk_DK: 'da',
  dv_MV: 'dv',
  el_GR: 'el',
  es_ES: 'es',
  fa_IR: 'fa',
  fi_FI: 'fi',
  fr_FR: 'fr',
  fr_QC: 'fr_CA',
  he_IL: 'he',
  hr_HR: 'hr',
  hu_HU: 'hu',
  hy_AM: 'hy',
  id: 'id_ID',
  it_IT: 'it',
  ja_JP: 'ja',
  ka: 'ka_GE',
  ko_KR: 'ko',
  lv_LV: 'lv',
  mk_MK: 'mk',
  mn_MN: 'mn_MN_cyrl',
  ne_NP: 'ne',
  nl_NL: 'nl',
  no: 'nb_NO',
  no_NO: 'nb_NO',
  pl_PL: 'pl',
  pt: 'pt_PT',
  ro_RO: 'ro',
  ru_RU: 'ru',
  sk_SK: 'sk',
  sl: 'sl_SI',
  sr_RS: 'sr_RS_latin',
  sv_SE: 'sv',
  ta: 'ta_IN',
  th_TH: 'th',
  tr_TR: 'tr',
  uk_UA: 'uk',
  ur_PK: 'ur',
  uz_UZ: 'uz_UZ_latin',
  vi_VN: 'vi',
  zh: 'zh_CN',
};

export const FAKER_LOCALES: LocaleNames = new Map([
  ...OWN_NAMES.map((name) => [name, name] as const),
  ...Object.entries(PYTHON_NAMES),
]);

/** Locales of mimesis with a language in faker-js. */
export const MIMESIS_LOCALES: LocaleNames = new Map(
  Object.entries<LocaleEntry>({
    az: 'az',
    cs: 'cs_CZ',
    da: 'da',
    de: 'de',
    'de-at': 'de_AT',
    'de-ch': 'de_CH',
    el: 'el',
    en: 'en',
    'en-au': 'en_AU',
    'en-ca': 'en_CA',
    'en-gb': 'en_GB',
    es: 'es',
    'es-mx': 'es_MX',
    fa: 'fa',
    fi: 'fi',
    fr: 'fr',
    hr: 'hr',
    hu: 'hu',
    it: 'it',
    ja: 'ja',
    ko: 'ko',
    lv: 'lv',
    nl: 'nl',
    'nl-be': 'nl_BE',
    no: 'nb_NO',
    pl: 'pl',
    pt: 'pt_PT',
    'pt-br': 'pt_BR',
    ru: 'ru',
    sk: 'sk',
    sv: 'sv',
    tr: 'tr',
    uk: 'uk',
    zh: 'zh_CN',
  }),
);

/** Two letters: from the name (`de_AT`, `en-gb`), else the language's main country, else US. */
export const countryOf = (name: string): string => {
  const written = /[_-]([A-Za-z]{2})(?![A-Za-z])/.exec(name)?.[1];
  if (written !== undefined) return written.toUpperCase();
  const language = /^[a-z]+/.exec(name)?.[0] ?? 'en';
  const { region = '' } = new Intl.Locale(language).maximize();
  return /^[A-Z]{2}$/.test(region) ? region : 'US';
};
