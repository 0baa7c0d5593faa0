// A fixed cluster: GPU nodes in racks, one with partitions, one with shared NICs, one taint, pending pods, a day of history.
const DAY = 24 * 3600;
const NOW = Date.UTC(2026, 10, 18, 14, 32, 10) / 1000;
const iso = (seconds) => new Date(seconds * 1000).toISOString().replace('.000', '');

function gpuShape(id) {
  const roots = ['17', '50', '9b', 'cf'];
  const devices = [];
  for (let i = 0; i < 8; i++) {
    const at = { numa: [i < 4 ? 0 : 1], root: [`pci0000:${roots[i >> 1]}`] };
    devices.push({ name: `gpu-${i}`, driver: 'gpu.nvidia.com', pool: '{node}', kind: 'g', index: i, ...at, classes: ['gpu.nvidia.com'], product: 'NVIDIA H100 80GB HBM3', memory: '80Gi' });
  }
  for (let i = 0; i < 8; i++) {
    const at = { numa: [i < 4 ? 0 : 1], root: [`pci0000:${roots[i >> 1]}`] };
    devices.push({ name: `nic-${i}`, driver: 'dra.net', pool: '{node}', kind: 'n', index: i, ...at, classes: ['dra.net'] });
  }
  return { id, numa: [0, 1], devices };
}

function migShape(id) {
  const devices = [];
  const units = [];
  for (let g = 0; g < 4; g++) {
    const at = { numa: [g >> 1], root: [`pci0000:${['10', '20', '90', 'a0'][g]}`] };
    const parts = [];
    const add = (profile, first, cells) => {
      parts.push(devices.length);
      devices.push({ name: `gpu-${g}-mig-${profile.replaceAll('.', '')}-${first}`, driver: 'gpu.nvidia.com', pool: '{node}', kind: 'p', index: first, ...at, classes: ['mig.nvidia.com'], profile, unit: g, cells: Array.from({ length: cells }, (_, i) => first + i), share: cells / 8 });
    };
    for (let i = 0; i < 7; i++) add('1g.5gb', i, 1);
    for (const i of [0, 2, 4]) add('2g.10gb', i, 2);
    for (const i of [0, 4]) add('3g.20gb', i, 4);
    units.push({ name: `gpu-${g}-counters`, driver: 'gpu.nvidia.com', pool: '{node}', kind: 'g', index: g, ...at, cells: 8, cellName: 'memory-slice', frame: -1, parts });
  }
  return { id, numa: [0, 1], devices, units };
}

function sharedShape(id) {
  const devices = [0, 1].map((i) => ({ name: `nic-${i}`, driver: 'net.example.com', pool: '{node}', kind: 'n', index: i, numa: [0], root: [`pci0000:${i}0`], classes: ['net.example.com'], capacities: [{ name: 'ingress', total: 100e9, scale: 1e9, suffix: 'G' }, { name: 'egress', total: 100e9, scale: 1e9, suffix: 'G' }] }));
  return { id, numa: [0], devices };
}

export const HOSTILE = '<img src=x onerror="document.title=\'pwned\'">';

