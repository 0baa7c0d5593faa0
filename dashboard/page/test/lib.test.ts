import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAt, spread, stacked, stepArea, stepLine, ticks } from '../src/lib/charts.ts';
import { cell, csv } from '../src/lib/csv.ts';
import { byNearness, drawnSteps, isServed, sentenceOf, toleratedBy, waitingSentence, type NodeGroup, type RequestReport } from '../src/lib/explanation.ts';
import { clockDuration, duration, names, seconds } from '../src/lib/format.ts';
import { Palette } from '../src/lib/palette.ts';

test('durations have at most two units', () => {
  assert.deepEqual([5, 754, 11_520, 187_200].map(duration), ['5 s', '12 min', '3 h 12 min', '2 d 4 h']);
  assert.equal(clockDuration(3723), '1:02:03');
  assert.deepEqual([0.007, 0.42, 3, 90].map(seconds), ['7 ms', '0.42 s', '3 s', '1 min']);
  assert.equal(names(['a', 'b', 'c']), 'a, b and 1 more');
});

test('cells that a spreadsheet would take for a formula are quoted', () => {
  assert.equal(cell('=1+2'), `"'=1+2"`);
  assert.equal(cell('@x'), `"'@x"`);
  assert.equal(cell(-5), '-5');
  assert.equal(csv(['a,b'], [['say "x"', null]]), '"a,b"\r\n"say ""x""",\r\n');
});

test('the largest namespaces have colours of their own, the others share one', () => {
  const palette = new Palette();
  palette.prepare(new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, i) => [name, 10 - i])));
  assert.deepEqual(['a', 'f', 'g', ''].map((name) => palette.of(name)), [1, 6, 0, 0]);
});

test('values hold until the next sample, and nothing is drawn where there is none', () => {
  const same = (value: number) => value;
  assert.equal(stepLine([0, 10, 20], [1, null, 3], same, same, 30), 'M0 1H10M20 3H30');
  assert.equal(stepArea([0, 10], [0, 0], [4, 5], same, same, 20), 'M0 4H10V5H20V0H10V0H0Z');
  assert.deepEqual(stacked([[1, null], [2, null]]), [[1, null], [3, null]]);
  assert.deepEqual([5, 10, 15].map((at) => sampleAt([10, 12], at)), [-1, 0, 1]);
  assert.deepEqual(ticks(142), [0, 50, 100]);
  assert.deepEqual(spread([10, 12, 90], 15, 95), [10, 25, 90]);
});

const request: RequestReport = {
  claim: 'ml/train',
  request: 'gpu',
  deviceClass: 'gpu',
  needed: 4,
  published: 12,
  ofClass: 8,
  available: 6,
  obstacles: [{ kind: 'Held', check: 'inUse', devices: 1, text: '1 held', holders: ['ml/a', 'ml/b', 'ml/c'] }],
  steps: [
    { check: 'class', removed: 4, remaining: 8 },
    { check: 'selectors', removed: 0, remaining: 8 },
    { check: 'inUse', removed: 2, remaining: 6, removedDevices: ['d/p/gpu-0'] },
  ],
};
const group = (node: string, available: number, rejected = false): NodeGroup => ({
  nodes: [node],
  rejections: rejected ? [{ rule: 'Taint', text: 'has a taint', kubernetes: '' }] : [],
  requests: [{ ...request, available }],
});

test('the step that fails is the node when no step leaves too few', () => {
  const steps = drawnSteps(request, [group('n1', 3), group('n2', 2)]);
  assert.deepEqual(steps.map((step) => [step.check, step.number, step.failed]), [
    ['class', '8', false],
    ['inUse', '6', false],
    ['oneNode', '3 of 4', true],
  ]);
  assert.equal(isServed(request, [group('n1', 4)]), true);
});

test('nodes that have most of what is needed come first, rejected ones last', () => {
  const sorted = byNearness([group('rejected', 4, true), group('far', 1), group('near', 3)]);
  assert.deepEqual(sorted.map((each) => each.nodes[0]), ['near', 'far', 'rejected']);
  assert.equal(sentenceOf(group('n1', 3)), 'gpu: 3 of 4, 1 held by claims ml/a and 2 more');
});

test('whether waiting helps is one sentence', () => {
  assert.equal(waitingSentence({ helps: 'yes', claims: ['ml/a'] }), 'Waiting may help: claim ml/a holds the missing devices.');
  assert.match(waitingSentence({ helps: 'no' }), /will not help/);
});

test('the taint of a suggestion is tried as an option of the plan', () => {
  const objects = [{ kind: 'ResourceClaim', name: 'train', field: 'spec.devices.requests[gpu].exactly.tolerations' }];
  assert.deepEqual(toleratedBy({ text: 'let request gpu tolerate a=b:NoSchedule', owner: 'user', node: 'n1', objects }), ['a=b:NoSchedule']);
  assert.deepEqual(toleratedBy({ text: 'lower the count', owner: 'user', node: 'n1', objects: [] }), []);
});
