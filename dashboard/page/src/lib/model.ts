// The fleet as the page keeps it: rows by id, replaced whole, never changed in place.
import type {
  ChangeBody,
  ClassRow,
  DeviceShape,
  FleetBody,
  Group,
  Holder,
  Level,
  MissingRight,
  NodeColumns,
  NodeRow,
  PoolRow,
  Shape,
} from './contract.ts';

/** What one batch of events changed. `all` = everything was replaced. */
export interface ModelChange {
  all: boolean;
  nodes: ReadonlySet<number>;
  pools: ReadonlySet<number>;
  /** Rows that were removed by this batch, as they last were. */
  removedNodes: readonly NodeRow[];
  removedPools: readonly PoolRow[];
}

export type ModelListener = (change: ModelChange) => void;

const NOTHING: ModelChange = {
  all: false,
  nodes: new Set(),
  pools: new Set(),
  removedNodes: [],
  removedPools: [],
};

/** The rows of nodes that the server sends as columns. */
export function rowsOf(columns: NodeColumns): NodeRow[] {
  const members = Object.entries(columns) as [string, unknown[]][];
  return columns.id.map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const [member, values] of members) {
      row[member] = values[index];
    }
    return row as unknown as NodeRow;
  });
}

/** Whether the model at `rev` contains the change already; revisions are EPOCH.NUMBER. */
export function contains(rev: string, change: string): boolean {
  const [epoch, number] = split(rev);
  const [changeEpoch, changeNumber] = split(change);
  return epoch === changeEpoch && changeNumber <= number;
}

function split(rev: string): [string, number] {
  const dot = rev.lastIndexOf('.');
  return [rev.slice(0, dot), Number(rev.slice(dot + 1))];
}

/** A name with `{node}` replaced. */
export function named(pattern: string, node: string): string {
  return pattern.replaceAll('{node}', node);
}

export class FleetModel {
  rev = '';
  time = '';
  cluster = '';
  past = false;
  readonly nodes = new Map<number, NodeRow>();
  readonly pools = new Map<number, PoolRow>();
  readonly shapes = new Map<number, Shape>();
  readonly groups = new Map<number, Group>();
  readonly holders = new Map<number, Holder>();
  levels: Level[] = [];
  classes: ClassRow[] = [];
  access: MissingRight[] = [];
  pendingPods = 0;
  truncated: { nodes?: number; holders?: number } = {};
  readonly #listeners = new Set<ModelListener>();

  /** Calls `listener` after each batch; returns the function that ends it. */
  subscribe(listener: ModelListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  load(body: FleetBody): void {
    this.rev = body.rev ?? '';
    this.time = body.time;
    this.cluster = body.cluster;
    this.past = body.past ?? false;
    this.levels = body.levels ?? [];
    this.classes = body.classes ?? [];
    this.access = body.access ?? [];
    this.pendingPods = body.pending?.pods ?? 0;
    this.truncated = body.truncated ?? {};
    replace(this.shapes, body.shapes);
    replace(this.groups, body.groups);
    replace(this.holders, body.holders);
    replace(this.nodes, rowsOf(body.nodes));
    replace(this.pools, body.pools);
    this.#tell({ ...NOTHING, all: true });
  }

  /** Applies the changes of one batch, then tells the listeners once. */
  apply(changes: readonly ChangeBody[]): void {
    const nodes = new Set<number>();
    const pools = new Set<number>();
    const removedNodes: NodeRow[] = [];
    const removedPools: PoolRow[] = [];
    for (const change of changes) {
      if (contains(this.rev, change.rev)) {
        continue;
      }
      this.rev = change.rev;
      this.time = change.time ?? this.time;
      this.levels = change.levels ?? this.levels;
      this.classes = withChanges(this.classes, change.classes, change.removedClasses);
      this.access = change.access ?? this.access;
      this.pendingPods = change.pending?.pods ?? this.pendingPods;
      add(this.shapes, change.shapes);
      add(this.groups, change.groups);
      add(this.holders, change.holders);
      add(this.nodes, change.nodes, nodes);
      add(this.pools, change.pools, pools);
      remove(this.nodes, change.removedNodes, removedNodes);
      remove(this.pools, change.removedPools, removedPools);
    }
    this.#tell({ all: false, nodes, pools, removedNodes, removedPools });
  }

  shapeOf(row: { shape: number }): Shape {
    return this.shapes.get(row.shape) ?? { id: row.shape, devices: [] };
  }

  /** Position of a device in the row's shape, or -1. */
  positionOf(row: NodeRow | PoolRow, driver: string, pool: string, device: string): number {
    return this.shapeOf(row).devices.findIndex(
      (each) =>
        each.driver === driver &&
        named(each.pool, row.name) === pool &&
        named(each.name, row.name) === device,
    );
  }

  /** Holders of the device at `position`; several when the device is shared. */
  holdersOf(row: NodeRow | PoolRow, position: number): Holder[] {
    const holds = row.holds ?? [];
    const found: Holder[] = [];
    for (let i = 0; i + 2 < holds.length; i += 3) {
      const first = holds[i]!;
      if (position >= first && position < first + holds[i + 1]!) {
        const holder = this.holders.get(holds[i + 2]!);
        if (holder) {
          found.push(holder);
        }
      }
    }
    return found;
  }

  /** The row that has the device, and its position there. */
  find(driver: string, pool: string, device: string): Place | undefined {
    for (const rows of [this.nodes, this.pools]) {
      for (const row of rows.values()) {
        const position = this.positionOf(row, driver, pool, device);
        if (position >= 0) {
          const shape = this.shapeOf(row).devices[position]!;
          return { row, pool: rows === this.pools, position, shape };
        }
      }
    }
    return undefined;
  }

  #tell(change: ModelChange): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }
}

/** Where a device is. */
export interface Place {
  row: NodeRow | PoolRow;
  pool: boolean;
  position: number;
  shape: DeviceShape;
}

/** Classes by name; new ones come last, so that the others keep their places. */
function withChanges(classes: ClassRow[], changed: ClassRow[] = [], removed: string[] = []): ClassRow[] {
  if (changed.length === 0 && removed.length === 0) {
    return classes;
  }
  const byName = new Map(classes.map((each) => [each.name, each]));
  changed.forEach((each) => byName.set(each.name, each));
  removed.forEach((name) => byName.delete(name));
  return [...byName.values()];
}

function replace<T extends { id: number }>(map: Map<number, T>, values: T[] | undefined): void {
  map.clear();
  add(map, values);
}

function add<T extends { id: number }>(
  map: Map<number, T>,
  values: T[] | undefined,
  changed?: Set<number>,
): void {
  for (const value of values ?? []) {
    map.set(value.id, value);
    changed?.add(value.id);
  }
}

function remove<T>(map: Map<number, T>, ids: number[] | undefined, removed: T[]): void {
  for (const id of ids ?? []) {
    const row = map.get(id);
    if (row !== undefined) {
      removed.push(row);
      map.delete(id);
    }
  }
}
