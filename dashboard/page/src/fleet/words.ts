// Words and numbers beside the pictures: use of a node, names of stacks, amounts.
import type { CapacityShape, DeviceShape, Holder, NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import { categoryOf, describeState, isTainted, isUsed } from './states.ts';
import { isShared, shortName } from './shapes.ts';

const KIND_WORDS: Readonly<Record<string, [string, string]>> = {
  g: ['GPU', 'GPUs'],
  a: ['accelerator', 'accelerators'],
  f: ['FPGA', 'FPGAs'],
  n: ['NIC', 'NICs'],
  d: ['disk', 'disks'],
  c: ['CPU', 'CPUs'],
  m: ['memory', 'memory'],
  p: ['partition', 'partitions'],
  o: ['device', 'devices'],
};

export function kindWord(kind: string, count: number): string {
  const words = KIND_WORDS[kind] ?? KIND_WORDS['o']!;
  return count === 1 ? words[0] : words[1];
}

export function grouped(value: number): string {
  return value.toLocaleString('en');
}

const LARGER: Readonly<Record<string, [string, number]>> = {
  Ki: ['Mi', 1024],
  Mi: ['Gi', 1024],
  Gi: ['Ti', 1024],
  k: ['M', 1000],
  M: ['G', 1000],
  G: ['T', 1000],
};
const LARGEST_NUMBER = 10_000;

/** Unit of a capacity's amounts: as published, or the next larger ones for long numbers (46068Mi is 45Gi). */
function unitOf(capacity: CapacityShape): { scale: number; suffix: string } {
  let scale = capacity.scale ?? 1;
  let suffix = capacity.suffix ?? '';
  for (let larger = LARGER[suffix]; larger && capacity.total / scale >= LARGEST_NUMBER; larger = LARGER[suffix]) {
    suffix = larger[0];
    scale *= larger[1];
  }
  return { scale, suffix };
}

/** An amount of a capacity in the unit of its total: `62`, `29.5`. */
export function amountText(value: number, capacity: CapacityShape): string {
  const scaled = value / unitOf(capacity).scale;
  return Number.isInteger(scaled) || scaled >= 100 ? `${Math.round(scaled)}` : scaled.toFixed(1).replace(/\.0$/, '');
}

export function capacityText(used: number, capacity: CapacityShape): string {
  return `${amountText(used, capacity)}/${amountText(capacity.total, capacity)}${unitOf(capacity).suffix}`;
}

/** Sum of what claims took of one capacity of a shared device. */
export function amountUsed(row: NodeRow | PoolRow, device: number, capacity: number): number {
  let sum = 0;
  for (const [at, number, , amount] of row.amounts ?? []) {
    sum += at === device && number === capacity ? amount : 0;
  }
  return sum;
}

/** Kinds of devices, those first that a node is bought for. */
export const KIND_ORDER = 'gafndpcmo';

/** The kind of device that a node is there for: GPUs before other accelerators before NICs. */
export function mainKind(shape: Shape): string {
  const present = new Set<string>(shape.devices.map((device) => device.kind));
  (shape.units ?? []).forEach((unit) => present.add(unit.kind));
  return [...KIND_ORDER].find((kind) => present.has(kind)) ?? 'o';
}

/** Tainted or unhealthy devices; a partitioned GPU counts once. */
export function taintedCount(shape: Shape, row: NodeRow | PoolRow): number {
  const units = new Set<number>();
  let count = 0;
  shape.devices.forEach((device, i) => {
    if (isTainted(row.state[i] ?? '')) {
      if (device.unit === undefined) {
        count++;
      } else {
        units.add(device.unit);
      }
    }
  });
  return count + units.size;
}

export interface Use {
  kind: string;
  used: number;
  total: number;
  /** Mean share in use of partitioned GPUs, or share of one shared capacity; -1 when devices are counted. */
  share: number;
  /** "43 of 90Gi" of shared devices, or ''. */
  amount: string;
}

/** Use of the main kind of a node's devices. */
export function useOf(shape: Shape, row: NodeRow | PoolRow): Use {
  const kind = mainKind(shape);
  const units = (shape.units ?? []).map((unit, i) => ({ unit, i })).filter(({ unit }) => unit.kind === kind);
  if (units.length > 0) {
    const shares = units.map(({ i }) => row.units?.[i]?.[0] ?? 0);
    const share = shares.reduce((sum, each) => sum + each, 0) / shares.length;
    return { kind, used: 0, total: units.length, share, amount: '' };
  }
  let used = 0;
  let total = 0;
  shape.devices.forEach((device, i) => {
    if (device.kind === kind) {
      total++;
      used += isUsed(row.state[i] ?? '') ? 1 : 0;
    }
  });
  return { kind, used, total, share: -1, amount: '', ...sharedUse(shape, row, kind) };
}

/** Use of devices that are all shared: the sum of their first capacity. */
function sharedUse(shape: Shape, row: NodeRow | PoolRow, kind: string): { share: number; amount: string } | undefined {
  const own = shape.devices.flatMap((device, i) => (device.kind === kind ? [{ device, i }] : []));
  const capacity = own[0]?.device.capacities?.[0];
  if (!capacity || own.some(({ device }) => device.capacities?.[0]?.name !== capacity.name)) {
    return undefined;
  }
  const total = own.reduce((sum, { device }) => sum + device.capacities![0]!.total, 0);
  const used = own.reduce((sum, { i }) => sum + amountUsed(row, i, 0), 0);
  const unit = unitOf(capacity).suffix || ` ${capacity.name}`;
  const text = `${amountText(used, capacity)} of ${amountText(total, capacity)}${unit}`;
  return { share: used / Math.max(1, total), amount: text };
}

export function useText(use: Use, times = 1): string {
  const word = kindWord(use.kind, use.total);
  if (use.total === 0) {
    return 'no devices';
  }
  if (use.amount !== '') {
    return use.amount;
  }
  if (use.share >= 0) {
    return `${Math.round(use.share * 100)} % of ${use.total} ${word}`;
  }
  return times > 1 ? `${use.used} of ${use.total} each` : `${use.used} of ${use.total} ${word}`;
}

export function holderText(holder: Holder): string {
  if (holder.hidden === true) {
    return 'a holder whose name may not be read';
  }
  const pods = holder.pods ?? [];
  const name = pods.length > 0 ? pods[0]! : holder.claim;
  const more = pods.length > 1 ? ` +${pods.length - 1}` : '';
  return `${holder.namespace}/${name}${more}`;
}

/** What a screen reader and the tooltip say about a device: "gpu-6, h100x8-01, NUMA 1, root cf, tainted". */
export function describeDevice(
  shape: Shape,
  row: NodeRow | PoolRow,
  position: number,
  holders: readonly Holder[],
  letter = row.state[position] ?? '',
): string {
  const device = shape.devices[position];
  if (!device) {
    return row.name;
  }
  const parts = [shortName(device, row), row.name];
  if (device.numa?.length === 1) {
    parts.push(`NUMA ${device.numa[0]}`);
  }
  if (device.root?.length === 1) {
    parts.push(`root ${device.root[0]}`);
  }
  parts.push(describeState(letter));
  const taint = (row.taints ?? []).find(([at]) => at === position);
  if (taint) {
    parts.push(`taint ${taint[2]}`);
  }
  const unhealthy = (row.health ?? []).find(([at]) => at === position);
  if (unhealthy) {
    parts.push(unhealthy[1]);
  }
  if (isShared(device)) {
    device.capacities!.slice(0, 3).forEach((capacity, i) =>
      parts.push(`${capacity.name} ${capacityText(amountUsed(row, position, i), capacity)}`),
    );
  }
  const names = holders.slice(0, 3).map(holderText);
  return [...parts, ...names, ...(holders.length > 3 ? [`${holders.length - 3} more`] : [])].join(', ');
}

/** States in which a partition counts; free placements do not, since a GPU lists every possible one. */
const COUNTED_PARTITIONS = '#o~ha!EU';

/** Whether a device counts: a partition only when it takes up its cells. */
export function isCounted(device: DeviceShape, letter: string): boolean {
  return device.unit === undefined || COUNTED_PARTITIONS.includes(letter);
}

/** Counts per category of states: devices, partitions that take up cells, blocked cells. Added to `counts`. */
export function countStates(shape: Shape, row: NodeRow | PoolRow, counts: number[]): void {
  const add = (letter: string, count = 1): void => {
    counts[categoryOf(letter)]! += count;
  };
  for (let i = 0; i < shape.devices.length; i++) {
    const letter = row.state[i] ?? '_';
    if (isCounted(shape.devices[i]!, letter)) {
      add(letter);
    }
  }
  for (const [, cells] of row.units ?? []) {
    add('%', cells.split('%').length - 1);
    add('x', cells.includes('x') ? 1 : 0);
  }
  add('?', 'ghosts' in row ? (row.ghosts?.length ?? 0) : 0);
}

/** Name of equal nodes: `h100x8-05…07`, or the first and a number. */
export function stackName(names: readonly string[]): string {
  const first = names[0] ?? '';
  const last = names.at(-1) ?? '';
  const prefix = /^(.*?)(\d+)$/.exec(first);
  const end = /^(.*?)(\d+)$/.exec(last);
  return prefix && end && prefix[1] === end[1] ? `${first}…${end[2]}` : `${first} …`;
}

function charWidth(char: string): number {
  if ('.,:;|!\'ijlt1f()[]/ -'.includes(char)) {
    return 0.33;
  }
  if ('mwMW%@…'.includes(char)) {
    return 0.88;
  }
  return char >= 'A' && char <= 'Z' ? 0.69 : 0.57;
}

export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
  }
  return width * size;
}

/** Text cut to a width, with an ellipsis in the middle, since names often differ at their end. */
export function clipped(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) {
    return text;
  }
  let keep = text.length - 1;
  let cut = text;
  while (keep > 1 && textWidth(cut, size) > width) {
    keep--;
    const head = Math.ceil(keep / 2);
    cut = `${text.slice(0, head)}…${text.slice(text.length - (keep - head))}`;
  }
  return cut;
}
