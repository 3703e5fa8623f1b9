/** Files of a new generator, by their names: it runs as it is, and shows where to go on. */
export const initFiles = (name: string): Readonly<Record<string, string>> => ({
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

# What an event is. A script returns one event or a list of them; produce.js is beside this file.
event:
  script:
    path: produce.js
  # replay: # the lines of a log file instead
  #   path: sample.log
  #   repeat: true

# Where events go. Each output gets every event.
output:
  - stdout: {}
  # - file:
  #     path: out/events.log
`,
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
  'README.md': `# ${name}

What this generator imitates, and for whom.

- \`generator.yml\`: when events happen and where they go
- \`produce.js\`: what an event is

Try it: \`spate preview .\`, then \`spate generate --path generator.yml --limit 10\`
`,
});
