/** The config of a generator as a member of the example. */
export interface ExampleMember {
  /** Directory of the generator. */
  readonly directory: string;
  /** Path of the config, or of its folder, relative to the incident file. */
  readonly path: string;
}

const quoted = (text: string): string =>
  /^[A-Za-z.][\w./-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text) ? text : JSON.stringify(text);

/** A small incident to begin with. */
export const exampleIncident = (name: string, { directory, path }: ExampleMember): string => {
  const member = quoted(directory);
  return `summary: An attack, then silence.
duration: 10m

# Generators that take part, by a name of your choice. Paths are relative to this file.
members:
  ${member}: {path: ${quoted(path)}}

# Who and what takes part. The seed of a run draws them, the same for all members.
entities:
  attacker:
    ip: {address: 198.51.100.0/24}
    tries: {number: [10, 20]}

# What happens when.
phases:
  # Adds events. Templates and scripts read the values with globals.get('attacker_ip').
  - name: attack
    at: 1m
    for: 2m
    # repeat: {times: 2, every: 4m}
    members:
      ${member}:
        events: 30
        # templates: [brute-force]
        globals: {attacker_ip: '\${attacker.ip}', tries: '\${attacker.tries}'}
  # No events for a while.
  - name: silence
    at: 8m
    for: 1m
    stopped: [${member}]

# A line for each event that a phase adds.
ground_truth:
  file: {path: '../out/${name}/{member}.truth.jsonl', write_mode: overwrite}
`;
};

const stepsOf = (path: string): readonly string[] => {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps;
};

/** The way from one directory to another; both absolute, or relative to the same one. */
export const wayBetween = (from: string, to: string): string => {
  if (from.startsWith('/') !== to.startsWith('/')) return to;
  const [begin, end] = [stepsOf(from), stepsOf(to)];
  let shared = 0;
  while (shared < begin.length && begin[shared] === end[shared]) shared += 1;
  return [...begin.slice(shared).map(() => '..'), ...end.slice(shared)].join('/') || '.';
};
