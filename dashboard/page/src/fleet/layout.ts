// Geometry of a node at detail L (264 × 140), from its shape alone: NUMA boxes, PCIe roots, devices. States do not move
// anything, so a layout is computed once per shape. Detail M is the same picture at half the size.
import type { DeviceShape, Shape, UnitShape } from '../lib/contract.ts';
import { placeRoots } from './rows.ts';
import { isShared } from './shapes.ts';

export const TILE_WIDTH = 264;
export const TILE_HEIGHT = 140;
export const HEAD_HEIGHT = 25;
const MARGIN = 8;
const BODY_HEIGHT = 108;
const STRIP_HEIGHT = 16;
const STRIP_MAX = 12;
const NUMA_LABEL = 14;

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A thing with a box: a device, a unit of partitions, shared capacities, or equal devices in one box. */
export interface Part extends Box {
  kind: 'device' | 'unit' | 'level' | 'bars' | 'bundle' | 'cores';
  /** Positions of devices in the shape; of a unit: its frame and its partitions. */
  devices: number[];
  /** Position of the unit in the shape, or -1. */
  unit: number;
  label: string;
  /** Radius of the corners: 4 for network interfaces, 2 otherwise. */
  radius: number;
  numa: number;
  root: number;
}

export interface NumaBox extends Box {
  label: string;
}

export interface RootBox extends Box {
  label: string;
  full: string;
  numa: number;
  /** The label has a second line for the share in use of the only unit in this root. */
  unit: number;
}

export interface TileLayout {
  numa: NumaBox[];
  roots: RootBox[];
  parts: Part[];
  /** Part of each device of the shape: index in `parts`. */
  partOf: number[];
}

/** What is placed, before it has a box. */
export interface Item {
  kind: Part['kind'];
  type: string;
  devices: number[];
  unit: number;
  label: string;
  numa: number | undefined;
  root: string;
}

const layouts = new WeakMap<Shape, TileLayout>();

/** Layout of a shape; the same object for the same shape. */
export function layoutOf(shape: Shape): TileLayout {
  let layout = layouts.get(shape);
  if (!layout) {
    layout = compute(shape);
    layouts.set(shape, layout);
  }
  return layout;
}

function compute(shape: Shape): TileLayout {
  const layout: TileLayout = { numa: [], roots: [], parts: [], partOf: [] };
  const items = itemsOf(shape);
  const loose = items.filter(isLoose);
  const strip = loose.length > 0 && loose.length < items.length && loose.length <= STRIP_MAX;
  const framed = boxesOf(strip ? items.filter((item) => !isLoose(item)) : items);
  const height = strip ? BODY_HEIGHT - STRIP_HEIGHT - 4 : BODY_HEIGHT;
  placeBoxes(layout, shape, framed, height);
  if (strip) {
    placeStrip(layout, loose, HEAD_HEIGHT + height + 4);
  }
  layout.partOf = Array<number>(shape.devices.length).fill(-1);
  layout.parts.forEach((part, i) => part.devices.forEach((device) => (layout.partOf[device] = i)));
  return layout;
}

/** NUMA boxes side by side; devices without NUMA node have the whole width above them. */
function placeBoxes(layout: TileLayout, shape: Shape, boxes: readonly Boxed[], height: number): void {
  const wide = boxes.length > 1 ? boxes.filter((box) => box.label === '') : [];
  const others = boxes.filter((box) => !wide.includes(box));
  const columns = others.length <= 1 ? 1 : others.length <= 4 ? 2 : 4;
  const rows = wide.length + Math.max(1, Math.ceil(others.length / columns));
  const full = TILE_WIDTH - 2 * MARGIN;
  const w = (full - 6 * (columns - 1)) / columns;
  const h = (height - 4 * (rows - 1)) / rows;
  [...wide, ...others].forEach((box, i) => {
    const at = i - wide.length;
    const column = at < 0 ? 0 : at % columns;
    const row = at < 0 ? i : wide.length + Math.floor(at / columns);
    const y = HEAD_HEIGHT + row * (h + 4);
    layout.numa.push({ x: MARGIN + column * (w + 6), y, w: at < 0 ? full : w, h, label: box.label });
    placeBox(layout, shape, box.items, i);
  });
}

function itemsOf(shape: Shape): Item[] {
  const items: Item[] = [];
  const inUnit = new Set<number>();
  (shape.units ?? []).forEach((unit, i) => {
    const devices = unit.frame >= 0 ? [unit.frame, ...(unit.parts ?? [])] : (unit.parts ?? []);
    devices.forEach((device) => inUnit.add(device));
    items.push({ kind: 'unit', type: unit.kind, devices, unit: i, label: `${unit.index}`, ...place(unit) });
  });
  shape.devices.forEach((device, i) => {
    if (!inUnit.has(i)) {
      items.push({ ...itemOf(device), devices: [i], unit: -1, ...place(device) });
    }
  });
  return withNumaOfRoot(items);
}

