import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { makeIncidents, THEFT } from './setUp.js';

const START = { name: 'theft', seed: '7', rounds: 1 };
const NAME = { name: 'theft' };

const running = () => {
  const made = makeIncidents();
  made.register('door', 'running');
  made.register('safe', 'running');
  const progress = async () => {
    const read = await made.ask('incidents.read', { ...NAME, seed: null });
    return E.isRight(read) ? { state: read.right.state, position: read.right.position } : read.left.code;
  };
  /** What the door is to do: its seconds, from when on. */
  const assignedNow = () => {
    const run = made.assigned.get('door')?.run;
    return run === undefined ? null : { ...run.range, starts_in: (run.start - made.clock.now()) / 1e6 };
  };
  return { ...made, progress, assignedNow };
};

describe('an incident under way', () => {
  test('gives every member its assignment, a second before it begins', async () => {
    const incident = running();
    expect(await incident.ask('incidents.start', START)).toMatchObject({
      right: { seed: '7', round: 1, rounds: 1 },
    });
    expect(incident.steps).toEqual(['assign door', 'assign safe']);
    expect(incident.assignedNow()).toEqual({ from: 0, to: 100, starts_in: 1 });
    expect(incident.assigned.get('door')?.run).toMatchObject({ drawn: { thief: 'ana' }, isAlone: false });
    expect(await incident.progress()).toEqual({ state: 'running', position: -1 });
    await incident.clock.advanceMs(31_000);
    expect(await incident.progress()).toEqual({ state: 'running', position: 30 });
  });

  test('ends with its last events made, and the members go on as before', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.clock.advanceMs(102_900);
    expect(incident.steps).toHaveLength(2);
    await incident.clock.advanceMs(200);
    expect(incident.steps.slice(2)).toEqual(['unassign door', 'unassign safe']);
    expect(await incident.ask('incidents.read', { ...NAME, seed: null })).toMatchObject({
      right: { state: 'idle', position: null, run: null, last: { outcome: 'finished', reason: null } },
    });
  });

  test('has its ground truth read while it starts, pauses and is over, from where the reader is', async () => {
    const incident = running();
    const truth = (after: string | null) => incident.ask('incidents.truth', { ...NAME, after });
    const lines = ['theft door null', 'theft safe null'];
    expect(await truth(null)).toMatchObject({ right: { lines } });
    await incident.ask('incidents.start', START);
    // The file of the run counts, whatever it is now.
    incident.files['theft'] = 'duration: soon';
    expect(await truth('5-0')).toMatchObject({ right: { lines: ['theft door 5-0', 'theft safe 5-0'] } });
    await incident.ask('incidents.stop', NAME);
    expect(await truth(null)).toMatchObject({ left: { code: 'invalid' } });
    expect(await incident.ask('incidents.truth', { name: 'other', after: null })).toMatchObject({
      left: { code: 'not_found' },
    });
  });

  test('that a crash cut off is reported by the next service, until another run has ended', async () => {
    const notes = new Map<string, string>();
    const service = () => {
      const made = makeIncidents(undefined, notes);
      made.register('door', 'running');
      made.register('safe', 'running');
      const last = async () => {
        const read = await made.ask('incidents.read', { ...NAME, seed: null });
        return E.isRight(read) ? read.right.last : read.left;
      };
      return { ...made, last };
    };
    const first = service();
    const begun = await first.ask('incidents.start', START);
    const at = E.isRight(begun) ? begun.right.started_at : '';
    expect(await first.last()).toBeNull();
    const second = service();
    expect(await second.last()).toEqual({ at, outcome: 'cut_off', reason: null });
    await second.ask('incidents.start', START);
    expect(await second.last()).toBeNull();
    await second.ask('incidents.stop', NAME);
    expect(await second.last()).toMatchObject({ outcome: 'stopped' });
    expect(await service().last()).toBeNull();
  });

  test('is paused a second later, and goes on from there', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.clock.advanceMs(16_000);
    expect(await incident.ask('incidents.pause', NAME)).toEqual(E.right(null));
    expect(incident.assignedNow()).toMatchObject({ from: 0, to: 16 });
    await incident.clock.advanceMs(3_600_000);
    expect(await incident.progress()).toEqual({ state: 'paused', position: 16 });
    expect(await incident.ask('incidents.resume', NAME)).toEqual(E.right(null));
    expect(incident.assignedNow()).toEqual({ from: 16, to: 100, starts_in: -15 });
    await incident.clock.advanceMs(1_000);
    expect(await incident.progress()).toEqual({ state: 'running', position: 16 });
    await incident.clock.advanceMs(87_000);
    expect(await incident.progress()).toEqual({ state: 'idle', position: null });
  });

  test('is not paused if it is resumed before', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.clock.advanceMs(16_000);
    await incident.ask('incidents.pause', NAME);
    await incident.clock.advanceMs(900);
    await incident.ask('incidents.resume', NAME);
    expect(incident.assignedNow()).toEqual({ from: 0, to: 100, starts_in: -15.9 });
    await incident.clock.advanceMs(1_000);
    expect(await incident.progress()).toEqual({ state: 'running', position: 16.9 });
  });

  test('jumps to a moment or a phase, forward and back, also while it is paused', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.clock.advanceMs(5_000);
    await incident.ask('incidents.jump', { ...NAME, to: 'takes' });
    expect(incident.assignedNow()).toEqual({ from: 50, to: 100, starts_in: -49 });
    await incident.ask('incidents.jump', { ...NAME, to: '5s' });
    expect(incident.assignedNow()).toEqual({ from: 5, to: 100, starts_in: -4 });
    await incident.ask('incidents.pause', NAME);
    await incident.ask('incidents.jump', { ...NAME, to: '55s' });
    expect(incident.assignedNow()).toMatchObject({ from: 55, to: 55 });
    await incident.clock.advanceMs(1_000);
    expect(await incident.progress()).toEqual({ state: 'paused', position: 55 });
    await incident.clock.advanceMs(60_000);
    expect(await incident.progress()).toEqual({ state: 'paused', position: 55 });
    await incident.ask('incidents.resume', NAME);
    expect(incident.assignedNow()).toMatchObject({ from: 55, to: 100 });
    expect(await incident.ask('incidents.jump', { ...NAME, to: 'tells' })).toMatchObject({
      left: { code: 'not_found', message: expect.stringContaining('no phase "tells"') },
    });
    expect(await incident.ask('incidents.jump', { ...NAME, to: '1m40s' })).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('ends after 100 s') },
    });
  });

  test('a former end does not end it after a jump back', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.clock.advanceMs(100_000);
    await incident.ask('incidents.jump', { ...NAME, to: '10s' });
    await incident.clock.advanceMs(60_000);
    expect(await incident.progress()).toEqual({ state: 'running', position: 69 });
  });

  test('comes again, with the same entities', async () => {
    const incident = running();
    await incident.ask('incidents.start', { ...START, rounds: 2 });
    await incident.clock.advanceMs(104_000);
    expect(await incident.ask('incidents.read', { ...NAME, seed: null })).toMatchObject({
      right: { state: 'running', run: { round: 2, rounds: 2 }, entities: { thief: 'ana' } },
    });
    expect(incident.steps.slice(2)).toEqual(['assign door', 'assign safe']);
    await incident.clock.advanceMs(104_000);
    expect(incident.steps.slice(4)).toEqual(['unassign door', 'unassign safe']);
    expect(await incident.progress()).toEqual({ state: 'idle', position: null });
  });

  test('shows what is under way, whatever has become of its file', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    const read = () => incident.ask('incidents.read', { ...NAME, seed: null });
    const shown = { duration: 100, members: [{ name: 'door' }, { name: 'safe' }], timeline: [{}, {}] };
    incident.files['theft'] = THEFT.replace('100s', '200s').replaceAll('safe', 'other');
    expect(await read()).toMatchObject({ right: { ...shown, problem: null } });
    incident.files['theft'] = 'duration: soon';
    expect(await read()).toMatchObject({
      right: { ...shown, problem: expect.stringContaining('must be a duration') },
    });
    delete incident.files['theft'];
    expect(await read()).toMatchObject({ right: { ...shown, text: '' } });
    await incident.ask('incidents.stop', NAME);
    expect(await read()).toMatchObject({ left: { code: 'not_found' } });
  });

  test('is stopped at once', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    await incident.ask('incidents.pause', NAME);
    expect(await incident.ask('incidents.stop', NAME)).toEqual(E.right(null));
    expect(await incident.ask('incidents.read', { ...NAME, seed: null })).toMatchObject({
      right: { state: 'idle', last: { outcome: 'stopped' } },
    });
    await incident.clock.advanceMs(200_000);
    expect(incident.steps.filter((step) => step.startsWith('unassign'))).toHaveLength(2);
  });

  test('is there once, and what needs one under way says so', async () => {
    const incident = running();
    for (const type of ['incidents.pause', 'incidents.resume', 'incidents.stop'] as const)
      expect(await incident.ask(type, NAME)).toMatchObject({ left: { code: 'wrong_state' } });
    await incident.ask('incidents.start', START);
    expect(await incident.ask('incidents.start', START)).toMatchObject({ left: { code: 'wrong_state' } });
    expect(await incident.ask('incidents.delete', NAME)).toMatchObject({ left: { code: 'wrong_state' } });
  });
});