export function fixture({ nodes = 34, hostile = false, hidden = false } = {}) {
  const name = (text) => (hostile ? `${text}${HOSTILE}` : text);
  const namespaces = ['pretrain', 'research', 'inference', 'vision', 'sandbox'];
  const holders = namespaces.flatMap((namespace, n) =>
    Array.from({ length: 6 }, (_, i) =>
      hidden
        ? { id: n * 6 + i, namespace: '', claim: '', pods: [], hidden: true }
        : { id: n * 6 + i, namespace, claim: name(`job-${i}-gpu`), pods: [name(`job-${i}`)], gang: n === 0 ? 'llama-70b' : '', owner: `Job/job-${i}`, since: iso(NOW - 3600 * (i + 1)) },
    ),
  );
  const columns = { id: [], name: [], shape: [], groups: [], state: [], holds: [], units: [], amounts: [], flags: [], taints: [], health: [], attach: [], ghosts: [], unusable: [] };
  const add = (row) => {
    for (const member of Object.keys(columns)) {
      columns[member].push(row[member] ?? []);
    }
  };
  const racks = Math.max(1, Math.ceil((nodes - 2) / 16));
  for (let i = 0; i < nodes - 2; i++) {
    const used = (i * 5) % 9;
    const state = (hidden ? 'o' : '#').repeat(Math.min(8, used)).padEnd(8, '.').split('');
    const taints = [];
    if (i % 11 === 1) {
      state[6] = state[6] === '.' ? 'x' : '!';
      taints.push([6, 'NoSchedule', name('nvidia.com/xid=79')]);
    }
    if (i % 13 === 4 && state[7] === '.') state[7] = 'h';
    const holds = used > 0 ? [0, Math.min(8, used), i % 30] : [];
    add({ id: i, name: `h100x8-${String(i).padStart(2, '0')}`, shape: 0, groups: [Math.floor(i / 16)], state: state.join('') + state.join('').replaceAll('x', '.').replaceAll('!', '#'), holds: [...holds, ...(used > 0 ? [8, Math.min(8, used), i % 30] : [])], taints });
  }
  const mig = migShape(1);
  const partState = mig.devices.map(() => '.');
  const cells = ['####..%.', '##......', '........', '#######%'];
  mig.units.forEach((unit, u) => unit.parts.forEach((at) => {
    const own = mig.devices[at].cells.map((cell) => cells[u][cell]);
    partState[at] = own.some((cell) => cell !== '.') ? '%' : '.';
  }));
  partState[mig.units[0].parts[10]] = '#';
  partState[mig.units[1].parts[7]] = '#';
  for (let i = 0; i < 7; i++) partState[mig.units[3].parts[i]] = '#';
  const inUse = partState.flatMap((each, at) => (each === '#' ? [at, 1, 18 + (at % 6)] : []));
  add({ id: nodes - 2, name: 'a100-mig-0', shape: 1, state: partState.join(''), holds: inUse, units: cells.map((each) => [[...each].filter((cell) => cell !== '.').length / 8, each]) });
  add({ id: nodes - 1, name: 'net-shared-0', shape: 2, state: '~.', holds: [0, 1, 6, 0, 1, 12], amounts: [[0, 0, 6, 40e9], [0, 0, 12, 22e9], [0, 1, 6, 44e9]] });
  const total = 8 * (nodes - 2);
  const used = columns.state.slice(0, nodes - 2).reduce((sum, state) => sum + [...state.slice(0, 8)].filter((each) => '#!o'.includes(each)).length, 0);
  const shares = Object.fromEntries(namespaces.map((each, i) => [each, Math.floor(used / (i + 2))]));
  const fits = [['1', total - used], ['2', Math.floor((total - used) / 3)], ['4', Math.floor((total - used) / 9)], ['8', 0]].map(([size, now]) => ({ size, scope: 'node', count: Number(size), now, together: now, exact: true }));
  const state = { number: 1 };
  const fleet = () => ({
    apiVersion: 'dashboard.berth.dev/v1', rev: `fixed.${state.number}`, time: iso(NOW), cluster: 'lab-west', connected: true,
    access: hidden ? [{ resource: 'resourceclaims', scope: 'all', text: 'jane may not list resourceclaims; devices in use are shown without names', role: 'berth-reader' }] : [],
    classes: [
      { name: 'gpu.nvidia.com', kind: 'g', devices: total, inUse: used, percent: Math.floor((100 * used) / total), free: total - used, partlyUsed: 0, unavailable: 2, available: total - used, namespaces: hidden ? {} : shares, fits },
      { name: 'mig.nvidia.com', kind: 'p', devices: 4, inUse: 1.625, percent: 40, free: 1, partlyUsed: 3, available: 9, namespaces: hidden ? {} : { vision: 1.625 }, fits: [{ size: '1g.5gb', now: 9 }, { size: '2g.10gb', now: 5 }, { size: '3g.20gb', now: 3 }] },
      { name: 'dra.net', kind: 'n', devices: total, inUse: used, percent: 50, free: total - used, namespaces: {}, fits: [{ size: '1', now: total - used }] },
      { name: 'net.example.com', kind: 'n', devices: 2, inUse: 0.62, percent: 31, free: 1, partlyUsed: 1, namespaces: {}, fits: [] },
    ],
    levels: [{ level: 'rack', key: 'topology.kubernetes.io/rack' }],
    groups: Array.from({ length: racks }, (_, i) => ({ id: i, level: 'rack', name: `r${String(i + 1).padStart(2, '0')}` })),
    shapes: [gpuShape(0), mig, sharedShape(2)],
    holders, nodes: columns, pools: [], pending: { pods: 4 }, truncated: {},
  });

  const cause = 'no NUMA node has 4 free devices of class gpu.nvidia.com: 10 are free, at most 3 of them on one NUMA node';
  const items = [
    { kind: 'scattered', namespace: 'research', pod: name('llama-eval-0'), count: 1, since: iso(NOW - 26 * 60), cause, classes: ['gpu.nvidia.com'], own: true, scheduler: 'berth-scheduler' },
    { kind: 'held', namespace: 'vision', pod: 'line-inspect-2', count: 2, pods: ['line-inspect-2', 'line-inspect-3'], since: iso(NOW - 9 * 60), cause: 'camera-0: held by claim vision/line-inspect', own: false, scheduler: 'default-scheduler', message: '0/34 nodes are available' },
    { kind: 'cannotMatch', namespace: 'sandbox', pod: 'notebook-11', since: iso(NOW - 3 * 3600), cause: name('class gpu.nvidia.co does not exist; did you mean gpu.nvidia.com?'), own: true },
  ];
  const report = (available, published, obstacles) => ({ claim: 'research/llama-eval-0-gpu', request: 'gpu', deviceClass: 'gpu.nvidia.com', needed: 4, published, ofClass: Math.min(8, published), available, obstacles });
  const held = { kind: 'Held', check: 'inUse', devices: 51, text: '51 held', holders: [name('sandbox/notebook-7-gpu')] };
  const tainted = { kind: 'Tainted', check: 'taints', devices: 1, text: '1 tainted nvidia.com/xid=79:NoSchedule', holders: [] };
  const gone = (check, removed, remaining) => ({ check, removed, remaining, removedDevices: removed > 0 ? ['gpu.nvidia.com/h100x8-01/gpu-6'] : [] });
  const selector = `device.attributes["gpu.nvidia.com"].productName == "${name('H100')}"`;
  const explanation = {
    apiVersion: 'explain.berth.dev/v1', kind: 'Explanation', summary: cause, fits: false,
    findings: [{ text: `fails ${selector}`, problem: `fails ${selector}`, correction: '', object: { kind: 'ResourceClaim', namespace: 'research', name: 'llama-eval-0-gpu', field: 'spec.devices.requests[gpu].exactly.selectors[0]' } }],
    requests: [{ ...report(3, 256, [held, tainted]), ofClass: 142, steps: [gone('class', 114, 142), gone('selectors', 78, 64), gone('access', 0, 64), gone('inUse', 51, 13), gone('reserved', 2, 11), gone('taints', 1, 10), gone('countersAndCapacity', 0, 10), gone('constraints', 0, 10)] }],
    nodeGroups: [
      { nodes: ['h100x8-02'], rejections: [], requests: [report(3, 16, [held])], unusablePools: [], conflicts: [] },
      { nodes: ['h100x8-00', 'h100x8-09'], rejections: [], requests: [report(2, 16, [held])], unusablePools: [], conflicts: [] },
      { nodes: ['h100x8-01'], rejections: [], requests: [report(2, 16, [held, tainted])], unusablePools: [], conflicts: [] },
      { nodes: ['a100-mig-0', 'net-shared-0'], rejections: [{ rule: 'NodeAffinity', text: "node selector doesn't match", kubernetes: '' }], requests: [report(0, 0, [])], unusablePools: [], conflicts: [] },
    ],
    holders: [{ claim: name('sandbox/notebook-7-gpu'), users: ['pods/notebook-7'] }],
    waiting: { helps: 'yes', claims: [name('sandbox/notebook-7-gpu')] },
    suggestions: [
      { text: 'lower the count of request gpu from 4 to 3', owner: 'user', node: 'h100x8-02', objects: [{ kind: 'ResourceClaim', namespace: 'research', name: 'llama-eval-0-gpu', field: 'spec.devices.requests[gpu].exactly.count' }] },
      { text: `release claim ${name('sandbox/notebook-7-gpu')}`, owner: 'others', node: 'h100x8-02', objects: [], release: [name('sandbox/notebook-7-gpu')] },
    ],
  };
  const matrix = (node) => ({
    node, checks: ['class', 'selectors', 'access', 'inUse', 'reserved', 'taints', 'countersAndCapacity', 'constraints'],
    devices: Array.from({ length: 8 }, (_, i) => ({ claim: 'research/llama-eval-0-gpu', request: 'gpu', device: `gpu.nvidia.com/${node}/gpu-${i}`, available: i > 3, failures: i > 3 ? [] : [{ check: i === 0 ? 'selectors' : 'inUse', text: i === 0 ? `fails ${selector}` : name('held (claim sandbox/notebook-7-gpu)') }] })),
  });
  const history = (query) => {
    const to = NOW;
    const from = to - (query.to && query.from ? Number(query.to) - Number(query.from) : DAY);
    const step = (to - from) / 144;
    const time = Array.from({ length: 144 }, (_, i) => Math.round(from + i * step));
    const wave = (base, height, speed) => time.map((_, i) => Math.max(0, Math.round(base + height * Math.sin(i / speed))));
    return {
      class: query.class ?? 'gpu.nvidia.com', by: query.by, from, to, step, time, devices: time.map(() => total),
      series: query.by === 'state' ? [{ name: 'inUse', values: wave(used, 12, 20) }, { name: 'free', values: wave(total - used, 5, 20) }] : namespaces.map((each, n) => ({ name: name(each), values: wave(total / (n + 3), 4 + n, 9 + n) })),
      fits: [['1', 17], ['2', 7], ['4', 2], ['8', 0]].map(([size, last], n) => ({ size, values: time.map((_, i) => (i > 120 ? last : last + 6 - n)) })),
      pending: wave(3, 3, 12), timeToSchedule: { p50: time.map(() => 0.007), p99: time.map((_, i) => 0.06 + (i === 80 ? 2 : 0)), pods: wave(5, 4, 8) },
    };
  };
  const tables = {
    claims: [{ namespace: 'research', name: name('job-0-gpu'), phase: 'inUse', classes: ['gpu.nvidia.com'], deviceCount: 4, node: 'h100x8-02', pods: [name('job-0')], owner: 'Job/job-0', created: iso(NOW - 3600) }, { namespace: 'research', name: 'llama-eval-0-gpu', phase: 'pending', classes: ['gpu.nvidia.com'], deviceCount: 0, created: iso(NOW - 1560) }],
    classes: [{ name: 'gpu.nvidia.com', kind: 'g', selectors: [selector], devices: total, inUse: used, free: total - used, percent: 60, created: iso(NOW - DAY) }],
    slices: [{ name: 'h100x8-00-gpu', driver: 'gpu.nvidia.com', pool: 'h100x8-00', node: 'h100x8-00', scope: 'node', generation: 3, devices: 8, slicesOfPool: 1, status: 'complete', created: iso(NOW - DAY) }, { name: 'h100x8-01-gpu', driver: 'gpu.nvidia.com', pool: 'h100x8-01', node: 'h100x8-01', scope: 'node', generation: 1, devices: 4, slicesOfPool: 2, status: 'incomplete', reason: '1 of 2 slices exist', created: iso(NOW - DAY) }],
    drivers: [{ name: 'gpu.nvidia.com', slices: nodes, pools: nodes, nodes, devices: total, inUse: used, tainted: 2, incompletePools: 1, classes: ['gpu.nvidia.com'] }],
    quotas: [{ namespace: 'research', name: 'gpus', resource: 'gpu.nvidia.com.deviceclass.resource.k8s.io/devices', used: '12', hard: '16', percent: 75 }],
    gangs: [{ namespace: 'pretrain', name: 'llama-70b', minCount: 4, pods: 4, placed: 3, pending: 1, claims: 4, devices: 24, groups: ['r01'], created: iso(NOW - 3600), cause: '1 more node with 8 free devices is needed' }],
  };
  const event = { time: iso(NOW - 60), type: 'Warning', reason: 'FailedScheduling', message: name('0/34 nodes are available'), source: 'berth-scheduler', object: 'Pod/llama-eval-0', count: 3 };
  const device = (query) => ({
    ...query, node: query.pool, state: '#', classes: ['gpu.nvidia.com'], slice: `${query.pool}-gpu`, attributes: [{ name: 'productName', type: 'string', value: name('H100') }], capacity: [{ name: 'memory', total: '80Gi', left: '0' }],
    counters: [], profiles: [], taints: [{ key: 'nvidia.com/xid', value: '79', effect: 'NoSchedule', since: iso(NOW - 600) }], holders: [], events: [event],
  });
  const plan = (body) => ({
    rev: `fixed.${state.number}`,
    plan: {
      fits: true,
      pods: [{ ...(body.pod ?? { namespace: 'research', name: 'llama-eval-0' }), node: 'h100x8-02', claims: [{ name: 'llama-eval-0-gpu', allocatedBefore: false, devices: [4, 5, 6, 7].map((i) => ({ request: 'gpu', driver: 'gpu.nvidia.com', pool: 'h100x8-02', device: `gpu-${i}` })) }] }],
      utilisation: { before: [{ class: 'gpu.nvidia.com', devices: total, inUse: used, fits: [{ size: '2', scope: 'node', now: 7 }] }], after: [{ class: 'gpu.nvidia.com', devices: total, inUse: used + 4, fits: [{ size: '2', scope: 'node', now: 6 }] }] },
      notes: [], ...(body.addNodes ? { addNodes: { ...body.addNodes, needed: 1 } } : {}),
    },
    moved: [{ namespace: 'sandbox', name: 'notebook-7', from: 'h100x8-02', to: 'h100x8-01' }], ended: [],
    addedNodes: body.addNodes ? [{ name: `${body.addNodes.node}-copy-1`, shape: 0, of: body.addNodes.node }] : [],
    command: 'berth plan --live --release sandbox/notebook-7-gpu',
  });
  const get = (path, query) => {
    switch (path[0]) {
      case 'session':
        return { version: '0.9.0', user: 'jane', cluster: 'lab-west', server: 'https://10.0.0.1:6443', readOnly: true, policies: ['kubernetes', 'pack', 'aligned'] };
      case 'fleet':
        return query.at ? { ...fleet(), rev: undefined, past: true } : fleet();
      case 'pending':
        return { rev: `fixed.${state.number}`, pods: 4, items, explained: 4, truncated: 0 };
      case 'explain':
        return { pod: { namespace: path[1], name: path[2], since: iso(NOW - 26 * 60), own: true, scheduler: 'berth-scheduler' }, asked: ['4 × gpu.nvidia.com in claim research/llama-eval-0-gpu, request gpu'], explanation: query.matrix ? { ...explanation, matrix: matrix(query.matrix) } : explanation };
      case 'history':
        return history(query);
      case 'table':
        return tables[path[1]] && { total: tables[path[1]].length, offset: 0, rows: tables[path[1]].filter((row) => JSON.stringify(row).includes(query.q ?? '')) };
      case 'timeline':
        return path[1] === 'claim'
          ? { namespace: path[2], name: path[3], from: iso(NOW - 4000), phases: [{ phase: 'created', from: iso(NOW - 4000), to: iso(NOW - 3900) }, { phase: 'allocated', from: iso(NOW - 3900), to: iso(NOW - 3700) }, { phase: 'reserved', from: iso(NOW - 3700), to: iso(NOW - 3600) }, { phase: 'inUse', from: iso(NOW - 3600) }], events: [event], devices: [{ driver: 'gpu.nvidia.com', pool: 'h100x8-02', device: 'gpu-4', node: 'h100x8-02', from: iso(NOW - 3900) }] }
          : { ...query, node: query.pool, holders: [{ namespace: 'research', claim: name('job-0-gpu'), pods: [name('job-0')], from: iso(NOW - 7200), current: true }, { hidden: true, from: iso(NOW - 9 * 3600), to: iso(NOW - 4 * 3600) }], taints: [{ key: 'nvidia.com/xid', value: '79', effect: 'NoSchedule', from: iso(NOW - 600) }] };
      case 'device':
        return device(query);
      case 'gang':
        return { ...tables.gangs[0], members: [0, 1, 2, 3].map((i) => ({ pod: `llama-${i}`, node: i < 3 ? `h100x8-0${i}` : '', groups: i < 3 ? [0] : [], devices: 8, phase: i < 3 ? 'Running' : 'Pending', claims: [`llama-${i}-gpu`] })) };
      case 'object':
        return { kind: path[1], namespace: query.namespace, name: path[2], yaml: `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${path[2]}\n  labels: {a: "${name('b')}"}\n`, events: [event], omitted: [] };
      case 'filter':
        return { nodes: [[0, [0, 2]]], pools: [], devices: 2, errors: 0 };
    }
    return undefined;
  };
  return {
    state,
    fleet,
    answers(method, path, query, body) {
      if (method === 'POST' && path[0] === 'session') {
        return JSON.parse(body).token === 'good' ? [204] : [401, { error: { code: 401, reason: 'InvalidToken', message: 'the token was used already', action: 'run `berth ui` and open the URL that it prints' } }];
      }
      if (method === 'POST' && path[0] === 'plan') {
        return [200, plan(JSON.parse(body))];
      }
      const found = get(path, query);
      return found === undefined ? undefined : [200, found];
    },
  };
}