/** Devices of one PCIe root are on one NUMA node, also those that do not publish it. */
function withNumaOfRoot(items: Item[]): Item[] {
  const numbers = new Map<string, Set<number>>();
  for (const { root, numa } of items) {
    if (root !== '' && numa !== undefined) {
      numbers.set(root, (numbers.get(root) ?? new Set()).add(numa));
    }
  }
  return items.map((item) => {
    const known = numbers.get(item.root);
    return item.numa === undefined && known?.size === 1 ? { ...item, numa: [...known][0] } : item;
  });
}

function place(device: DeviceShape | UnitShape): { numa: number | undefined; root: string } {
  return {
    numa: device.numa?.length === 1 ? device.numa[0] : undefined,
    root: device.root?.length === 1 ? device.root[0]! : '',
  };
}

function itemOf(device: DeviceShape): { kind: Part['kind']; type: string; label: string } {
  const type = device.kind;
  if (isShared(device)) {
    const foot = (type === 'c' || type === 'm') && device.numa?.length === 1;
    const kind = foot ? 'cores' : type === 'g' || type === 'a' || type === 'f' ? 'level' : 'bars';
    return { kind, type, label: type === 'g' ? `${device.index}` : device.name };
  }
  return { kind: 'device', type, label: labelOf(device) };
}

/** Label in a device's box: the index of a GPU, nothing for a NIC, two letters of the class for others. */
export function labelOf(device: DeviceShape): string {
  switch (device.kind) {
    case 'g':
    case 'a':
    case 'f':
      return `${device.index}`;
    case 'n':
      return '';
    default:
      return (device.classes?.[0] ?? device.name).slice(0, 2);
  }
}

interface Boxed {
  label: string;
  items: Item[];
}

/** One box per NUMA node, and a last one without label for devices that publish none. */
function boxesOf(items: Item[]): Boxed[] {
  const numbers = [...new Set(items.flatMap((item) => item.numa ?? []))].sort((a, b) => a - b);
  const boxes = numbers.map((numa) => ({
    label: `NUMA ${numa}`,
    items: items.filter((item) => item.numa === numa),
  }));
  const loose = items.filter((item) => item.numa === undefined);
  return loose.length > 0 ? [...boxes, { label: '', items: loose }] : boxes;
}

/** A small device without place in the topology; such devices stand in a strip below the others. */
function isLoose(item: Item): boolean {
  const small = item.kind === 'device' && !'gaf'.includes(item.type);
  return small && item.numa === undefined && item.root === '';
}

function placeStrip(layout: TileLayout, items: Item[], y: number): void {
  const w = Math.min(18, (TILE_WIDTH - 2 * MARGIN) / items.length - 3);
  items.forEach((item, i) => {
    layout.parts.push(part(item, { x: MARGIN + i * (w + 3), y, w, h: STRIP_HEIGHT - 3 }, -1, -1));
  });
}

/** A part from its item and its box. */
export function part(item: Item, box: Box, numa: number, root: number): Part {
  const { kind, devices, unit, label, type } = item;
  return { ...box, kind, devices, unit, label, radius: type === 'n' ? 4 : 2, numa, root };
}

function placeBox(layout: TileLayout, shape: Shape, items: Item[], numa: number): void {
  const box = layout.numa[numa]!;
  const cores = items.filter((item) => item.kind === 'cores');
  const rest = items.filter((item) => item.kind !== 'cores');
  const head = box.label === '' && cores.length === 0 ? 3 : NUMA_LABEL;
  const foot = cores.length * 7;
  cores.forEach((item, i) => {
    const y = box.y + box.h - foot + i * 7 - 1;
    layout.parts.push(part(item, { x: box.x + 4, y, w: box.w - 8, h: 5 }, numa, -1));
  });
  const inner = { x: box.x + 4, y: box.y + head, w: box.w - 8, h: box.h - head - foot - 4 };
  const bars = rest.filter((item) => item.kind === 'bars');
  if (bars.length === rest.length) {
    placeBars(layout, shape, bars, inner, numa);
  } else {
    placeRoots(layout, rest, inner, numa);
  }
}

/** Shared devices alone in a box: each has a row per capacity with name, bar and amount. */
function placeBars(layout: TileLayout, shape: Shape, items: Item[], inner: Box, numa: number): void {
  const shown = items.slice(0, 4);
  const h = (inner.h - 4 * (shown.length - 1)) / Math.max(1, shown.length);
  shown.forEach((item, i) => {
    const more = items.length - shown.length;
    const last = i === shown.length - 1 && more > 0;
    const named = { ...item, label: shape.devices[item.devices[0]!]!.name };
    const placed = last ? { ...named, devices: items.slice(i).flatMap((each) => each.devices) } : named;
    const box = { x: inner.x, y: inner.y + i * (h + 4), w: inner.w, h };
    layout.parts.push(part(last ? { ...placed, label: `${named.label} +${more}` } : placed, box, numa, -1));
  });
}
