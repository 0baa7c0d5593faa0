import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FleetBody, NodeRow } from '../src/lib/contract.ts';
import { contains, FleetModel, type ModelChange } from '../src/lib/model.ts';

const body: FleetBody = {
  rev: 'a.5',
  time: '2026-11-18T14:32:10Z',
  cluster: 'lab',
  classes: [
    { name: 'gpu', kind: 'g', devices: 2, inUse: 1, percent: 50, free: 1 },
    { name: 'nic', kind: 'n', devices: 1, inUse: 0, percent: 0, free: 1 },
  ],
  shapes: [
    {
      id: 0,
      devices: [
        { name: 'gpu-0', driver: 'gpu.example.com', pool: '{node}', kind: 'g', index: 0 },
        { name: '{node}-nic', driver: 'nic.example.com', pool: 'pool-{node}', kind: 'n', index: 0 },
      ],
    },
  ],
  holders: [{ id: 3, namespace: 'ml', claim: 'train' }],
  nodes: { id: [0, 1], name: ['n0', 'n1'], shape: [0, 0], state: ['#.', '..'], holds: [[0, 1, 3], []] },
};

function loaded(): FleetModel {
  const model = new FleetModel();
  model.load(body);
  return model;
}

test('columns become rows', () => {
  assert.deepEqual(loaded().nodes.get(1), { id: 1, name: 'n1', shape: 0, state: '..', holds: [] });
});

test('a change replaces whole rows, removes rows, and is told once', () => {
  const model = loaded();
  const told: ModelChange[] = [];
  model.subscribe((change) => told.push(change));
  const row: NodeRow = { id: 0, name: 'n0', shape: 0, state: '..' };
  model.apply([{ rev: 'a.6', nodes: [row] }, { rev: 'a.7', removedNodes: [1], pending: { pods: 2 } }]);
  assert.equal(model.nodes.get(0), row);
  assert.equal(model.nodes.size, 1);
  assert.equal(model.pendingPods, 2);
  assert.equal(told.length, 1);
  assert.deepEqual([...(told[0]?.nodes ?? [])], [0]);
  assert.deepEqual(told[0]?.removedNodes.map((each) => each.name), ['n1']);
});

test('a change that the fleet contains already is left out', () => {
  const model = loaded();
  model.apply([{ rev: 'a.5', removedNodes: [0] }]);
  assert.equal(model.nodes.size, 2);
  assert.equal(contains('a.5', 'a.6'), false);
  assert.equal(contains('b.5', 'a.4'), false);
});

test('changed classes keep their places', () => {
  const model = loaded();
  const gpu = { name: 'gpu', kind: 'g' as const, devices: 2, inUse: 2, percent: 100, free: 0 };
  model.apply([{ rev: 'a.6', classes: [gpu], removedClasses: ['nic'] }]);
  assert.deepEqual(model.classes, [gpu]);
});

test('devices are found by driver, pool and name, with the name of the node in them', () => {
  const place = loaded().find('nic.example.com', 'pool-n1', 'n1-nic');
  assert.equal(place?.row.name, 'n1');
  assert.equal(place?.position, 1);
});

test('holders are those of the runs that cover the device', () => {
  const model = loaded();
  const row = model.nodes.get(0)!;
  assert.deepEqual(model.holdersOf(row, 0).map((each) => each.claim), ['train']);
  assert.deepEqual(model.holdersOf(row, 1), []);
});
