import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArrangeOptions } from '../../src/fleet/arrange.ts';
import { arrange, detailFor, neighbour, tileAt } from '../../src/fleet/arrange.ts';
import { appearance, framesOf, groupChoices, profileOf } from '../../src/fleet/frames.ts';
import { fleet, h100, mig, node } from './fixture.ts';

const OPTIONS: ArrangeOptions = { width: 1096, detail: 'L', folds: new Map(), pools: [] };
const RACKS = new Map([0, 1].map((id) => [id, { id, level: 'rack', name: `r${id}` }]));
const LEVELS = [{ level: 'rack', key: 'topology.kubernetes.io/rack' }];

function racks(count: number, perRack: number) {
  const shape = h100();
  const nodes = Array.from({ length: count }, (_, id) => node(id, shape, { groups: [Math.floor(id / perRack)] }));
  const groups = new Map(
    Array.from({ length: Math.ceil(count / perRack) }, (_, id) => [id, { id, level: 'rack', name: `r${id}` }]),
  );
  return fleet([shape], nodes, { groups, levels: LEVELS });
}

const ROWS = { group: 'rack', stack: false, unfolded: new Set<string>() };

test('nodes are grouped by rack, those without rack come last', () => {
  const shape = h100();
  const nodes = [node(0, shape, { groups: [1] }), node(1, shape), node(2, shape, { groups: [0] })];
  const frames = framesOf(fleet([shape], nodes, { groups: RACKS, levels: LEVELS }), ROWS);
  assert.deepEqual(frames.map((frame) => [frame.title, frame.ids]), [['Rack r0', [2]], ['Rack r1', [0]], ['No rack', [1]]]);
});

test('a rack with two cliques has two inner frames', () => {
  const shape = h100();
  const groups = new Map([
    [0, { id: 0, level: 'rack', name: 'r0' }],
    [1, { id: 1, level: 'clique', name: 'a' }],
    [2, { id: 2, level: 'clique', name: 'b' }],
  ]);
  const nodes = [0, 1, 2, 3].map((id) => node(id, shape, { groups: [0, id < 2 ? 1 : 2] }));
  const levels = [...LEVELS, { level: 'clique', key: 'nvidia.com/gpu.clique' }];
  const data = fleet([shape], nodes, { groups, levels });
  const [frame] = framesOf(data, ROWS);
  assert.deepEqual(frame!.sections.map((section) => section.title), ['NVLink clique a', 'NVLink clique b']);
  assert.deepEqual(groupChoices(data), ['rack', 'clique', 'profile', 'none']);
});

test('nodes without devices are not drawn, nodes with unusable pools are', () => {
  const shape = h100();
  const empty = { id: 7, devices: [] };
  const unusable = [{ driver: 'd', pool: 'p', reason: 'incomplete: 1 of 2 slices exist' }];
  const nodes = [node(0, shape), node(1, empty), node(2, empty, { unusable })];
  const [frame] = framesOf(fleet([shape, empty], nodes), { ...ROWS, group: 'none' });
  assert.deepEqual(frame!.ids, [0, 2]);
});

test('equal nodes are one stack, never across frames, and a stack can be unfolded', () => {
  const data = racks(6, 3);
  const [first, second] = framesOf(data, { ...ROWS, stack: true });
  assert.deepEqual(first!.sections[0]!.stacks.map((stack) => stack.ids), [[0, 1, 2]]);
  assert.deepEqual(second!.sections[0]!.stacks.map((stack) => stack.ids), [[3, 4, 5]]);
  const unfolded = new Set([first!.sections[0]!.stacks[0]!.key]);
  const again = framesOf(data, { ...ROWS, stack: true, unfolded });
  assert.deepEqual(again[0]!.sections[0]!.stacks.map((stack) => stack.ids), [[0], [1], [2]]);
});

test('holders of one gang count as equal, other holders do not', () => {
  const shape = h100();
  const holder = (id: number, gang: string) => ({ id, namespace: 'ml', claim: `c${id}`, gang });
  const row = (id: number) => node(id, shape, { state: `#${'.'.repeat(17)}`, holds: [0, 1, id] });
  const same = new Map([0, 1].map((id) => [id, holder(id, 'llama')]));
  const data = fleet([shape], [row(0), row(1)], { holders: same });
  assert.equal(appearance(data, row(0)), appearance(data, row(1)));
  const other = fleet([shape], [row(0), row(1)], { holders: new Map([0, 1].map((id) => [id, holder(id, '')])) });
  assert.notEqual(appearance(other, row(0)), appearance(other, row(1)));
});

