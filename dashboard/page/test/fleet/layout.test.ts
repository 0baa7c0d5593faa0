import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from '../../src/lib/contract.ts';
import type { Box } from '../../src/fleet/layout.ts';
import { layoutOf, TILE_HEIGHT, TILE_WIDTH } from '../../src/fleet/layout.ts';
import { enter, leave, levelsOf, move } from '../../src/fleet/grid.ts';
import { shortRoots } from '../../src/fleet/rows.ts';
import { smallLayout } from '../../src/fleet/small.ts';
import { gpu, h100, mig } from './fixture.ts';

function inside(inner: Box, outer: Box): boolean {
  const slack = 0.01;
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.w <= outer.x + outer.w + slack &&
    inner.y + inner.h <= outer.y + outer.h + slack
  );
}

function overlap(a: Box, b: Box): boolean {
  return a.x + a.w > b.x + 0.01 && b.x + b.w > a.x + 0.01 && a.y + a.h > b.y + 0.01 && b.y + b.h > a.y + 0.01;
}

const TILE: Box = { x: 0, y: 0, w: TILE_WIDTH, h: TILE_HEIGHT };

function assertDrawable(shape: Shape): void {
  const layout = layoutOf(shape);
  layout.parts.forEach((part, i) => {
    assert.ok(inside(part, TILE), `part ${i} leaves the tile: ${JSON.stringify(part)}`);
    assert.ok(part.w >= 3 && part.h >= 3, `part ${i} is too small: ${JSON.stringify(part)}`);
    layout.parts.slice(i + 1).forEach((other) => assert.ok(!overlap(part, other), `${JSON.stringify(part)} overlaps ${JSON.stringify(other)}`));
  });
  assert.ok(layout.partOf.every((part) => part >= 0), 'every device has a part');
}

test('a node with two NUMA nodes has two boxes side by side, with a root per GPU, two roots to a row', () => {
  const layout = layoutOf(h100());
  assert.deepEqual(layout.numa.map((box) => box.label), ['NUMA 0', 'NUMA 1']);
  assert.equal(layout.numa[0]!.y, layout.numa[1]!.y);
  assert.deepEqual(layout.roots.slice(0, 4).map((root) => root.label), ['17', '41', '50', '5f']);
  assert.equal(layout.roots[0]!.y, layout.roots[1]!.y);
  assert.notEqual(layout.roots[1]!.y, layout.roots[2]!.y);
});

test('each device lies inside its root, each root inside its NUMA box', () => {
  const layout = layoutOf(h100());
  for (const part of layout.parts.filter((each) => each.root >= 0)) {
    assert.ok(inside(part, layout.roots[part.root]!));
  }
  for (const root of layout.roots) {
    assert.ok(inside(root, layout.numa[root.numa]!));
  }
});

test('shared cores are the bar at the foot of their NUMA box', () => {
  const layout = layoutOf(h100());
  const cores = layout.parts.filter((part) => part.kind === 'cores');
  assert.deepEqual(cores.map((part) => part.numa), [0, 1]);
  assert.ok(cores.every((part) => part.y + part.h > layout.numa[part.numa]!.y + layout.numa[part.numa]!.h - 8));
});

test('a level that is not published is left out', () => {
  const shape: Shape = { id: 9, devices: [0, 1, 2, 3].map((i) => gpu(i, undefined, `0${i}`)) };
  assert.deepEqual(layoutOf(shape).numa.map((box) => box.label), ['']);
  assert.deepEqual(levelsOf(layoutOf(shape)), ['tile', 'root', 'part']);
  const bare: Shape = { id: 10, devices: [0, 1].map((i) => gpu(i, undefined, undefined)) };
  assert.deepEqual(levelsOf(layoutOf(bare)), ['tile', 'part']);
});

test('GPUs without NUMA node have the whole width, NICs with one stand below in their NUMA boxes', () => {
  const gpus = [0, 1, 2, 3].map((i) => gpu(i, undefined, `0${i}`));
  const nics = [0, 1, 2, 3].map((i) => ({ ...gpu(i, i >> 1, `1${i}`), name: `nic-${i}`, kind: 'n' as const }));
  const layout = layoutOf({ id: 20, devices: [...gpus, ...nics] });
  assert.deepEqual(layout.numa.map((box) => [box.label, box.w > 200]), [['', true], ['NUMA 0', false], ['NUMA 1', false]]);
  assertDrawable({ id: 21, devices: [...gpus, ...nics] });
});

test('a GPU that shares its PCIe root with a NIC is on the NUMA node of that NIC', () => {
  const nic = { ...gpu(0, 1, '17'), name: 'nic-0', kind: 'n' as const };
  const layout = layoutOf({ id: 22, devices: [gpu(0, undefined, '17'), nic] });
  assert.deepEqual(layout.numa.map((box) => box.label), ['NUMA 1']);
  assert.equal(layout.roots.length, 1);
});

