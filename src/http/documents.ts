import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenApi } from '../contract/openapi.js';
import { isJsonObject } from '../domain/json.js';
import { escapeHtml } from '../domain/text/shown.js';
import { type Headers, pagePolicy } from './headers.js';
import { sendBytes } from './send.js';

/** A document that never changes while the service runs. */
interface FixedDocument {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly headers: Headers;
}

/** Built on the first request. */
export interface Documents {
  readonly openapi: () => FixedDocument;
  readonly docs: () => FixedDocument;
  readonly start: () => FixedDocument;
}

const once = (make: () => FixedDocument): (() => FixedDocument) => {
  let made: FixedDocument | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

const fixed = (text: string, contentType: string, headers: Headers): FixedDocument => {
  const bytes = Buffer.from(text, 'utf8');
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  // Clients may cache it but revalidate each time.
  return { bytes, contentType, headers: { ...headers, ETag: etag, 'Cache-Control': 'no-cache' } };
};

const html = (text: string): FixedDocument => fixed(text, 'text/html; charset=utf-8', HTML_HEADERS);

export const apiDocumentsOf = (openapi: () => OpenApi, version: string): Documents => ({
  openapi: once(() => fixed(JSON.stringify(openapi()), 'application/json; charset=utf-8', {})),
  docs: once(() => html(docsPage(openapi()))),
  start: once(() => html(startPage(version))),
});

/** Sends a document, or 304 if the client has it. */
export const sendDocument = (
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  { bytes, contentType, headers }: FixedDocument,
): Promise<void> => {
  const known = (asked['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(headers['ETag'] ?? '') || known.includes('*')) {
    for (const [name, text] of Object.entries(headers)) response.setHeader(name, text);
    response.writeHead(304).end();
  } else sendBytes(response, { status: 200, headers }, contentType, bytes);
  return Promise.resolve();
};

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow: auto; max-height: 24rem; padding: 0.75rem; border: 1px solid #8886; border-radius: 4px; }
details { border: 1px solid #8886; border-radius: 4px; margin: 0.5rem 0; padding: 0.5rem 0.75rem; }
summary { cursor: pointer; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; border-bottom: 1px solid #8884; }
.method { display: inline-block; min-width: 4rem; font-weight: bold; text-transform: uppercase; }
`;

const HTML_HEADERS: Headers = pagePolicy(STYLE);

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;

type JsonNode = Readonly<Record<string, unknown>>;

const node = (value: unknown, key: string): JsonNode => {
  const inner = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(inner) ? inner : {};
};

const items = (value: unknown, key: string): readonly JsonNode[] => {
  const inner = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(inner) ? inner.filter(isJsonObject) : [];
};

const text = (value: JsonNode, key: string): string => {
  const inner = value[key];
  return escapeHtml(typeof inner === 'string' ? inner : '');
};

const paragraph = (html: string): string => (html === '' ? '' : `<p>${html}</p>`);

/** A schema in short: a link to a named schema, or its JSON. */
const schemaHtml = (schema: JsonNode): string => {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return `<code>${escapeHtml(JSON.stringify(schema))}</code>`;
  const name = escapeHtml(ref.split('/').at(-1) ?? '');
  return `<a href="#schema-${name}">${name}</a>`;
};

const contentHtml = (body: JsonNode): string =>
  Object.entries(node(body, 'content'))
    .map(([type, media]) => `<code>${escapeHtml(type)}</code> ${schemaHtml(node(media, 'schema'))}`)
    .join('<br>');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</table>`;

const operationHtml = (path: string, method: string, operation: JsonNode): string => {
  const parameters = items(operation, 'parameters').map((parameter) => [
    `<code>${text(parameter, 'name')}</code>`,
    text(parameter, 'in'),
    schemaHtml(node(parameter, 'schema')),
    text(parameter, 'description'),
  ]);
  const responses = Object.entries(node(operation, 'responses')).map(([status, response]) => [
    escapeHtml(status),
    isJsonObject(response) ? text(response, 'description') : '',
    isJsonObject(response) ? contentHtml(response) : '',
  ]);
  const body = node(operation, 'requestBody');
  return `<details id="${text(operation, 'operationId')}">
<summary><span class="method">${escapeHtml(method)}</span> <code>/api${escapeHtml(path)}</code> ${text(operation, 'summary')}</summary>
${paragraph(text(operation, 'description'))}
${table(['Parameter', 'In', 'Schema', 'Meaning'], parameters)}
${Object.keys(body).length === 0 ? '' : `<p>Body: ${contentHtml(body)}</p>`}
${table(['Status', 'Meaning', 'Content'], responses)}
</details>`;
};

const tagHtml = (tag: string, paths: JsonNode): string => {
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(isJsonObject(byMethod) ? byMethod : {}).flatMap(([method, operation]) =>
      isJsonObject(operation) && Array.isArray(operation['tags']) && operation['tags'].includes(tag)
        ? [operationHtml(path, method, operation)]
        : [],
    ),
  );
  return `<h2>${escapeHtml(tag)}</h2>\n${operations.join('\n')}`;
};

const schemasHtml = (schemas: JsonNode): string =>
  Object.entries(schemas)
    .map(
      ([name, schema]) =>
        `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`,
    )
    .join('\n');

/** The API documentation as a self-contained page, from the OpenAPI document. */
export const docsPage = (openapi: OpenApi): string => {
  const info = node(openapi, 'info');
  const tags = items(openapi, 'tags').map((tag) => String(tag['name']));
  return page(
    `${String(info['title'])} API`,
    `<h1>${text(info, 'title')} API ${text(info, 'version')}</h1>
${paragraph(text(info, 'description'))}
<p>As a document for tools: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${tags.map((tag) => tagHtml(tag, node(openapi, 'paths'))).join('\n')}
<h2>Schemas</h2>
${schemasHtml(node(node(openapi, 'components'), 'schemas'))}`,
  );
};

/** The page at `/` while there is no web UI. */
export const startPage = (version: string): string =>
  page(
    'Spate',
    `<h1>Spate ${escapeHtml(version)}</h1>
<p>The event generation service runs here.</p>
<ul>
<li><a href="/api/docs">Documentation of the API</a></li>
<li><a href="/api/openapi.json">OpenAPI document</a></li>
<li><a href="/api/generators/">Generators and their status</a></li>
<li><a href="/api/health">Health</a></li>
</ul>`,
  );
