import { raise, type Value } from '../../../../../../template/index.js';
import { pickMany, repeated, shuffled } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { count, flag, type Group, length, textsOrNone } from '../providers.js';

/** Source of words: the locale's lorem, or a list of the template. */
type Words = (amount: number) => string[];

/** Shortest text with a sentence. */
const MIN_TEXT_LENGTH = 5;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const wordsOf = (locale: LoadedLocale, list: readonly string[] | null = null): Words =>
  list === null
    ? (amount) => Array.from({ length: amount }, () => locale.of((faker) => faker.lorem.word()))
    : (amount) => pickMany(locale.random, list, amount);

/** 60 to 140 percent, at least 1. */
const about = ({ random }: LoadedLocale, amount: number, varies: boolean): number =>
  varies ? Math.max(1, Math.floor((amount * random.integer(60, 140)) / 100)) : amount;

export const sentence = (locale: LoadedLocale, words: Words, size = 6, varies = true): string =>
  size === 0 ? '' : `${capital(words(about(locale, size, varies)).join(' '))}.`;

export const paragraph = (locale: LoadedLocale, words: Words, size = 3, varies = true): string =>
  size === 0
    ? ''
    : Array.from({ length: about(locale, size, varies) }, () => sentence(locale, words)).join(' ');

/** Sentences, or words for short texts, up to a number of characters. */
const textUpTo = (locale: LoadedLocale, words: Words, most: number): string => {
  if (most < MIN_TEXT_LENGTH)
    return raise('ValueError', `a text needs max_nb_chars of ${MIN_TEXT_LENGTH} or more`);
  let result = '';
  for (;;) {
    const next = most < 25 ? words(1).join('') : sentence(locale, words);
    const longer = result === '' ? next : `${result} ${next}`;
    const limit = most < 25 ? most - 1 : most;
    if (longer.length > limit) {
      // Cut the first piece if too long: the text is never empty.
      const text = result === '' ? longer.slice(0, limit).replace(/[ .]+$/, '') : result;
      return most < 25 || result === '' ? `${capital(text)}.`.slice(0, most) : text;
    }
    result = longer;
  }
};

export const lorem: Group = (locale) => {
  const from = (list: Value | undefined): Words => wordsOf(locale, textsOrNone(list, 'ext_word_list'));
  return {
    'word(part_of_speech=None, ext_word_list=None)': (_part, list) => from(list)(1).join(''),
    'words(nb=3, ext_word_list=None, part_of_speech=None, unique=False)': (nb, list, _part, unique) => {
      const amount = count(nb, 'nb');
      if (!flag(unique)) return from(list)(amount);
      const known = textsOrNone(list, 'ext_word_list') ?? locale.of((faker) => faker.definitions.lorem.word);
      const distinct = [...new Set(known)];
      if (amount > distinct.length)
        return raise('ValueError', `cannot pick ${amount} distinct words from ${distinct.length}`);
      return shuffled(locale.random, distinct, amount);
    },
    'sentence(nb_words=6, variable_nb_words=True, ext_word_list=None)': (nb, varies, list) =>
      sentence(locale, from(list), count(nb, 'nb_words'), flag(varies)),
    'sentences(nb=3, ext_word_list=None)': (nb, list) =>
      repeated(count(nb, 'nb'), () => sentence(locale, from(list))),
    'paragraph(nb_sentences=3, variable_nb_sentences=True, ext_word_list=None)': (nb, varies, list) =>
      paragraph(locale, from(list), count(nb, 'nb_sentences'), flag(varies)),
    'paragraphs(nb=3, ext_word_list=None)': (nb, list) =>
      repeated(count(nb, 'nb'), () => paragraph(locale, from(list))),
    'text(max_nb_chars=200, ext_word_list=None)': (most, list) =>
      textUpTo(locale, from(list), length(most, 'max_nb_chars')),
    'texts(nb_texts=3, max_nb_chars=200, ext_word_list=None)': (nb, most, list) =>
      repeated(count(nb, 'nb_texts'), () => textUpTo(locale, from(list), length(most, 'max_nb_chars'))),
    'get_words_list(part_of_speech=None, ext_word_list=None)': (_part, list) => [
      ...(textsOrNone(list, 'ext_word_list') ?? locale.of((faker) => faker.definitions.lorem.word)),
    ],
  };
};
