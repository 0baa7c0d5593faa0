// Shapes and nodes for tests, as the data API sends them.
import type { DeviceShape, NodeRow, Shape } from '../../src/lib/contract.ts';
import type { FleetData } from '../../src/fleet/frames.ts';

const ROOTS = ['17', '41', '50', '5f', '9b', 'c1', 'cf', 'dd'];

/** Eight GPUs, each with a NIC on its own PCIe root, and the cores of two NUMA nodes. */
export function h100(id = 0): Shape {
  const gpus = ROOTS.map((root, i) => gpu(i, i >> 2, root));
  const nics = ROOTS.map((root, i): DeviceShape => ({ ...gpu(i, i >> 2, root), name: `nic-${i}`, driver: 'dra.net', kind: 'n', classes: ['rdma'] }));
  const cores = [0, 1].map(
    (numa): DeviceShape => ({
      name: `cpus-${numa}`,
      driver: 'dra.cpu',
      pool: '{node}',
      kind: 'c',
      index: numa,
      numa: [numa],
      capacities: [{ name: 'cpu', total: 96 }],
    }),
  );
  return { id, numa: [0, 1], devices: [...gpus, ...nics, ...cores] };
}

export function gpu(index: number, numa: number | undefined, root: string | undefined): DeviceShape {
  return {
    name: `gpu-${index}`,
    driver: 'gpu.example.com',
    pool: '{node}',
    kind: 'g',
    index,
    classes: ['gpu'],
    product: 'H100',
    ...(numa === undefined ? {} : { numa: [numa] }),
    ...(root === undefined ? {} : { root: [`pci0000:${root}`] }),
  };
}

/** One GPU with eight cells and partitions of one, two and four cells; optionally listed whole as well. */
export function mig(frame: boolean, id = 3): Shape {
  const profiles: [string, number, number[]][] = [
    ['1g.5gb', 1, [0, 1, 2, 3, 4, 5, 6]],
    ['2g.10gb', 2, [0, 2, 4]],
    ['3g.20gb', 4, [0, 4]],
  ];
  const parts = profiles.flatMap(([profile, size, starts]) =>
    starts.map(
      (start): DeviceShape => ({
        name: `gpu-0-${profile}-${start}`,
        driver: 'gpu.example.com',
        pool: '{node}',
        kind: 'p',
        index: 0,
        numa: [0],
        root: ['pci0000:10'],
        classes: ['mig'],
        profile,
        unit: 0,
        cells: Array.from({ length: size }, (_, i) => start + i),
        share: size / 8,
      }),
    ),
  );
  const devices = frame ? [...parts, gpu(0, 0, '10')] : parts;
  const unit = {
    name: 'gpu-0',
    driver: 'gpu.example.com',
    pool: '{node}',
    kind: 'g' as const,
    index: 0,
    numa: [0],
    root: ['pci0000:10'],
    cells: 8,
    frame: frame ? parts.length : -1,
    parts: parts.map((_, i) => i),
  };
  return { id, numa: [0], devices, units: [unit] };
}

export function node(id: number, shape: Shape, more: Partial<NodeRow> = {}): NodeRow {
  return { id, name: `node-${id}`, shape: shape.id, state: '.'.repeat(shape.devices.length), ...more };
}

export function fleet(shapes: Shape[], nodes: NodeRow[], more: Partial<FleetData> = {}): FleetData {
  return {
    nodes: new Map(nodes.map((row) => [row.id, row])),
    pools: new Map(),
    shapes: new Map(shapes.map((shape) => [shape.id, shape])),
    groups: new Map(),
    holders: new Map(),
    levels: [],
    ...more,
  };
}
