// A pool of network-attached devices: devices left (round), the nodes that reach them right, one spine between them.
import { clockDuration } from '../lib/format.ts';
import type { Holder, NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import type { Mark, Prim, Scene } from './scene.ts';
import { devicePrims, path, rect, text } from './scene.ts';
import { barsOf, isShared, shortName } from './shapes.ts';
import { describeState, PLANNED } from './states.ts';
import { amountUsed, capacityText, clipped, describeDevice, holderText, textWidth } from './words.ts';

const DEVICES_MAX = 4;
const NODES_MAX = 6;
const LEFT = 126;
const SPINE = 136;
const NODE_X = 148;
const NODE_WIDTH = 88;
const MIDDLE = 70;
const PITCH = 34;
const ROOM = 132;
const RADIUS = 9.5;

export interface NetworkInput {
  shape: Shape;
  row: PoolRow;
  nodes: readonly NodeRow[];
  planned: ReadonlySet<number> | undefined;
  match: Uint8Array | undefined;
  selected: number;
  changed: ReadonlySet<number> | undefined;
  color: (position: number) => string;
  holders: (position: number) => Holder[];
}

/** Height of the middle of line `index` of `count`, centred in the tile. */
function lineY(index: number, count: number): number {
  const pitch = Math.min(PITCH, ROOM / Math.max(1, count));
  return MIDDLE - ((count - 1) * pitch) / 2 + index * pitch;
}

/** Positions of the devices that have a line of their own. */
export function shownDevices(shape: Shape): number {
  return Math.min(DEVICES_MAX, shape.devices.length);
}

/** The device at a height of the tile, or -1. */
export function deviceAt(shape: Shape, x: number, y: number): number {
  const count = shownDevices(shape);
  const reach = Math.min(PITCH, ROOM / Math.max(1, count)) / 2;
  return x > LEFT ? -1 : Array.from({ length: count }, (_, i) => i).findIndex((i) => Math.abs(lineY(i, count) - y) <= reach);
}

export function networkScene(input: NetworkInput): Scene {
  const { shape, row, nodes } = input;
  const count = shownDevices(shape);
  const few = row.all !== true && nodes.length > 0 && nodes.length <= NODES_MAX;
  const marks = Array.from({ length: count }, (_, i) => deviceMark(input, i, lineY(i, count), few));
  const back: Prim[] = few ? fewNodes(nodes, count) : manyNodes(row, count);
  if (shape.devices.length > count) {
    back.push(text(36, 137, `${shape.devices.length - count} more`, { size: 11 }));
  }
  return { back, marks };
}

function line(d: string): Prim {
  return path(d, 'none', 'line-2', 1.5);
}

function fewNodes(nodes: readonly NodeRow[], devices: number): Prim[] {
  const ys = nodes.map((_, i) => lineY(i, nodes.length));
  const all = [...ys, lineY(0, devices), lineY(devices - 1, devices)];
  const h = Math.min(30, ROOM / nodes.length - 3);
  return [
    line(`M${SPINE} ${Math.min(...all)}V${Math.max(...all)}`),
    ...nodes.flatMap((node, i) => [
      line(`M${SPINE} ${ys[i]}H${NODE_X}`),
      rect(NODE_X, ys[i]! - h / 2, NODE_WIDTH, h, 5, 'sunk'),
      text(NODE_X + 7, ys[i]! + 4, clipped(node.name, 12, NODE_WIDTH - 12), { size: 12, fill: 'ink' }),
    ]),
  ];
}

function manyNodes(row: PoolRow, devices: number): Prim[] {
  const number = row.all === true ? 'all' : `${row.reach?.length ?? 0}`;
  const centre = NODE_X + NODE_WIDTH / 2;
  return [
    line(`M${SPINE} ${lineY(0, devices)}V${lineY(devices - 1, devices)}M${SPINE} ${MIDDLE}H${NODE_X}`),
    rect(NODE_X, MIDDLE - 20, NODE_WIDTH, 40, 5, 'sunk'),
    text(centre, MIDDLE - 3, `${number} nodes`, { size: 12, fill: 'ink', anchor: 'middle' }),
    text(centre, MIDDLE + 11, 'reach it', { size: 11, anchor: 'middle' }),
  ];
}

function deviceMark(input: NetworkInput, i: number, y: number, few: boolean): Mark {
  const { shape, row } = input;
  const device = shape.devices[i]!;
  const letter = input.planned?.has(i) ? PLANNED : (row.state[i] ?? '_');
  const holders = input.holders(i);
  const color = input.color(i);
  const name = clipped(shortName(device, row), 12.5, LEFT - 38);
  const prims: Prim[] = [
    ...(letter === '~' ? sharedPrims(input, i, y, color) : circle(y, letter, color)),
    text(36, y - 2, name, { size: 12, fill: 'ink', weight: 600 }),
    text(36, y + 11, clipped(noteOf(input, i, letter, holders[0]), 11, LEFT - 38), { size: 11 }),
  ];
  if (few) {
    const attaching = (row.attach ?? []).some(([at]) => at === i);
    const d = `M${LEFT} ${y}H${SPINE}`;
    prims.push(attaching ? path(d, 'none', 'attach-b', 1.8, '3 2') : line(d));
  }
  if (input.selected === i || input.changed?.has(i)) {
    prims.push(rect(20 - 13, y - 13, 26, 26, 13, 'none', 'ink', 1.8));
  }
  const title = describeDevice(shape, row, i, holders, letter);
  const faded = input.match !== undefined && input.match[i] !== 1;
  return { position: i, unit: -1, title, faded, prims };
}

function circle(y: number, letter: string, color: string): Prim[] {
  const box = { x: 20 - RADIUS, y: y - RADIUS, w: 2 * RADIUS, h: 2 * RADIUS, radius: RADIUS };
  return devicePrims(box, letter, color, '');
}

/** A shared device fills like a clock. */
function sharedPrims(input: NetworkInput, i: number, y: number, color: string): Prim[] {
  const capacity = input.shape.devices[i]!.capacities?.[0];
  const share = capacity ? amountUsed(input.row, i, 0) / Math.max(1, capacity.total) : 0;
  const angle = Math.min(0.9999, share) * 2 * Math.PI;
  const end = `${20 + RADIUS * Math.sin(angle)} ${y - RADIUS * Math.cos(angle)}`;
  const sector = `M20 ${y}V${y - RADIUS}A${RADIUS} ${RADIUS} 0 ${angle > Math.PI ? 1 : 0} 1 ${end}Z`;
  const ground = rect(20 - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, RADIUS, 'free', color || 'use');
  return [ground, path(sector, color || 'use')];
}

function noteOf(input: NetworkInput, i: number, letter: string, holder: Holder | undefined): string {
  const { shape, row } = input;
  const attach = (row.attach ?? []).find(([at]) => at === i);
  if (attach) {
    return `attaching, ${clockDuration(attach[2])}`;
  }
  const device = shape.devices[i]!;
  const capacity = barsOf(device)[0];
  if (isShared(device) && capacity) {
    return `${capacityText(amountUsed(row, i, 0), capacity)} ${capacity.name}`;
  }
  if (!holder || letter === PLANNED) {
    return describeState(letter);
  }
  const full = holderText(holder);
  return textWidth(full, 11) <= LEFT - 38 ? full : full.slice(full.indexOf('/') + 1);
}