describe('members of an incident', () => {
  test('that do not run are started, and stopped at its end', async () => {
    const incident = makeIncidents();
    incident.register('door', 'running');
    incident.register('safe', 'failed');
    await incident.ask('incidents.start', START);
    await incident.ask('incidents.stop', NAME);
    expect(incident.steps).toEqual([
      'start safe',
      'assign door',
      'assign safe',
      'unassign door',
      'unassign safe',
      'stop safe',
    ]);
  });

  test('that the service does not have are made, and removed at its end', async () => {
    const incident = makeIncidents();
    incident.register('door', 'running');
    await incident.ask('incidents.start', START);
    await incident.ask('incidents.stop', NAME);
    expect(incident.steps).toEqual([
      'create theft.safe',
      'start theft.safe',
      'assign door',
      'assign theft.safe',
      'unassign door',
      'remove theft.safe',
    ]);
  });

  test('are found by their config whatever their id, or by the id that the file gives', async () => {
    const incident = makeIncidents({
      theft: THEFT.replace('{path: ../generators/door}', '{path: ../generators/door, id: b}'),
    });
    incident.register('a', 'running', 'door/generator.yml');
    incident.register('b', 'running', 'door/generator.yml');
    incident.register('c', 'running', 'safe/generator.yml');
    await incident.ask('incidents.start', START);
    expect(incident.steps).toEqual(['assign b', 'assign c']);
  });

  test('that may be one of several generators are asked for', async () => {
    const incident = makeIncidents();
    incident.register('a', 'running', 'door/generator.yml');
    incident.register('b', 'running', 'door/generator.yml');
    expect(await incident.ask('incidents.start', START)).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('may be any of a, b') },
    });
    // Its own name decides.
    incident.register('door', 'running');
    expect(await incident.ask('incidents.start', START)).toMatchObject({ right: { seed: '7' } });
  });

  test.each(['start theft.safe', 'assign door'])('a failure to %s undoes the others', async (step) => {
    const incident = makeIncidents();
    incident.register('door', 'running');
    incident.failing.add(step);
    expect(await incident.ask('incidents.start', START)).toMatchObject({ left: { code: 'output_failed' } });
    expect(incident.steps.slice(-2).sort()).toEqual(['remove theft.safe', 'unassign door']);
    expect(await incident.ask('incidents.list', null)).toMatchObject({ right: [{ state: 'idle' }] });
  });

  test('that cannot be released are named by the last end', async () => {
    const incident = running();
    await incident.ask('incidents.start', START);
    incident.failing.add('unassign safe');
    await incident.ask('incidents.stop', NAME);
    expect(await incident.ask('incidents.read', { ...NAME, seed: null })).toMatchObject({
      right: { state: 'idle', last: { reason: 'unassign safe failed' } },
    });
  });
});