test('a GPU and four NICs on each of eight roots stay inside their rows', () => {
  const devices = Array.from({ length: 8 }, (_, i) => `${i}${i}`).flatMap((root, i) => [
    gpu(i, i >> 2, root),
    ...[0, 1, 2, 3].map((n) => ({ ...gpu(i * 4 + n, i >> 2, root), name: `nic-${i}-${n}`, kind: 'n' as const })),
  ]);
  const shape: Shape = { id: 23, devices };
  assertDrawable(shape);
  const layout = layoutOf(shape);
  assert.ok(layout.parts.every((part) => inside(part, layout.roots[part.root]!)));
});

test('roots that end alike are named by their domains', () => {
  assert.deepEqual(shortRoots(['pci0008:00', 'pci0009:00']), ['08', '09']);
  assert.deepEqual(shortRoots(['pci0000:17', 'pci0000:9b']), ['17', '9b']);
});

test('more than eight equal devices of one root are one box', () => {
  const functions = Array.from({ length: 64 }, (_, i) => ({ ...gpu(i, 0, '17'), name: `vf-${i}`, kind: 'n' as const }));
  const layout = layoutOf({ id: 11, devices: [gpu(0, 0, '17'), ...functions] });
  const bundle = layout.parts.find((part) => part.kind === 'bundle')!;
  assert.equal(bundle.label, '×64');
  assert.equal(bundle.devices.length, 64);
});

test('partitions of one GPU and the whole GPU share one part', () => {
  const layout = layoutOf(mig(true));
  assert.equal(layout.parts.length, 1);
  assert.equal(layout.parts[0]!.kind, 'unit');
  assert.equal(layout.parts[0]!.devices.length, mig(true).devices.length);
});

test('small devices without place stand in a strip below the NUMA boxes', () => {
  const shape = h100(12);
  shape.devices.push({ name: 'channel-0', driver: 'd', pool: '{node}', kind: 'o', index: 0, classes: ['channel'] });
  const layout = layoutOf(shape);
  const strip = layout.parts.find((part) => part.devices[0] === shape.devices.length - 1)!;
  assert.equal(strip.numa, -1);
  assert.equal(strip.label, 'ch');
  assert.ok(layout.numa.every((box) => box.y + box.h <= strip.y));
});

test('nodes of very different sizes can be drawn', () => {
  const many = (count: number, numas: number, roots: number): Shape => ({
    id: 100 + count,
    devices: Array.from({ length: count }, (_, i) => gpu(i, i % numas, `${i % roots}`.padStart(2, '0'))),
  });
  const cases = [[1, 1, 1], [4, 2, 4], [8, 1, 8], [8, 8, 8], [16, 2, 16], [16, 4, 1], [8, 2, 2]] as const;
  for (const [count, numas, roots] of cases) {
    assertDrawable(many(count, numas, roots));
  }
  assertDrawable(h100());
  assertDrawable(mig(false));
  assertDrawable({ id: 200, devices: Array.from({ length: 30 }, (_, i) => gpu(i, undefined, undefined)) });
});

test('Enter goes from the tile to NUMA node, root and device, Escape goes back', () => {
  const layout = layoutOf(h100());
  const numa = enter(layout, 'tile', 0)!;
  assert.equal(numa.level, 'numa');
  const second = { level: 'numa' as const, index: move(layout.numa, numa.index, 'ArrowRight') };
  const root = enter(layout, second.level, second.index)!;
  assert.deepEqual([root.level, layout.roots[root.index]!.label], ['root', '9b']);
  const part = enter(layout, root.level, root.index)!;
  assert.deepEqual([part.level, layout.parts[part.index]!.devices], ['part', [4]]);
  assert.equal(enter(layout, part.level, part.index), undefined);
  assert.deepEqual(leave(layout, part.level, part.index), root);
  assert.deepEqual(leave(layout, 'numa', 0), { level: 'tile', index: 0 });
});

test('an arrow at the edge stays', () => {
  const layout = layoutOf(h100());
  assert.equal(move(layout.numa, 1, 'ArrowRight'), 1);
  assert.equal(move(layout.numa, 0, 'ArrowUp'), 0);
});

test('at detail S GPUs have the upper row and NICs the lower one, inside 31 × 18', () => {
  const slots = smallLayout(h100());
  assert.equal(slots.length, 16);
  assert.ok(slots.slice(0, 8).every((slot) => slot.y === 2));
  assert.ok(slots.slice(8).every((slot) => slot.y > 11));
  assert.ok(slots.every((slot) => slot.x + slot.w <= 31 && slot.y + slot.h <= 18));
});

test('at detail S many devices are one bar in proportion', () => {
  const devices = Array.from({ length: 40 }, (_, i) => gpu(i, undefined, undefined));
  const slots = smallLayout({ id: 300, devices });
  assert.equal(slots.length, 1);
  assert.equal(slots[0]!.devices.length, 40);
});
