export const INIT_EVENTS = ['template', 'script'] as const;
export type InitEvent = (typeof INIT_EVENTS)[number];

const EVENT: Readonly<Record<InitEvent, string>> = {
  template: `# What an event is. Templates are Jinja; one is picked for each timestamp, here by its weight.
event:
  template:
    mode: chance # or all, any, spin, chain, fsm
    templates:
      - action: {template: action.jinja, chance: 9}
      - error: {template: error.jinja, chance: 1}
    samples: # data to pick from
      users: {type: csv, source: users.csv, header: true}
`,
  script: `# What an event is. A script returns one event or a list of them; produce.js is beside this file.
event:
  script:
    path: produce.js
  # replay: # the lines of a log file instead
  #   path: sample.log
  #   repeat: true
`,
};

const FILES: Readonly<Record<InitEvent, Readonly<Record<string, string>>>> = {
  template: {
    'action.jinja': `{#- One render is one event. Everything random follows the seed of the generator. -#}
{%- set user = samples.users.weighted_pick('weight') -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ user.name | tojson }}, "action": "{{ module.rand.choice(['login', 'view', 'buy', 'logout']) }}"}
`,
    'error.jinja': `{#- shared is the state of all templates of this generator. -#}
{%- do shared.set('errors', shared.get('errors', 0) + 1) -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ samples.users.pick().name | tojson }}, "action": "error {{ shared.errors }}"}
`,
    'users.csv': `name,weight
ada,5
grace,3
linus,1
`,
  },
  script: {
    'produce.js': `/**
 * Called once for each timestamp: returns an event, or a list of events.
 * \`random\` follows the seed of the generator: use it instead of Math.random, so that runs can be repeated.
 */
export const produce = ({ timestamp, random }) =>
  JSON.stringify({
    time: \`\${timestamp}\`,
    user: \`user-\${random.integer(1, 100)}\`,
    action: ['login', 'view', 'buy', 'logout'][random.integer(0, 3)],
  });
`,
  },
};

const WHAT: Readonly<Record<InitEvent, string>> = {
  template: '- `action.jinja`, `error.jinja`: what an event is; `users.csv`: who acts',
  script: '- `produce.js`: what an event is',
};

/** Files of a new generator by name; it runs unchanged. */
export const initFiles = (name: string, event: InitEvent): Readonly<Record<string, string>> => ({
  'generator.yml': `# A generator: inputs make timestamps, the event plugin turns each into events, outputs write them.
# Every plugin with its options: spate plugins

# When events happen. Several inputs are merged in the order of time.
input:
  - timer:
      seconds: 1 # interval
      count: 1 # events per interval
      # repeat: 100 # end after so many intervals; without it the generator goes on until it is stopped
  # - cron:
  #     expression: "*/10 * * * *" # every ten minutes; six fields begin with seconds
  #     count: 5

${EVENT[event]}
# Where events go. Each output gets every event.
output:
  - stdout: {}
  # - file:
  #     path: out/events.log
`,
  ...FILES[event],
  'README.md': `# ${name}

What this generator imitates, and for whom.

- \`generator.yml\`: when events happen and where they go
${WHAT[event]}

Try it: \`spate preview .\`, then \`spate generate --path generator.yml --limit 10\`
`,
});
