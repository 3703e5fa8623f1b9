import type { Files } from './checkSupport.js';

/** Generates valid templates with the constructs of real-world packs. */
export const CORPUS: Files = {
  'macros/network.jinja': `{%- macro client(kind, rows) -%}
  {%- set net = module.rand.network -%}
  {%- if kind == 'private' -%}
    {{- net.ip_v4_private_c() -}}
  {%- else -%}
    {{- net.ip_v4_public() -}}
  {%- endif -%}
{%- endmacro -%}
{%- macro mac(vendor) -%}
  {{- module.rand.network.mac(vendor=vendor) -}}
{%- endmacro -%}
{%- macro hexes(n) -%}{{- module.rand.string.hex(n) ~ '-' ~ client('private', []) -}}{%- endmacro -%}
`,
  'macros/wrap.jinja': `{%- macro wrap(name) -%}<{{ name }}{{ varargs|join }}{{ kwargs|length }}>{{ caller(name, 1) }}</{{ name }}>{%- endmacro -%}
{%- macro plain() -%}[{{ caller() if caller is defined else '-' }}]{%- endmacro -%}
{%- macro stamp(at) -%}{{ at.isoformat() }} {{ params.get('zone', 'UTC') }}{%- endmacro -%}
`,
  'macros/context.jinja': `{%- macro head() -%}{{ timestamp.isoformat() }} {{ tags|join(',') }} {{ vars.level }} {{ host }}{%- endmacro -%}
`,
  'login.jinja': `{#- A login, ECS -#}
{%- from 'macros/network.jinja' import client, mac as hardware, hexes -%}
{%- set rand = module.rand -%}
{%- set user = samples.users.weighted_pick('weight') -%}
{%- set host = (samples.hosts | selectattr('os', 'equalto', 'linux') | list | random) -%}
{%- set session = shared.get('session', 0) + 1 -%}
{%- do shared.set('session', session) -%}
{%- set outcome = rand.weighted_choice(['success', 'failure'], [9, 1]) -%}
{%- set code = rand.weighted_choice({200: 5, 404: 1}) -%}
{%- if outcome == 'success' -%}
  {%- set message = 'Accepted password for ' ~ user.name -%}
{%- else -%}
  {%- set message = 'Failed password for ' ~ user.name -%}
{%- endif -%}
{%- set pool = shared.get('pool', []) -%}
{%- for i in range(rand.number.integer(1, 3)) if i is odd -%}
  {%- do pool.append({'id': rand.crypto.uuid4(), 'i': i, 'at': (timestamp - module.datetime.timedelta(hours=i)).strftime('%Y-%m-%dT%H:%M:%S.%f')[:-3]}) -%}
{%- endfor -%}
{%- if pool|length > 5 -%}{%- do pool.pop(0) -%}{%- endif -%}
{%- set parts = user.name.split('.', 1) -%}
{%- set first, last = parts[0], parts[-1] -%}
{%- set digest = module.base64.b64encode(module.hashlib.sha1(user.name.encode()).digest()).decode() -%}
{
  "@timestamp": "{{ timestamp.isoformat() }}",
  "epoch": {{ timestamp.timestamp() | int }},
  "event": {"outcome": "{{ outcome }}", "code": {{ code }}, "id": "{{ '%06d' | format(session) }}"},
  "message": {{ message | tojson }},
  "user": {{ {'name': user.name, 'full': first ~ ' ' ~ last, 'roles': user.roles} | tojson }},
  "source": {"ip": "{{ client('private' if rand.chance(0.5) else 'public', []) }}", "mac": "{{ hardware('cisco') }}"},
  "host": {"name": "{{ host.name | lower | replace('_', '-') }}", "hexes": "{{ hexes(8) }}"},
  "agent": "{{ module.faker.locale['en_US'].user_agent() }}",
  "digest": "{{ digest }}", "load": {{ (rand.number.lognormal(0, 1) * 100) | round(2) }},
  "level": "{{ vars.level | default('info') }}", "zone": "{{ params.get('zone', 'UTC') }}", "dc": "{{ params.dc }}",
  "pool": [{% for item in pool %}{{ item.id | tojson }}{{ ", " if not loop.last }}{% endfor %}]
}
`,
  'session.jinja': `{%- import 'macros/wrap.jinja' as w -%}
{%- import 'macros/context.jinja' as ctx with context -%}
{%- set host = params['dc'] -%}
{%- set ns = namespace(total=0, found=none, first=true) -%}
{%- for user in samples['users'] -%}
  {%- set ns.total = ns.total + user.weight | int -%}
  {%- if ns.found is none and loop.index0 > 0 -%}{%- set ns.found = user -%}{%- endif -%}
  {%- if loop.first %}{% continue %}{% endif -%}
  {{ loop.index }}:{{ loop.previtem.name if loop.previtem is defined else '' }}
{%- else -%}
  nobody {{ host }}
{%- endfor -%}
{{ ns.total }} {{ ns.found.name if ns.found else '-' }}
{%- call(name, n) w.wrap('a', 'b', c=1) -%}{{ name }}{{ n }}{{ host }}{%- endcall -%}
{%- call w.plain() -%}x{%- endcall -%}
{{ w.plain() }}{{ ctx.head() }}{{ w.stamp(timestamp) }}
{%- set text | upper | trim -%} {{ host }} {% set inner = 1 %}{{ inner }} {%- endset -%}
{%- filter replace('a', 'b') -%}{{ text }}{%- endfilter -%}
{%- with a = 1, b = host -%}{{ a }}{{ b }}{%- include 'parts/footer.jinja' -%}{%- endwith -%}
{%- set tree = [{'v': 1, 'c': [{'v': 2, 'c': []}]}] -%}
{%- for node in tree recursive -%}{{ node.v }}{{ loop.depth }}{{ loop(node.c) }}{%- endfor -%}
{%- set sep = joiner(', ') -%}{%- set row = cycler('odd', 'even') -%}
{%- for k, v in params.items() -%}{{ sep() }}{{ k }}={{ v }}{{ row.next() }}{%- endfor -%}
{%- for (x, (y, z)) in [(1, (2, 3))] -%}{{ x }}{{ y }}{{ z }}{%- endfor -%}
{%- if tags and 'web' in tags -%}{%- do dispatch.drop() -%}{%- elif rand is defined -%}{{ rand }}{%- endif -%}
{%- include ['parts/nope.jinja', 'parts/footer.jinja'] -%}
{%- include 'parts/gone.jinja' ignore missing -%}
{%- macro fact(n) -%}{{ n * fact(n - 1) | int if n > 1 else 1 }}{%- endmacro -%}{{ fact(3) }}
{%- raw -%}{{ not_a_name }}{%- endraw -%}
{{ locals.count or 0 }}{{ globals['seen'] }}{{ subprocess.run('true').stdout }}{{ self }}
`,
  'parts/footer.jinja': `{{ host }} {{ b | default('') }} {{ timestamp.year }} {% set only_here = 1 %}{{ only_here }}`,
  'base.jinja': `{%- set product = 'spate' -%}
{%- block head -%}{{ product }}{%- endblock -%}
{%- for user in samples.users -%}{%- block row scoped -%}{{ user.name }}{{ loop.index }}{%- endblock -%}{%- endfor -%}
{%- block tail required -%}{%- endblock -%}
`,
  'child.jinja': `{%- extends 'base.jinja' -%}
{%- from 'macros/network.jinja' import client -%}
{%- set extra = 'x' -%}
{%- macro local() -%}{{ extra }}{%- endmacro -%}
{%- block head -%}{{ super() }}{{ extra }}{{ local() }}{{ client('a', []) }}{%- endblock -%}
{%- block row -%}{{ user.name }}{{ product }}{%- endblock -%}
{%- block tail -%}{{ self.head() }}{%- endblock -%}
`,
  'event.jinja': `{%- set size = event | length -%}<134>{{ size }} {{ event }}{% for word in event.split() %}{{ word }}{% endfor %}`,
};
