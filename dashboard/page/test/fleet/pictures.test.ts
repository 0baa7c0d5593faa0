import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meters, quantity, range, shortBy } from '../../src/fleet/device.ts';
import { changedDevices, Rings, RINGS_MAX } from '../../src/fleet/changes.ts';
import { layoutOf } from '../../src/fleet/layout.ts';
import { sceneOf } from '../../src/fleet/scene.ts';
import { cellRuns } from '../../src/fleet/scene-units.ts';
import { addNode, emptyPicture } from '../../src/fleet/small.ts';
import { unitName } from '../../src/fleet/shapes.ts';
import { CATEGORIES, categoryOf, lookOf } from '../../src/fleet/states.ts';
import { amountUsed, capacityText, clipped, countStates, stackName, textWidth, useOf, useText } from '../../src/fleet/words.ts';
import { h100, mig, node } from './fixture.ts';

const LETTERS = '.#~%haoxX!EuU_-?P';

function migRow(frame: boolean, used: readonly number[], cells: string) {
  const shape = mig(frame);
  const state = shape.devices.map((_, i) => (used.includes(i) ? '#' : '.')).join('');
  return { shape, row: node(1, shape, { state, units: [[0.5, cells]] }) };
}

function runsOf(frame: boolean, used: readonly number[], cells: string) {
  const { shape, row } = migRow(frame, used, cells);
  const profile = (device: number) => ({ profile: shape.devices[device]!.profile!, cells: shape.devices[device]!.cells! });
  return cellRuns(shape.units![0]!, cells, (device) => row.state[device]!, profile).map((run) => [run.first, run.count, run.letter, run.label]);
}

test('a partition covers the cells that it consumes, free and blocked cells stay', () => {
  // Positions 7 and 11: 2g.10gb at cell 0, 3g.20gb at cell 4.
  assert.deepEqual(runsOf(false, [7, 11], '##.%####'), [
    [0, 2, '#', '2g.10gb'],
    [2, 1, '.', ''],
    [3, 1, '%', ''],
    [4, 4, '#', '3g.20gb'],
  ]);
});

test('a taint on a GPU shows in the cells without holder, not once per possible partition', () => {
  const { shape } = migRow(false, [], '');
  const letters = shape.devices.map((_, i) => (i === 0 ? '!' : 'x'));
  const profile = (device: number) => ({ profile: shape.devices[device]!.profile!, cells: shape.devices[device]!.cells! });
  const runs = cellRuns(shape.units![0]!, '#xxxxxxx', (device) => letters[device]!, profile);
  assert.deepEqual(runs.map((run) => run.letter), ['!', 'x', 'x', 'x', 'x', 'x', 'x', 'x']);
});

test('a whole GPU in use is the frame around its partitions, drawn as one device', () => {
  const shape = mig(true);
  const state = `${'%'.repeat(shape.devices.length - 1)}#`;
  const row = node(1, shape, { state, units: [[1, '########']] });
  const scene = sceneOf({
    shape,
    layout: layoutOf(shape),
    row,
    header: true,
    name: row.name,
    times: 1,
    planned: undefined,
    ringed: undefined,
    changed: undefined,
    match: undefined,
    selected: undefined,
    color: () => '',
    holders: () => [],
  });
  const fills = scene.marks[0]!.prims.filter((prim) => prim.t === 'rect').map((prim) => prim.fill);
  assert.deepEqual(fills, ['use']);
});

test('inside a GPU only the partitions that match the filter keep their colour', () => {
  const { shape, row } = migRow(false, [7, 11], '##..####');
  const match = new Uint8Array(shape.devices.length);
  match[11] = 1;
  const scene = sceneOf({
    shape,
    layout: layoutOf(shape),
    row,
    header: false,
    name: '',
    times: 1,
    planned: undefined,
    ringed: undefined,
    changed: undefined,
    match,
    selected: undefined,
    color: () => '',
    holders: () => [],
  });
  const [mark] = scene.marks;
  assert.equal(mark!.faded, false);
  const boxes = mark!.prims.filter((prim) => prim.t === 'rect').map((prim) => [prim.fill, prim.alpha]);
  assert.deepEqual(boxes, [['use', 0.2], ['free', 0.2], ['free', 0.2], ['use', undefined]]);
});

test('every state differs from every other one by more than its colour', () => {
  const channels = new Map<string, string>();
  for (const letter of '.#~%haxX!E-P') {
    const look = lookOf(letter);
    const pattern = look.fill.startsWith('#') ? look.fill : look.fill === 'free' || look.fill === 'none' ? 'hollow' : look.fill === 'bad-bg' ? 'hollow' : 'solid';
    const level = letter === '~' ? 'level' : '';
    const soft = letter === 'P' ? 'soft' : '';
    const key = [pattern, look.dash !== '', look.mark, look.strokeWidth > 2, level, soft].join(' ');
    assert.equal(channels.get(key), undefined, `${letter} and ${channels.get(key)} differ by colour only`);
    channels.set(key, letter);
  }
});

test('at detail S every node is drawn with filled boxes inside its place, whatever the states', () => {
  const shape = h100();
  for (const letter of LETTERS) {
    const picture = emptyPicture();
    const row = node(0, shape, { state: letter.repeat(shape.devices.length) });
    addNode(picture, { shape, row, planned: letter === 'P' ? new Set([0]) : undefined, color: () => '' }, 100, 50);
    for (const rects of [picture.ground, picture.outlines, picture.inner, picture.fills]) {
      for (const list of rects.values()) {
        for (let i = 0; i < list.length; i += 4) {
          const [x, y, w, h] = list.slice(i, i + 4) as [number, number, number, number];
          assert.ok(x >= 100 && y >= 50 && x + w <= 131.01 && y + h <= 68.01, `${letter}: ${[x, y, w, h]}`);
        }
      }
    }
  }
});