describe('incident files', () => {
  test('are listed with their problem, and read with timeline, members and entities of a seed', async () => {
    const incident = makeIncidents({ theft: THEFT, broken: 'duration: soon' });
    incident.register('door', 'running');
    expect(await incident.ask('incidents.list', null)).toMatchObject({
      right: [
        { name: 'broken', duration: null, state: 'idle', problem: expect.stringContaining('duration') },
        { name: 'theft', summary: 'Knocks, then takes.', duration: 100, problem: null },
      ],
    });
    expect(await incident.ask('incidents.read', { ...NAME, seed: '7' })).toMatchObject({
      right: {
        text: THEFT,
        entities: { thief: 'ana' },
        timeline: [
          {
            phase: 'knocks',
            from: 10,
            to: 20,
            effects: [{ member: 'door', effect: '5 events' }],
            expected: 5,
          },
          {
            phase: 'takes',
            from: 50,
            to: 60,
            effects: [{ member: 'safe' }, { member: 'door', effect: 'is silent' }],
          },
        ],
        members: [
          { name: 'door', generator_id: 'door', phase: 'running' },
          { name: 'safe', generator_id: null, phase: null },
        ],
      },
    });
    expect(await incident.ask('incidents.read', { name: 'broken', seed: '7' })).toMatchObject({
      right: { text: 'duration: soon', timeline: [], entities: null },
    });
  });

  test('are written only if they are valid, and removed', async () => {
    const incident = makeIncidents({});
    const broken = { name: 'new', text: THEFT.replace('50s', '500s') };
    expect(await incident.ask('incidents.write', broken)).toMatchObject({
      left: { code: 'invalid', issues: [{ path: ['phases', 1, 'at'] }] },
    });
    expect(incident.files).toEqual({});
    expect(await incident.ask('incidents.write', { name: 'new', text: THEFT })).toEqual(E.right(null));
    expect(incident.files).toEqual({ new: THEFT });
    expect(await incident.ask('incidents.delete', { name: 'new' })).toEqual(E.right(null));
    expect(incident.files).toEqual({});
  });

  test('that do not exist are not found, with the nearest name', async () => {
    const incident = makeIncidents();
    expect(await incident.ask('incidents.start', { ...START, name: 'thef' })).toMatchObject({
      left: { code: 'not_found', message: expect.stringContaining('theft') },
    });
  });
});
