export const INIT_EVENTS = ['template', 'script'] as const;
export type InitEvent = (typeof INIT_EVENTS)[number];

const EVENT: Readonly<Record<InitEvent, string>> = {
  template: `# What an event looks like. Each timestamp renders one Jinja template, here picked by weight.
event:
  template:
    mode: chance # or all, any, spin, chain, fsm
    templates:
      - action: {template: action.jinja, chance: 9}
      - error: {template: error.jinja, chance: 1}
    samples: # data for the templates
      users: {type: csv, source: users.csv, header: true}
`,
  script: `# What an event looks like. The script produce.js returns one event, or a list of events, per timestamp.
event:
  script:
    path: produce.js
  # replay: # instead: replay the lines of a log file
  #   path: sample.log
  #   repeat: true
`,
};

const FILES: Readonly<Record<InitEvent, Readonly<Record<string, string>>>> = {
  template: {
    'action.jinja': `{#- One render is one event. Random values depend on the seed of the generator. -#}
{%- set user = samples.users.weighted_pick('weight') -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ user.name | json }}, "action": "{{ module.rand.choice(['login', 'view', 'buy', 'logout']) }}"}
`,
    'error.jinja': `{#- \`shared\` is state that all templates of this generator see. -#}
{%- do shared.set('errors', shared.get('errors', 0) + 1) -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ samples.users.pick().name | json }}, "action": "error {{ shared.errors }}"}
`,
    'users.csv': `name,weight
ada,5
grace,3
linus,1
`,
  },
  script: {
    'produce.js': `/**
 * Called for each timestamp; returns an event or a list of events.
 * Use \`random\` instead of Math.random: it depends on the seed, so runs can be repeated.
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
  template: '- `action.jinja`, `error.jinja`: what an event looks like; `users.csv`: the users',
  script: '- `produce.js`: what an event looks like',
};

export interface NewGenerator {
  readonly name: string;
  readonly event: InitEvent;
  /** Folder and program as the user can type them. */
  readonly shown: string;
  readonly program: string;
}

/** Files of a new generator by name; it runs unchanged. */
export const initFiles = ({
  name,
  event,
  shown,
  program,
}: NewGenerator): Readonly<Record<string, string>> => ({
  'generator.yml': `# Inputs make timestamps, the event plugin turns each into events, outputs write them.
# All plugins and their options: ${program} plugins

# When events happen. Several inputs are merged by time.
input:
  - timer:
      seconds: 1 # interval
      count: 1 # events per interval
      # repeat: 100 # number of intervals (default: runs until stopped)
  # - cron:
  #     expression: "*/10 * * * *" # every ten minutes; a sixth field in front sets seconds
  #     count: 5

${EVENT[event]}
# Where events go. Every output receives every event.
output:
  - stdout: {}
  # - file:
  #     path: out/events.log
`,
  ...FILES[event],
  'README.md': `# ${name}

Describe what this generator simulates.

- \`generator.yml\`: when events happen and where they go
${WHAT[event]}

Try it: \`${program} preview ${shown}\`, then \`${program} generate ${shown} --limit 10\`
`,
});
