// The address of the page: all state of a view is in the URL, so that a link shows the same view.

const BASE = '/ui';

interface Location {
  /** Decoded segments below /ui: ['pending', 'ml', 'train-0']. */
  segments: string[];
  query: Record<string, string>;
}

function read(): Location {
  const path = location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : '';
  const segments = path.split('/').filter(Boolean).map(decoded);
  return { segments, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** URL of a view: href(['pending', ns, pod], { matrix: node }). */
export function href(segments: string[], query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') {
      search.set(name, value);
    }
  }
  const text = search.toString();
  return `${BASE}/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

class Router {
  #location = $state.raw<Location>(read());

  constructor() {
    addEventListener('popstate', () => (this.#location = read()));
  }

  get segments(): string[] {
    return this.#location.segments;
  }

  get view(): string {
    return this.#location.segments[0] ?? 'fleet';
  }

  get query(): Record<string, string> {
    return this.#location.query;
  }

  go(url: string, replace = false): void {
    if (replace) {
      history.replaceState(null, '', url);
    } else {
      history.pushState(null, '', url);
    }
    this.#location = read();
  }

  /** Changes some parameters of the query; undefined removes one. */
  set(changes: Record<string, string | undefined>, replace = true): void {
    this.go(href(this.segments, { ...this.query, ...changes }), replace);
  }
}

export const router = new Router();
