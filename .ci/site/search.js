/** The search box of the site: the search of the web UI's help over the same sections. */
import { makeIndex, search, snippetOf } from '../../src/ui/pages/help/search.ts';

const MAX_RESULTS = 12;
const input = document.querySelector('input[type=search]');
const list = document.querySelector('#results');
const base = new URL(input.dataset.base, location.href);

let loaded = null;
/** Loads the index at the first use. */
const load = async () => {
  const { titles, sections } = await (await fetch(new URL('search.json', base))).json();
  return { titles, index: makeIndex(sections, (page) => titles[page]) };
};

const itemOf = ({ titles }, section, query) => {
  const link = document.createElement('a');
  link.href = new URL(`${section.page}.html${section.id === '' ? '' : `#${section.id}`}`, base);
  link.textContent = [titles[section.page], section.title].filter((text) => text !== '').join(' › ');
  const text = document.createElement('small');
  text.textContent = snippetOf(section, query);
  const item = document.createElement('li');
  item.append(link, text);
  return item;
};

const note = (text) => {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
};

const itemsFor = async (query) => {
  try {
    loaded ??= load();
    const ready = await loaded;
    const found = search(ready.index, query, MAX_RESULTS);
    if (found.length === 0) return [note('No page has these words.')];
    return found.map((section) => itemOf(ready, section, query));
  } catch {
    loaded = null;
    return [note('The search needs a web server: npx serve site')];
  }
};

const show = async () => {
  const query = input.value.trim();
  const items = query === '' ? [] : await itemsFor(query);
  // A later letter has results of its own.
  if (query === input.value.trim()) list.replaceChildren(...items);
};

input.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') {
    input.value = '';
    list.replaceChildren();
  }
  if (event.key === 'Enter' && document.activeElement === input) list.querySelector('a')?.click();
});