test('a tainted node does not stack with a node without taint', () => {
  const shape = h100();
  const data = fleet([shape], []);
  const tainted = node(1, shape, { taints: [[0, 'NoSchedule', 'xid=79']] });
  assert.notEqual(appearance(data, node(1, shape)), appearance(data, tainted));
});

test('four L tiles fill a row of 1,096 pixels and stay inside their frame', () => {
  const { frames, tiles } = arrange(framesOf(racks(4, 4), ROWS), OPTIONS);
  assert.deepEqual(tiles.map((tile) => tile.y), [25, 25, 25, 25]);
  const frame = frames[0]!;
  assert.ok(tiles.every((tile) => tile.x >= frame.x && tile.x + tile.w <= frame.x + frame.w));
  assert.ok(tiles.every((tile) => tile.y + tile.h <= frame.y + frame.h));
});

test('no two tiles overlap and none leaves the width, at each detail and width', () => {
  const frames = framesOf(racks(70, 9), ROWS);
  for (const detail of ['S', 'M', 'L'] as const) {
    for (const width of [300, 876, 1096, 1416, 2400]) {
      const { tiles, frames: placed } = arrange(frames, { ...OPTIONS, detail, width });
      assert.equal(tiles.length, 70);
      for (const [i, a] of tiles.entries()) {
        assert.ok(a.x >= 0 && a.x + a.w <= width, `${detail} ${width}: tile ${i} leaves the width`);
        const hit = tiles.slice(i + 1).find((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h);
        assert.equal(hit, undefined, `${detail} ${width}: tile ${i} overlaps`);
      }
      assert.ok(placed.every((frame) => frame.x + frame.w <= width + 1));
    }
  }
});

test('the places are the same for the same input', () => {
  const frames = framesOf(racks(30, 7), ROWS);
  assert.deepEqual(arrange(frames, OPTIONS), arrange(frames, OPTIONS));
});

test('a small frame shares the row of another one, pools too', () => {
  const { frames } = arrange(framesOf(racks(2, 2), ROWS), { ...OPTIONS, pools: [{ id: 0, name: 'cameras' }] });
  assert.deepEqual(frames.map((frame) => [frame.title, frame.y]), [['Rack r0', 0], ['cameras', 0]]);
});

test('a frame with more than twenty L tiles is folded to M, and can be unfolded', () => {
  const frames = framesOf(racks(21, 21), ROWS);
  assert.equal(arrange(frames, OPTIONS).tiles[0]!.detail, 'M');
  const folds = new Map([[frames[0]!.key, false]]);
  assert.equal(arrange(frames, { ...OPTIONS, folds }).tiles[0]!.detail, 'L');
});

test('the detail follows the number of tiles', () => {
  assert.deepEqual([1, 40, 41, 150, 151, 1000].map((tiles) => detailFor(tiles, 1096)), ['L', 'L', 'M', 'M', 'S', 'S']);
  assert.equal(detailFor(4, 600), 'M');
});

test('800 of 1,000 nodes fit on 1440 × 900 at detail S', () => {
  const { tiles } = arrange(framesOf(racks(1000, 16), ROWS), { ...OPTIONS, detail: 'S', width: 1416 });
  const visible = 900 - 48 - 72 - 46 - 32;
  assert.ok(tiles.filter((tile) => tile.y + tile.h <= visible).length >= 800);
});

test('arrows go to the tile beside and to the nearest tile of the next row', () => {
  const { tiles, rows, columns } = arrange(framesOf(racks(8, 4), ROWS), OPTIONS);
  assert.deepEqual([rows, columns], [2, 4]);
  assert.equal(neighbour(tiles, tiles[2]!, 'ArrowRight'), tiles[3]);
  assert.equal(neighbour(tiles, tiles[2]!, 'ArrowDown'), tiles[6]);
  assert.equal(neighbour(tiles, tiles[0]!, 'ArrowLeft'), undefined);
  assert.equal(neighbour(tiles, tiles[2]!, 'End'), tiles[7]);
  assert.equal(tileAt(tiles, tiles[5]!.x + 4, tiles[5]!.y + 4), tiles[5]);
});

test('a profile is named by its main devices', () => {
  assert.equal(profileOf(h100()), '8 GPUs H100');
  assert.equal(profileOf(mig(false)), '1 GPU, partitioned');
});
