// The structured explanation (docs/explain-json.md) and what the page derives from it.

export interface Obstacle {
  kind: string;
  check: string;
  devices: number;
  text: string;
  values?: Record<string, number>;
  holders?: string[];
}

export interface Step {
  check: string;
  removed: number;
  remaining: number;
  removedDevices?: string[];
}

export interface RequestReport {
  claim: string;
  request: string;
  deviceClass: string;
  all?: boolean;
  needed: number;
  published: number;
  ofClass: number;
  available: number;
  obstacles?: Obstacle[];
  steps?: Step[];
}

export interface NodeGroup {
  nodes: string[];
  rejections?: { rule: string; text: string; kubernetes: string }[];
  requests?: RequestReport[];
  unusablePools?: { pool: string; reason: string }[];
  conflicts?: string[];
  failure?: string;
}

export interface ObjectField {
  kind: string;
  namespace?: string;
  name: string;
  field: string;
}

export interface Suggestion {
  text: string;
  owner: string;
  node: string;
  objects?: ObjectField[];
  release?: string[];
  tolerate?: string[];
  expression?: string;
}

export interface MatrixRow {
  claim: string;
  request: string;
  device: string;
  available: boolean;
  failures?: { check: string; text: string }[];
}

export interface Matrix {
  node: string;
  checks: string[];
  devices: MatrixRow[];
}

export interface Waiting {
  helps: 'yes' | 'maybe' | 'no' | 'unknown';
  claims?: string[];
  pools?: string[];
  node?: string;
  reasons?: { text: string }[];
}

export interface Explanation {
  summary: string;
  fits: boolean;
  node?: string;
  otherNodes?: string[];
  claims?: { claim: string; held?: boolean; devices: { request: string; device: string }[] }[];
  wouldFit?: { node: string };
  findings?: { text: string; problem: string; correction: string; object: ObjectField }[];
  counts?: string;
  requests?: RequestReport[];
  nodeGroups?: NodeGroup[];
  holders?: { claim: string; users?: string[] }[];
  waiting?: Waiting;
  suggestions?: Suggestion[];
  matrix?: Matrix;
}

export interface ExplainBody {
  rev?: string;
  pod?: {
    namespace: string;
    name: string;
    owner?: string;
    gang?: string;
    since?: string;
    scheduler?: string;
    message?: string;
    own?: boolean;
    node?: string;
    priority?: number;
  };
  asked?: string[];
  explanation: Explanation;
  uncertain?: boolean;
}

export interface PendingItem {
  kind: 'scattered' | 'held' | 'cannotMatch' | 'quota' | 'other';
  namespace: string;
  pod: string;
  pods?: string[];
  count?: number;
  owner?: string;
  gang?: string;
  since?: string;
  cause: string;
  classes?: string[];
  waiting?: string;
  scheduler?: string;
  message?: string;
  own?: boolean;
}

export interface PendingBody {
  rev?: string;
  pods: number;
  lastPlaced?: { namespace: string; pod: string; node: string; time: string };
  items?: PendingItem[];
  explained?: number;
  truncated?: number;
}

export const CHECKS: Record<string, string> = {
  class: 'of the class',
  selectors: 'match the selectors',
  access: 'on usable nodes',
  inUse: 'not in use',
  reserved: 'not reserved',
  taints: 'not tainted',
  countersAndCapacity: 'counters, capacity left',
  constraints: 'meet the constraints',
  oneNode: 'on one node',
};

/** One step as it is drawn. */
export interface DrawnStep {
  check: string;
  number: string;
  label: string;
  removed: string[];
  devices: readonly string[];
  part: number;
  failed: boolean;
}

/** Most devices of the request that one node has left. */
export function mostOnOneNode(request: RequestReport, groups: readonly NodeGroup[]): number {
  let most = 0;
  for (const group of groups) {
    for (const each of group.requests ?? []) {
      if (each.claim === request.claim && each.request === request.request) {
        most = Math.max(most, each.available);
      }
    }
  }
  return most;
}