test('at detail S a tainted node has a flag', () => {
  const shape = h100();
  const picture = emptyPicture();
  const state = `x${'.'.repeat(shape.devices.length - 1)}`;
  addNode(picture, { shape, row: node(0, shape, { state }), planned: undefined, color: () => '' }, 0, 0);
  assert.equal(picture.fills.get('taint')!.length, 4 * (1 + 6));
});

test('the legend counts devices, used partitions and blocked cells', () => {
  const { shape, row } = migRow(false, [7, 11], '##.%####');
  const counts = CATEGORIES.map(() => 0);
  countStates(shape, row, counts);
  assert.equal(counts[categoryOf('#')], 2);
  assert.equal(counts[categoryOf('%')], 1);
  assert.equal(counts[categoryOf('.')], 0);
});

test('use is counted, or a share where devices are divided or shared', () => {
  const shape = h100();
  const row = node(0, shape, { state: `##!.x...${'.'.repeat(10)}` });
  assert.equal(useText(useOf(shape, row)), '3 of 8 GPUs');
  assert.equal(useText(useOf(shape, row), 3), '3 of 8 each');
  const part = migRow(false, [7], '##......');
  assert.equal(useText(useOf(part.shape, part.row)), '50 % of 1 GPU');
  const capacities = [{ name: 'memory', total: 48 * 2 ** 30, scale: 2 ** 30, suffix: 'Gi' }];
  const shared = { id: 5, devices: [{ ...shape.devices[0]!, capacities }] };
  const taken = node(0, shared, { state: '~', amounts: [[0, 0, 1, 10 * 2 ** 30], [0, 0, 2, 2 ** 29]] });
  assert.equal(amountUsed(taken, 0, 0), 10.5 * 2 ** 30);
  assert.equal(useText(useOf(shared, taken)), '10.5 of 48Gi');
});

test('amounts with long numbers are shown in the next larger unit', () => {
  const memory = { name: 'memory', total: 46068 * 2 ** 20, scale: 2 ** 20, suffix: 'Mi' };
  assert.equal(capacityText(10 * 2 ** 30, memory), '10/45Gi');
  assert.equal(capacityText(62e9, { name: 'ingress', total: 1e11, scale: 1e9, suffix: 'G' }), '62/100G');
  assert.equal(capacityText(3, { name: 'vfs', total: 100 }), '3/100');
});

test('changes are the positions whose state or holder differs', () => {
  const shape = h100();
  const before = node(0, shape, { state: `#${'.'.repeat(17)}`, holds: [0, 1, 0] });
  const after = node(0, shape, { state: `##${'.'.repeat(16)}`, holds: [0, 1, 5, 1, 1, 5] });
  assert.deepEqual(changedDevices(before, after).sort(), [0, 1]);
  assert.deepEqual(changedDevices(after, after), []);
});

test('rings end after 1.2 s, and too many changes in a second get none', () => {
  const rings = new Rings();
  rings.add('1', [0, 3], 1000);
  assert.deepEqual([...rings.get('1')!], [0, 3]);
  assert.deepEqual(rings.expire(2199), []);
  assert.deepEqual(rings.expire(2200), ['1']);
  rings.add('2', Array.from({ length: RINGS_MAX + 1 }, (_, i) => i), 5000);
  assert.equal(rings.size, 0);
});

test('counters that differ in a number are one meter, and the shortest comes first', () => {
  const slices = Array.from({ length: 8 }, (_, i) => ({ name: `memory-slice-${i}`, total: '1', left: i < 6 ? '0' : '1' }));
  const found = meters([...slices, { name: 'multiprocessors', total: '98', left: '14' }, { name: 'memory', total: '40320Mi', left: '10624Mi' }, { name: 'encoders', total: '0', left: '0' }]);
  assert.deepEqual(found.map((meter) => `${meter.name} ${meter.text}`), [
    'multiprocessors 84 of 98',
    'memory slices 6 of 8',
    'memory 29 of 39.4 Gi',
  ]);
  const plain = meters([{ name: 'memory', total: `${40320 * 2 ** 20}`, left: `${10624 * 2 ** 20}` }]);
  assert.equal(plain[0]!.text, '29 of 39.4 Gi');
  assert.equal(quantity('80Gi'), 80 * 2 ** 30);
  assert.ok(Number.isNaN(quantity('many')));
  assert.equal(range([4, 5, 6, 7]), '4–7');
});

test('partitions that do not fit are grouped by the counter that is short', () => {
  const profiles = ['1g.5gb', '2g.10gb'].map((profile) => ({ profile, shortOf: 'gpu-0-counter-set/copy-engines' }));
  assert.deepEqual(shortBy([...profiles, { profile: '7g.40gb', shortOf: 'memory' }]), [
    ['copy engines', ['1g.5gb', '2g.10gb']],
    ['memory', ['7g.40gb']],
  ]);
  assert.equal(unitName({ name: 'gpu-0-counter-set' }, { name: 'n' }), 'gpu-0');
});

test('names are cut in the middle, stacks are named by their ends', () => {
  const cut = clipped('gke-cluster-1-gpu-pool-7f3a-x9qz', 12, 100);
  assert.ok(textWidth(cut, 12) <= 100);
  assert.ok(cut.startsWith('gke-') && cut.endsWith('qz') && cut.includes('…'));
  assert.equal(clipped('short', 12, 100), 'short');
  assert.equal(stackName(['h100x8-05', 'h100x8-06', 'h100x8-07']), 'h100x8-05…07');
});
