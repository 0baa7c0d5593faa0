// Groups of nodes: frames by topology level or by hardware, at most one level nested, and equal nodes as stacks.
import type { Group, Holder, Level, NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import { kindWord, mainKind } from './words.ts';

/** The parts of the model that frames are made from. */
export interface FleetData {
  nodes: ReadonlyMap<number, NodeRow>;
  pools: ReadonlyMap<number, PoolRow>;
  shapes: ReadonlyMap<number, Shape>;
  groups: ReadonlyMap<number, Group>;
  holders: ReadonlyMap<number, Holder>;
  levels: readonly Level[];
}

/** Nodes that one tile stands for; more than one only when they are equal. */
export interface Stack {
  key: string;
  ids: number[];
}

export interface Section {
  key: string;
  title: string;
  stacks: Stack[];
}

export interface Frame {
  key: string;
  title: string;
  /** Level of the topology (`rack`), or ''. */
  level: string;
  ids: number[];
  sections: Section[];
}

export interface FrameOptions {
  /** A level of the topology, `profile` or `none`. */
  group: string;
  stack: boolean;
  /** Keys of stacks that are shown node by node. */
  unfolded: ReadonlySet<string>;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Compares names with numbers as people do: node-9 before node-10. */
export function byName(a: string, b: string): number {
  return collator.compare(a, b);
}

/** Nodes with devices, in the order of their names. */
export function drawnNodes(data: FleetData): NodeRow[] {
  return [...data.nodes.values()]
    .filter((row) => hasDevices(data, row))
    .sort((a, b) => byName(a.name, b.name) || a.id - b.id);
}

export function hasDevices(data: FleetData, row: NodeRow): boolean {
  const shape = data.shapes.get(row.shape);
  return (shape?.devices.length ?? 0) > 0 || (row.ghosts?.length ?? 0) + (row.unusable?.length ?? 0) > 0;
}

/** Choices for grouping, outermost level first. */
export function groupChoices(data: FleetData): string[] {
  const used = new Set([...data.groups.values()].map((group) => group.level));
  return [...data.levels.map((level) => level.level).filter((level) => used.has(level)), 'profile', 'none'];
}

export function framesOf(data: FleetData, options: FrameOptions): Frame[] {
  const frames = new Map<string, Frame>();
  for (const row of drawnNodes(data)) {
    const frame = frameFor(data, row, options.group);
    const known = frames.get(frame.key);
    if (known) {
      known.ids.push(row.id);
    } else {
      frames.set(frame.key, { ...frame, ids: [row.id] });
    }
  }
  const rank = (frame: Frame): number => (frame.level === options.group ? 0 : frame.level !== '' ? 1 : 2);
  const sorted = [...frames.values()].sort((a, b) => rank(a) - rank(b) || byName(a.title, b.title));
  return sorted.map((frame) => ({ ...frame, sections: sectionsOf(data, frame, options) }));
}

type Named = Omit<Frame, 'ids'>;

function frameFor(data: FleetData, row: NodeRow, group: string): Named {
  if (group === 'none') {
    return { key: 'all', title: 'All nodes', level: '', sections: [] };
  }
  if (group === 'profile') {
    const title = profileOf(data.shapes.get(row.shape));
    return { key: `profile ${title}`, title, level: '', sections: [] };
  }
  const groups = (row.groups ?? []).flatMap((id) => data.groups.get(id) ?? []);
  const found = groups.find((each) => each.level === group) ?? groups[0];
  return found
    ? { key: `${found.level} ${found.name}`, title: groupTitle(found), level: found.level, sections: [] }
    : { key: 'no group', title: `No ${group}`, level: '', sections: [] };
}

const LEVEL_WORDS: Readonly<Record<string, string>> = {
  clique: 'NVLink clique',
  rack: 'Rack',
  block: 'Block',
  zone: 'Zone',
};

/** "NVLink clique 3f7c…b1.0": long names keep their ends. */
export function groupTitle(group: Group): string {
  const word = LEVEL_WORDS[group.level] ?? `${group.level.charAt(0).toUpperCase()}${group.level.slice(1)}`;
  return `${word} ${shortGroup(group.name)}`;
}

export function shortGroup(name: string): string {
  return name.length > 24 ? `${name.slice(0, 8)}…${name.slice(-6)}` : name;
}

/** Hardware of a node in words: "8 GPUs NVIDIA H100 80GB HBM3, 8 NICs". */
export function profileOf(shape: Shape | undefined): string {
  if (!shape || shape.devices.length === 0) {
    return 'no devices';
  }
  const kind = mainKind(shape);
  const units = (shape.units ?? []).filter((unit) => unit.kind === kind).length;
  const own = shape.devices.filter((device) => device.kind === kind);
  const count = units > 0 ? units : own.length;
  const product = (own[0] ?? shape.devices[0])?.product ?? '';
  return `${count} ${kindWord(kind, count)} ${product}`.trim() + (units > 0 ? ', partitioned' : '');
}

/** Inner frames: another level of which this frame has two or more groups. */
function sectionsOf(data: FleetData, frame: Frame, options: FrameOptions): Section[] {
  const whole = (): Section[] => [
    { key: frame.key, title: '', stacks: stacksOf(data, frame.key, frame.ids, options) },
  ];
  if (frame.level === '' || options.group === 'none') {
    return whole();
  }
  for (const level of data.levels) {
    if (level.level === frame.level) {
      continue;
    }
    const inner = new Map<string, number[]>();
    for (const id of frame.ids) {
      const group = (data.nodes.get(id)?.groups ?? [])
        .flatMap((each) => data.groups.get(each) ?? [])
        .find((each) => each.level === level.level);
      const title = group ? groupTitle(group) : '';
      inner.set(title, [...(inner.get(title) ?? []), id]);
    }
    const divided = inner.size > 1 && inner.size <= frame.ids.length / 2;
    if (divided || (inner.size === 1 && !inner.has('') && spansOnly(data, frame, level))) {
      return [...inner]
        .sort((a, b) => byName(a[0], b[0]))
        .map(([title, ids]) => {
          const key = `${frame.key} / ${title}`;
          return { key, title, stacks: stacksOf(data, key, ids, options) };
        });
    }
  }
  return whole();
}

/** Whether a group that covers the whole frame adds something to it: a clique that is a rack is worth its name. */
function spansOnly(data: FleetData, frame: Frame, level: Level): boolean {
  return level.level === 'clique' && frame.ids.length > 1 && data.levels.length > 1;
}

function stacksOf(
  data: FleetData,
  key: string,
  ids: readonly number[],
  options: FrameOptions,
): Stack[] {
  if (!options.stack) {
    return ids.map((id) => ({ key: `${id}`, ids: [id] }));
  }
  const stacks = new Map<string, number[]>();
  for (const id of ids) {
    const look = appearance(data, data.nodes.get(id)!);
    const equal = stacks.get(look);
    if (equal) {
      equal.push(id);
    } else {
      stacks.set(look, [id]);
    }
  }
  return [...stacks.values()].flatMap((equal) => {
    const stackKey = `${key} ${equal[0]}`;
    return equal.length > 1 && options.unfolded.has(stackKey)
      ? equal.map((id) => ({ key: `${id}`, ids: [id] }))
      : [{ key: equal.length > 1 ? stackKey : `${equal[0]}`, ids: equal }];
  });
}

/** Text that is equal for nodes that look equal; holders of one gang count as equal. */
export function appearance(data: FleetData, row: NodeRow): string {
  const holder = (id: number): string => {
    const found = data.holders.get(id);
    return found?.gang ? `gang ${found.namespace}/${found.gang}` : `${id}`;
  };
  const holds: string[] = [];
  const flat = row.holds ?? [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    holds.push(`${flat[i]} ${flat[i + 1]} ${holder(flat[i + 2]!)}`);
  }
  const amounts = (row.amounts ?? []).map(([at, number, id, amount]) => `${at} ${number} ${holder(id)} ${amount}`);
  const rest = [row.units, row.flags, row.taints, row.health, row.attach, row.ghosts, row.unusable];
  return JSON.stringify([row.shape, row.state, holds, amounts, ...rest.map((each) => each ?? [])]);
}
