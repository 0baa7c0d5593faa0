// Device matrices of one pod, read once per node while its explanation is shown.
import { path } from './api.ts';
import type { ExplainBody } from './explanation.ts';
import { Resource } from './resource.svelte.ts';

const MOST = 32;
const cache = new Map<string, Resource<ExplainBody>>();

/** The matrix of a node; `version` makes a new one after changes. */
export function matrixOf(
  namespace: string,
  pod: string,
  node: string,
  version: number,
): Resource<ExplainBody> {
  const key = JSON.stringify([namespace, pod, node, version]);
  const known = cache.get(key);
  if (known) {
    return known;
  }
  for (const oldest of [...cache.keys()].slice(0, Math.max(0, cache.size + 1 - MOST))) {
    cache.delete(oldest);
  }
  const matrix = new Resource<ExplainBody>();
  cache.set(key, matrix);
  // Started outside of the caller, since a derived value must not change state.
  queueMicrotask(() => void matrix.load(path('explain', namespace, pod), { matrix: node }));
  return matrix;
}
