// Client of the data API. Every failure is an ApiError with the server's own words.
import type { ErrorBody, Progress } from './contract.ts';

const BASE = '/ui/api/';

/** A response with an error body, or no response at all (code 0). */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly action: string;
  readonly body: Partial<ErrorBody>;

  constructor(body: Partial<ErrorBody>) {
    super(body.message ?? 'the dashboard server does not respond');
    this.name = 'ApiError';
    this.code = body.code ?? 0;
    this.reason = body.reason ?? 'NoResponse';
    this.action = body.action ?? '';
    this.body = body;
  }
}

export type Query = Record<string, string | number | undefined>;

/** Path of the API with encoded segments: path('explain', ns, pod). */
export function path(...segments: string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

export function withQuery(resource: string, query: Query = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? resource : `${resource}?${parts.join('&')}`;
}

async function request<T>(resource: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(BASE + resource, { credentials: 'same-origin', ...init });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') {
      throw failure;
    }
    throw new ApiError({ action: 'check that `berth ui` still runs' });
  }
  if (response.status === 204) {
    return undefined as T;
  }
  const body = (await response.json().catch(() => ({}))) as { error?: ErrorBody };
  if (!response.ok) {
    const code = response.status;
    throw new ApiError(body.error ?? { code, message: `the dashboard server answered ${code}` });
  }
  return body as T;
}

export function get<T>(resource: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return request<T>(withQuery(resource, query), signal ? { signal } : {});
}

export function post<T>(resource: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return request<T>(resource, signal ? { ...init, signal } : init);
}

const LOADING_RETRY_MILLIS = 300;

/** A GET that waits while the server reads its first lists; reports their progress. */
export async function getWhenLoaded<T>(
  resource: string,
  query: Query,
  progress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await get<T>(resource, query, signal);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.reason !== 'Loading') {
        throw failure;
      }
      progress(failure.body.progress ?? {});
      await new Promise((resume) => setTimeout(resume, LOADING_RETRY_MILLIS));
    }
  }
}
