import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRow, parseFilter, toggleTerm } from '../../src/fleet/filter.ts';
import { lettersOf } from '../../src/fleet/states.ts';
import { fleet, h100, mig, node } from './fixture.ts';

const SHAPE = h100();
const ROW = node(0, SHAPE, {
  name: 'h100x8-00',
  groups: [0],
  state: `##..x...${'.'.repeat(10)}`,
  holds: [0, 1, 0, 1, 1, 1],
});
const DATA = fleet([SHAPE], [ROW], {
  groups: new Map([[0, { id: 0, level: 'rack', name: 'r01' }]]),
  holders: new Map([
    [0, { id: 0, namespace: 'ml', claim: 'train-gpu', pods: ['train-0'], gang: 'train', owner: 'Job/train' }],
    [1, { id: 1, namespace: 'dev', claim: 'notebook', pods: ['notebook-7'] }],
  ]),
});

/** Positions that match, or 'all'. */
function matched(query: string): number[] | 'all' {
  const found = matchRow(parseFilter(query), DATA, ROW, undefined);
  return found === undefined ? 'all' : [...found].flatMap((each, i) => (each === 1 ? [i] : []));
}

test('words match names of nodes, racks, devices and holders', () => {
  assert.equal(matched('h100x8'), 'all');
  assert.equal(matched('R01'), 'all');
  assert.deepEqual(matched('gpu-4'), [4]);
  assert.deepEqual(matched('notebook'), [1]);
  assert.deepEqual(matched('no-such-name'), []);
});

test('keys match one property', () => {
  assert.deepEqual(matched('ns:ml'), [0]);
  assert.deepEqual(matched('pod:train-0'), [0]);
  assert.deepEqual(matched('pod:dev/notebook-7'), [1]);
  assert.deepEqual(matched('gang:ml/train'), [0]);
  assert.deepEqual(matched('state:tainted'), [4]);
  assert.deepEqual(matched('state:use'), [0, 1]);
  assert.deepEqual(matched('class:rdma'), [8, 9, 10, 11, 12, 13, 14, 15]);
  assert.equal(matched('node:x8-00'), 'all');
  assert.deepEqual(matched('node:other'), []);
  assert.equal(matched('rack:r01'), 'all');
});

test('all terms must match', () => {
  assert.deepEqual(matched('state:use ns:dev'), [1]);
  assert.deepEqual(matched('h100x8 class:gpu state:free'), [2, 3, 5, 6, 7]);
});

test('an expression with device. is CEL and may follow keys', () => {
  assert.deepEqual(parseFilter('ns:ml device.driver == "a b"'), {
    terms: [{ key: 'ns', value: 'ml' }],
    cel: 'device.driver == "a b"',
  });
  const found = matchRow(parseFilter('device.driver == "x"'), DATA, ROW, new Map([[0, [2, 3]]]));
  assert.deepEqual([...found!].flatMap((each, i) => (each === 1 ? [i] : [])), [2, 3, 4]);
  const none = matchRow(parseFilter('device.driver == "x"'), DATA, ROW, new Map());
  assert.ok(!none!.includes(1));
});

test('half-typed keys and hostile text are words', () => {
  assert.deepEqual(parseFilter('ns: <img src=x>').terms, [{ key: '', value: '<img' }, { key: '', value: 'src=x>' }]);
  assert.deepEqual(parseFilter('   '), { terms: [], cel: '' });
});

test('a click adds a term, a second click removes it, another value replaces it', () => {
  assert.equal(toggleTerm('', 'state', 'free'), 'state:free');
  assert.equal(toggleTerm('state:free h100', 'state', 'free'), 'h100');
  assert.equal(toggleTerm('state:free h100', 'state', 'use'), 'state:use h100');
  assert.equal(toggleTerm('', 'rack', 'r 1'), 'rack:"r 1"');
  assert.deepEqual(parseFilter('rack:"r 1"').terms, [{ key: 'rack', value: 'r 1' }]);
});

test('words of states select their letters', () => {
  assert.equal(lettersOf('free'), '.');
  assert.equal(lettersOf('use'), '#o');
  assert.equal(lettersOf('held'), 'h');
  assert.equal(lettersOf('unhealthy'), 'uU');
});

test('partitions match by profile', () => {
  const shape = mig(false);
  const row = node(1, shape);
  const found = matchRow(parseFilter('3g.20gb'), fleet([shape], [row]), row, undefined)!;
  assert.equal(found.reduce((sum, each) => sum + each, 0), 2);
});
