// A node at detail S (31 × 18): bars by state, told apart by shape since patterns cannot be read below 8 px.
import type { NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import { isTainted, PLANNED } from './states.ts';

export const SMALL_WIDTH = 31;
const INNER = 29;
const SLOTS_MAX = 14;
const HIGH = { y: 2, h: 9 };
const LOW = { y: 13, h: 4 };
const ONLY = { y: 2, h: 14 };

/** Bar of one device or unit, or of many devices in proportion. */
export interface Slot {
  x: number;
  w: number;
  y: number;
  h: number;
  devices: number[];
  unit: number;
}

const layouts = new WeakMap<Shape, Slot[]>();

export function smallLayout(shape: Shape): Slot[] {
  let slots = layouts.get(shape);
  if (!slots) {
    slots = compute(shape);
    layouts.set(shape, slots);
  }
  return slots;
}

interface Entry {
  devices: number[];
  unit: number;
}

function compute(shape: Shape): Slot[] {
  const inUnit = new Set<number>();
  const first: Entry[] = (shape.units ?? []).map((unit, i) => {
    const devices = unit.frame >= 0 ? [unit.frame, ...(unit.parts ?? [])] : (unit.parts ?? []);
    devices.forEach((device) => inUnit.add(device));
    return { devices, unit: i };
  });
  const alone = (kinds: string): Entry[] =>
    shape.devices.flatMap((device, i) =>
      kinds.includes(device.kind) && !inUnit.has(i) ? [{ devices: [i], unit: -1 }] : [],
    );
  first.push(...alone('gaf'));
  const second = alone('nd');
  if (first.length === 0) {
    return line(second.length > 0 ? second : alone('cmop'), ONLY);
  }
  return second.length === 0 ? line(first, ONLY) : [...line(first, HIGH), ...line(second, LOW)];
}

function line(entries: Entry[], band: { y: number; h: number }): Slot[] {
  if (entries.length > SLOTS_MAX) {
    const devices = entries.flatMap((entry) => entry.devices);
    return [{ x: 1, w: INNER, ...band, devices, unit: -1 }];
  }
  const pitch = Math.min(INNER / entries.length, 7.25);
  const w = Math.max(1.4, pitch - (pitch > 3 ? 1 : 0.6));
  return entries.map((entry, i) => ({ x: 1 + i * pitch, w, ...band, ...entry }));
}

export type Rects = Map<string, number[]>;

/** Boxes to fill, by colour, in the order in which they are filled. */
export interface SmallPicture {
  ground: Rects;
  outlines: Rects;
  inner: Rects;
  fills: Rects;
}

export function emptyPicture(): SmallPicture {
  return { ground: new Map(), outlines: new Map(), inner: new Map(), fills: new Map() };
}

export function put(rects: Rects, color: string, x: number, y: number, w: number, h: number): void {
  const list = rects.get(color);
  if (list) {
    list.push(x, y, w, h);
  } else {
    rects.set(color, [x, y, w, h]);
  }
}

/** What a small tile is drawn from. */
export interface SmallInput {
  shape: Shape;
  row: NodeRow | PoolRow;
  planned: ReadonlySet<number> | undefined;
  /** Colour of a device in use, or '' for the colour of its state. */
  color: (position: number) => string;
}

const BORDER = 0.7;

/** Adds the boxes of one node at x, y. */
export function addNode(picture: SmallPicture, input: SmallInput, x: number, y: number): void {
  put(picture.ground, 'surface', x, y, SMALL_WIDTH, 18);
  let flagged = 'flags' in input.row && (input.row.flags ?? []).some((flag) => flag !== 'Unschedulable');
  for (const slot of smallLayout(input.shape)) {
    const box = { ...slot, x: x + slot.x, y: y + slot.y };
    if (slot.unit >= 0) {
      addUnit(picture, input, box);
    } else if (slot.devices.length > 1) {
      addMany(picture, input, box);
    } else {
      const position = slot.devices[0]!;
      addDevice(picture, box, letter(input, position), input.color(position));
    }
    flagged ||= slot.devices.some((device) => isTainted(input.row.state[device] ?? ''));
  }
  if (flagged) {
    for (let i = 0; i < 6; i++) {
      put(picture.fills, 'taint', x + SMALL_WIDTH - 6 + i, y, 1, i + 1);
    }
  }
}

function letter(input: SmallInput, position: number): string {
  return input.planned?.has(position) ? PLANNED : (input.row.state[position] ?? '_');
}

function outline(picture: SmallPicture, box: Slot, color: string): void {
  put(picture.outlines, color, box.x, box.y, box.w, box.h);
  put(picture.inner, 'free', box.x + BORDER, box.y + BORDER, box.w - 2 * BORDER, box.h - 2 * BORDER);
}

function addDevice(picture: SmallPicture, box: Slot, state: string, color: string): void {
  const { x, y, w, h } = box;
  const half = h / 2;
  switch (state) {
    case '#':
    case 'o':
    case '!':
    case 'E':
    case 'U':
      put(picture.fills, color || 'use', x, y, w, h);
      if (state !== '#' && state !== 'o') {
        put(picture.fills, 'taint', x, y, w, h * 0.35);
      }
      break;
    case '~':
      outline(picture, box, color || 'use');
      put(picture.fills, color || 'use', x, y + half, w, half);
      break;
    case 'h':
      outline(picture, box, 'held-b');
      put(picture.fills, 'held', x + BORDER, y + half, w - 2 * BORDER, half - BORDER);
      break;
    case 'a':
      outline(picture, box, 'attach-b');
      put(picture.fills, 'attach', x + BORDER, y + BORDER, w - 2 * BORDER, half - BORDER);
      break;
    case 'x':
    case 'X':
    case 'u':
      put(picture.fills, 'taint', x, y, w, h);
      break;
    case '%':
      outline(picture, box, 'block-b');
      put(picture.fills, 'block-b', x, y + half - 0.5, w, 1);
      break;
    case PLANNED:
      put(picture.outlines, 'use', x, y, w, h);
      put(picture.inner, 'use-soft', x + 1, y + 1, w - 2, h - 2);
      break;
    case '.':
      outline(picture, box, 'free-b');
      break;
    default:
      // Not published or not known: only the upper and the lower edge.
      put(picture.fills, 'free-b', x, y, w, BORDER);
      put(picture.fills, 'free-b', x, y + h - BORDER, w, BORDER);
  }
}

/** A partitioned GPU fills from below by its share in use. */
function addUnit(picture: SmallPicture, input: SmallInput, box: Slot): void {
  const tainted = box.devices.some((device) => isTainted(input.row.state[device] ?? ''));
  const share = input.row.units?.[box.unit]?.[0] ?? 0;
  if (tainted && share === 0) {
    addDevice(picture, box, 'x', '');
    return;
  }
  const used = box.devices.find((device) => '#o~'.includes(input.row.state[device] ?? '.'));
  const color = (used === undefined ? '' : input.color(used)) || 'use';
  outline(picture, box, share > 0 ? color : 'free-b');
  put(picture.fills, color, box.x, box.y + box.h * (1 - share), box.w, box.h * share);
  if (box.devices.some((device) => input.planned?.has(device))) {
    put(picture.fills, 'use-soft', box.x + 1, box.y + 1, box.w - 2, box.h * (1 - share) - 1);
  }
}

const ORDER = '#oE!U~haxXu%-_P.';

function addMany(picture: SmallPicture, input: SmallInput, box: Slot): void {
  const counts = new Map<string, number[]>();
  for (const device of box.devices) {
    const state = letter(input, device);
    counts.set(state, [...(counts.get(state) ?? []), device]);
  }
  let x = box.x;
  for (const [state, devices] of [...counts].sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]))) {
    const w = (box.w * devices.length) / box.devices.length;
    addDevice(picture, { ...box, x, w: Math.max(1, w - 0.5) }, state, input.color(devices[0]!));
    x += w;
  }
}
