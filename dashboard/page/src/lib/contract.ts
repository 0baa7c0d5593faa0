// Types of the data API below /ui/api/, version dashboard.berth.dev/v1 (docs/dashboard-api.md).
// An absent member means empty, false or none.

export type Kind = 'g' | 'n' | 'c' | 'm' | 'd' | 'f' | 'a' | 'p' | 'o';

export interface Progress {
  [resource: string]: { seen: number; synced: boolean };
}

export interface ErrorBody {
  code: number;
  reason: string;
  message: string;
  action?: string;
  position?: { offset: number; line: number; column: number };
  progress?: Progress;
}

export interface Session {
  version: string;
  user: string;
  cluster: string;
  server: string;
  context?: string;
  namespace?: string;
  readOnly: boolean;
  schedulers?: string[];
  policies: string[];
}

export interface Fit {
  size: string;
  scope?: string;
  count?: number;
  now: number | 'unlimited';
  together?: number | 'unlimited';
  exact?: boolean;
}

export interface ClassRow {
  name: string;
  kind: Kind;
  devices: number;
  inUse: number;
  percent: number;
  free: number;
  partlyUsed?: number;
  unavailable?: number;
  available?: number | 'unlimited';
  adminAccess?: number;
  namespaces?: Record<string, number>;
  fits?: Fit[];
}

export interface CapacityShape {
  name: string;
  total: number;
  scale?: number;
  suffix?: string;
}

export interface DeviceShape {
  name: string;
  driver: string;
  /** `{node}` stands for the node's name. */
  pool: string;
  kind: Kind;
  index: number;
  numa?: number[];
  root?: string[];
  classes?: string[];
  product?: string;
  memory?: string;
  capacities?: CapacityShape[];
  /** Of a partition: its profile, its unit, the cells that it covers, and its share of the unit. */
  profile?: string;
  unit?: number;
  cells?: number[];
  share?: number;
}

/** A device that is divided by counters. */
export interface UnitShape {
  name: string;
  driver: string;
  pool: string;
  kind: Kind;
  index: number;
  numa?: number[];
  root?: string[];
  cells?: number;
  cellName?: string;
  /** Position of the whole device that is listed beside its partitions, or -1. */
  frame: number;
  parts?: number[];
}

export interface Shape {
  id: number;
  numa?: number[];
  devices: DeviceShape[];
  units?: UnitShape[];
}

export interface Level {
  level: string;
  key: string;
}

export interface Group {
  id: number;
  level: string;
  name: string;
}

export interface Holder {
  id: number;
  namespace: string;
  claim: string;
  pods?: string[];
  gang?: string;
  owner?: string;
  since?: string;
  admin?: boolean;
  hidden?: boolean;
}

export interface Ghost {
  driver: string;
  pool: string;
  device: string;
  holder?: number;
}

export interface UnusablePool {
  driver: string;
  pool: string;
  reason: string;
}

/** Members that nodes and pools of several nodes share. */
export interface DeviceRow {
  id: number;
  name: string;
  shape: number;
  groups?: number[];
  /** One letter per device of the shape. */
  state: string;
  /** Flat triples: first device, count, holder. */
  holds?: number[];
  /** Per unit of the shape: share in use 0…1 and one letter per cell. */
  units?: [number, string][];
  /** Device, capacity number, holder, amount. */
  amounts?: [number, number, number, number][];
  /** Device, holder, start in seconds since 1970, allowed seconds. */
  attach?: [number, number, number, number][];
  taints?: [number, string, string][];
  health?: [number, string][];
}

export interface NodeRow extends DeviceRow {
  flags?: string[];
  ghosts?: Ghost[];
  unusable?: UnusablePool[];
}

/** A pool of devices that several nodes reach. */
export interface PoolRow extends DeviceRow {
  driver: string;
  all?: boolean;
  reach?: number[];
}

export interface MissingRight {
  resource: string;
  scope: 'all' | 'namespace';
  namespace?: string;
  text: string;
  role?: string;
}

/** `nodes` as columns: one array per member of NodeRow. */
export type NodeColumns = { [M in keyof NodeRow]?: NodeRow[M][] } & { id: number[] };

export interface FleetBody {
  rev?: string;
  past?: boolean;
  time: string;
  cluster: string;
  connected?: boolean;
  access?: MissingRight[];
  classes?: ClassRow[];
  levels?: Level[];
  groups?: Group[];
  shapes?: Shape[];
  holders?: Holder[];
  nodes: NodeColumns;
  pools?: PoolRow[];
  pending?: { pods: number };
  truncated?: { nodes?: number; holders?: number };
}

export interface ChangeBody {
  rev: string;
  time?: string;
  shapes?: Shape[];
  groups?: Group[];
  levels?: Level[];
  holders?: Holder[];
  nodes?: NodeRow[];
  removedNodes?: number[];
  pools?: PoolRow[];
  removedPools?: number[];
  /** Only the classes that changed. */
  classes?: ClassRow[];
  removedClasses?: string[];
  access?: MissingRight[];
  pending?: { pods: number };
}

/** Answer of /ui/api/filter: pairs first, count of matching positions by id. */
export interface FilterBody {
  rev: string;
  nodes?: [number, number[]][];
  pools?: [number, number[]][];
  devices: number;
  errors?: number;
  firstError?: string;
}
