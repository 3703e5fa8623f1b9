export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --text: #1c2128; --faint: #59636e; --line: #d5d9df; --bar: #2f6fb5; --focus: #b35900;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --panel: #1d2229; --text: #e4e8ee; --faint: #9aa5b1; --line: #363d47; --bar: #5b9fe6; --focus: #ffb454;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 3rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 1.5rem 0 0.25rem; font-size: 1.75rem; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.3rem; }
h3 { margin: 1.75rem 0 0.25rem; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
.faint, figcaption, caption { color: var(--faint); }
a { color: inherit; text-decoration-color: var(--bar); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.75rem 0; padding: 0; list-style: none; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.75rem; margin: 0; }
.figures div { padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
dt { color: var(--faint); font-size: 0.85rem; }
dd { margin: 0; }
.figures dd.main { font-size: 1.25rem; font-weight: 600; }
.figures dd + dd { color: var(--faint); font-size: 0.85rem; }
figure { margin: 0.5rem 0 1rem; }
.plot { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--faint); background: var(--panel); }
.plot rect, .share rect { fill: var(--bar); }
.axis { display: flex; justify-content: space-between; gap: 1rem; color: var(--faint); font-size: 0.85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { padding: 0.25rem 0; text-align: left; }
th, td { padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--faint); font-weight: 500; white-space: nowrap; }
tbody th { font: 0.9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.values tbody th { width: 50%; min-width: 7rem; }
.values .bar { width: 30%; min-width: 3rem; }
.share { display: block; width: 100%; height: 0.8rem; margin-top: 0.3rem; background: var(--panel); }
.fields tbody th { min-width: 12rem; }
.fields td:last-child { width: 32%; min-width: 12rem; }
@media (max-width: 40rem) {
  th, td { padding-right: 0.6rem; }
  .values tbody th { width: 40%; }
  .values .bar { width: 15%; }
}
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--faint); }
.notes { padding-left: 1.25rem; overflow-wrap: anywhere; }
`;
