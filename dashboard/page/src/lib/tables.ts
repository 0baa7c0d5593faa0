// Rows of the tables, objects and timelines of the data API.

export interface DeviceId {
  driver: string;
  pool: string;
  device: string;
}

export interface ClaimRow {
  namespace: string;
  name: string;
  phase: string;
  classes?: string[];
  devices?: DeviceId[];
  deviceCount?: number;
  node?: string;
  pods?: string[];
  gang?: string;
  owner?: string;
  created?: string;
}

export interface DeviceClassRow {
  name: string;
  kind?: string;
  selectors?: string[];
  devices?: number;
  inUse?: number;
  free?: number;
  percent?: number;
  extendedResource?: string;
  created?: string;
}

export interface SliceRow {
  name: string;
  driver: string;
  pool: string;
  node?: string;
  scope?: string;
  generation?: number;
  devices?: number;
  slicesOfPool?: number;
  status?: string;
  reason?: string;
  created?: string;
}

export interface DriverRow {
  name: string;
  slices?: number;
  pools?: number;
  nodes?: number;
  devices?: number;
  inUse?: number;
  tainted?: number;
  incompletePools?: number;
  classes?: string[];
}

export interface QuotaRow {
  namespace: string;
  name: string;
  resource: string;
  used?: string;
  hard?: string;
  percent?: number;
}

export interface GangRow {
  namespace: string;
  name: string;
  minCount?: number;
  pods?: number;
  placed?: number;
  pending?: number;
  claims?: number;
  devices?: number;
  groups?: string[];
  created?: string;
  cause?: string;
}

export interface GangMember {
  pod: string;
  node?: string;
  nodeId?: number;
  groups?: number[];
  devices?: number;
  phase?: string;
  claims?: string[];
}

export interface TableBody<R> {
  rev?: string;
  total?: number;
  offset?: number;
  rows: R[];
}

export interface KubeEvent {
  time: string;
  type?: string;
  reason: string;
  message: string;
  source?: string;
  object?: string;
  count?: number;
}

export interface KubeObject {
  kind: string;
  namespace?: string;
  name: string;
  yaml: string;
  events?: KubeEvent[];
  omitted?: string[];
}

export interface ClaimTimeline {
  namespace: string;
  name: string;
  from?: string;
  to?: string;
  phases?: { phase: string; from: string; to?: string }[];
  events?: KubeEvent[];
  devices?: (DeviceId & { node?: string; from: string; to?: string })[];
}

export interface DeviceTimeline extends DeviceId {
  node?: string;
  from?: string;
  to?: string;
  holders?: {
    namespace?: string;
    claim?: string;
    pods?: string[];
    gang?: string;
    from: string;
    to?: string;
    current?: boolean;
    hidden?: boolean;
  }[];
  taints?: { key: string; value?: string; effect: string; from: string; to?: string }[];
}

export interface DeviceBody extends DeviceId {
  node?: string;
  reach?: string[];
  state?: string;
  classes?: string[];
  slice?: string;
  attributes?: { name: string; type: string; value: string | number | boolean }[];
  capacity?: { name: string; total: string; left?: string }[];
  counters?: { set: string; name: string; total: string; left: string; uses?: string }[];
  profiles?: { profile: string; available: number; shortOf?: string }[];
  taints?: { key: string; value?: string; effect: string; since?: string; rule?: string }[];
  events?: KubeEvent[];
}