/** Steps that took devices away, the class first; the first step that leaves too few has failed. */
export function drawnSteps(request: RequestReport, groups: readonly NodeGroup[]): DrawnStep[] {
  const steps = request.steps ?? [];
  const whole = Math.max(1, request.ofClass);
  let failed = false;
  const drawn: DrawnStep[] = [];
  for (const step of steps) {
    const short = step.remaining < Math.max(1, request.needed);
    if (step.check === 'class' || step.removed > 0 || (short && !failed)) {
      const texts = (request.obstacles ?? []).filter((each) => each.check === step.check);
      drawn.push({
        check: step.check,
        number: String(step.remaining),
        label: CHECKS[step.check] ?? step.check,
        removed:
          step.check === 'class'
            ? [`of ${request.published} published`]
            : texts.length > 0
              ? texts.map((each) => each.text)
              : step.removed > 0
                ? [`${step.removed} ruled out`]
                : [],
        devices: step.removedDevices ?? [],
        part: step.remaining / whole,
        failed: short && !failed,
      });
      failed ||= short;
    }
  }
  const most = mostOnOneNode(request, groups);
  if (!failed && groups.length > 0 && most < request.needed) {
    drawn.push({
      check: 'oneNode',
      number: `${most} of ${request.needed}`,
      label: CHECKS.oneNode ?? '',
      removed: ['most that one node has left'],
      devices: [],
      part: most / whole,
      failed: true,
    });
  }
  return drawn;
}

/** Whether the request alone would be served on some node. */
export function isServed(request: RequestReport, groups: readonly NodeGroup[]): boolean {
  return mostOnOneNode(request, groups) >= Math.max(1, request.needed);
}

/** How near a group of nodes is: the smallest part of a request that its nodes could serve. */
function nearness(group: NodeGroup): number {
  const parts = (group.requests ?? []).map((each) => Math.min(1, each.available / Math.max(1, each.needed)));
  const least = parts.length === 0 ? 0 : Math.min(...parts);
  return (group.rejections ?? []).length > 0 ? least - 2 : least;
}

/** Groups of nodes, the nearest to serving the pod first. */
export function byNearness(groups: readonly NodeGroup[]): NodeGroup[] {
  return groups
    .map((group, index) => ({ group, index, near: nearness(group) }))
    .sort((a, b) => b.near - a.near || a.index - b.index)
    .map((each) => each.group);
}

/** One sentence about a group of nodes. */
export function sentenceOf(group: NodeGroup): string {
  const parts = [
    ...(group.rejections ?? []).map((each) => each.text),
    ...(group.requests ?? [])
      .filter((each) => each.available < Math.max(1, each.needed))
      .map(requestSentence),
    ...(group.conflicts ?? []),
    ...(group.unusablePools ?? []).map((each) => `pool ${each.pool}: ${each.reason}`),
    ...(group.failure === undefined ? [] : [group.failure]),
  ];
  return parts.join('; ');
}

function requestSentence(request: RequestReport): string {
  if (request.ofClass === 0) {
    return request.published === 0
      ? `${request.request}: this node has no devices`
      : `${request.request}: no device of class ${request.deviceClass}`;
  }
  const causes = (request.obstacles ?? []).map((each) =>
    (each.holders ?? []).length > 0
      ? `${each.text} by ${shortened('claim', each.holders ?? [])}`
      : each.text,
  );
  const head = `${request.request}: ${request.available} of ${request.needed}`;
  return causes.length === 0 ? head : `${head}, ${causes.join(', ')}`;
}

/** The first claims and the number of the others. */
function shortened(word: string, items: readonly string[]): string {
  return items.length > 2
    ? `${word}s ${items[0]} and ${items.length - 1} more`
    : `${word}${items.length === 1 ? '' : 's'} ${items.join(', ')}`;
}

/** Whether waiting helps, as a sentence. */
export function waitingSentence(waiting: Waiting | undefined): string {
  switch (waiting?.helps) {
    case 'yes':
      return `Waiting may help: ${shortened('claim', waiting.claims ?? [])} ${waiting.claims?.length === 1 ? 'holds' : 'hold'} the missing devices.`;
    case 'maybe':
      return (waiting.pools ?? []).length > 0
        ? `Waiting may help: ${(waiting.pools ?? []).slice(0, 3).join(', ')} is not completely published.`
        : `Waiting may help: ${(waiting.reasons ?? []).map((each) => each.text).join(', ') || 'the node can become usable'}${waiting.node ? ` (${waiting.node})` : ''}.`;
    case 'no':
      return 'Waiting will not help: the request does not fit even if all devices were free.';
    default:
      return '';
  }
}

/** Taints that a suggestion tolerates, as options of a plan; empty when it changes something else. */
export function toleratedBy(suggestion: Suggestion): string[] {
  if (suggestion.tolerate) {
    return suggestion.tolerate;
  }
  const field = suggestion.objects?.some((each) => each.field.endsWith('tolerations'));
  const found = field ? /tolerate (\S+)$/.exec(suggestion.text)?.[1] : undefined;
  return found === undefined ? [] : [found];
}
