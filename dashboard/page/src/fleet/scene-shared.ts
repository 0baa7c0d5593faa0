// Shared devices: one bar per capacity with a segment per claim.
import type { CapacityShape } from '../lib/contract.ts';
import type { Part } from './layout.ts';
import type { Prim, SceneInput } from './scene.ts';
import { devicePrims, letterOf, rect, text } from './scene.ts';
import { barsOf, shortName } from './shapes.ts';
import { isTainted } from './states.ts';
import { amountUsed, capacityText, clipped } from './words.ts';

/** Amounts of one capacity of a device, one per claim. */
function segments(input: SceneInput, device: number, capacity: number): number[] {
  return (input.row.amounts ?? [])
    .filter(([at, number]) => at === device && number === capacity)
    .map(([, , , amount]) => amount);
}

function fillPrims(
  box: { x: number; y: number; w: number; h: number },
  amounts: readonly number[],
  total: number,
  color: string,
): Prim[] {
  const prims: Prim[] = [];
  let x = box.x;
  for (const amount of amounts) {
    const w = Math.min(box.x + box.w - x, (box.w * amount) / Math.max(1, total));
    prims.push(rect(x, box.y, Math.max(1.5, w - 1), box.h, 1, color));
    x += w;
  }
  return prims;
}

/** "cores 32/96" at the head of a NUMA box. */
export function coresText(input: SceneInput, numa: number): string {
  const part = input.layout.parts.find((each) => each.kind === 'cores' && each.numa === numa);
  const capacity = part && input.shape.devices[part.devices[0]!]?.capacities?.[0];
  if (!part || !capacity) {
    return '';
  }
  const word = input.shape.devices[part.devices[0]!]!.kind === 'c' ? 'cores' : 'memory';
  return `${word} ${capacityText(amountUsed(input.row, part.devices[0]!, 0), capacity)}`;
}

export function barsPrims(input: SceneInput, part: Part): Prim[] {
  const device = part.devices[0]!;
  const shape = input.shape.devices[device]!;
  const color = input.color(device) || 'use';
  if (part.kind === 'cores') {
    const amounts = segments(input, device, 0);
    const total = shape.capacities![0]!.total;
    return [rect(part.x, part.y, part.w, part.h, 1.5, 'surface'), ...fillPrims(part, amounts, total, color)];
  }
  const bars = barsOf(shape);
  const prims: Prim[] = [rect(part.x, part.y, part.w, part.h, 3, 'surface')];
  const pitch = Math.min(14, (part.h - 6) / bars.length);
  const nameWidth = part.w > 160 ? 78 : 34;
  const name = clipped(part.label, 11, nameWidth + (part.w > 160 ? 0 : 60));
  const bad = isTainted(letterOf(input, device));
  const label = { size: 11, fill: bad ? 'taint' : 'ink', weight: 600 } as const;
  prims.push(text(part.x + 5, part.y + Math.min(15, part.h - 4), bad ? `✕ ${name}` : name, label));
  if (part.w <= 160) {
    return prims.concat(narrowBars(input, part, bars, color));
  }
  bars.forEach((capacity, i) => {
    const y = part.y + (part.h - bars.length * pitch) / 2 + i * pitch + (pitch - 8) / 2;
    const box = { x: part.x + 122, y, w: part.w - 190, h: 8 };
    prims.push(text(box.x - 5, y + 7.5, clipped(capacity.name.replace(/Bandwidth$/, ''), 10, 58), { anchor: 'end' }));
    prims.push(rect(box.x, y, box.w, 8, 1.5, 'free', 'free-b', 0.8));
    prims.push(...fillPrims(box, segments(input, device, i), capacity.total, color));
    const amount = capacityText(amountUsed(input.row, device, i), capacity);
    prims.push(text(part.x + part.w - 4, y + 7.5, amount, { anchor: 'end' }));
  });
  return prims;
}

function narrowBars(
  input: SceneInput,
  part: Part,
  bars: readonly CapacityShape[],
  color: string,
): Prim[] {
  const device = part.devices[0]!;
  return bars.slice(0, Math.max(1, Math.floor((part.h - 16) / 10))).flatMap((capacity, i) => {
    const box = { x: part.x + 5, y: part.y + 19 + i * 10, w: part.w - 10, h: 6 };
    return [
      rect(box.x, box.y, box.w, box.h, 1.5, 'free', 'free-b', 0.8),
      ...fillPrims(box, segments(input, device, i), capacity.total, color),
    ];
  });
}

/** A shared GPU: a box that fills from the left, one step per share, with its amount below when there is room. */
export function levelPrims(input: SceneInput, part: Part): Prim[] {
  const device = part.devices[0]!;
  const shape = input.shape.devices[device]!;
  const letter = letterOf(input, device);
  const color = input.color(device);
  const high = Math.min(28, part.h > 56 ? 26 : part.h);
  const box = { x: part.x, y: part.y, w: part.w, h: high, radius: 2 };
  const capacity = shape.capacities![0]!;
  const plain = letter === '~' || letter === '#' || letter === 'o' || letter === '.';
  const look = plain ? devicePrims(box, '.', '', '') : devicePrims(box, letter, color, '');
  const prims: Prim[] = [...look];
  if (plain || letter === '!' || letter === 'E' || letter === 'U') {
    const amounts = segments(input, device, 0);
    prims.splice(plain ? 1 : 0, 0, ...fillPrims(box, amounts, capacity.total, color || 'use'));
  }
  const amount = capacityText(amountUsed(input.row, device, 0), capacity);
  if (part.h > 56) {
    const claims = segments(input, device, 0).length;
    const name = clipped(shortName(shape, input.row), 12, part.w);
    prims.push(text(part.x, part.y + 41, name, { size: 12, fill: 'ink', weight: 600 }));
    prims.push(text(part.x, part.y + 55, amount, { size: 11 }));
    prims.push(text(part.x, part.y + 69, `${claims} ${claims === 1 ? 'claim' : 'claims'}`, { size: 11 }));
  }
  return prims;
}
