// Login: the one-time token of the URL fragment becomes a session cookie.
import { ApiError, get, post } from './api.ts';
import type { Session } from './contract.ts';
import { router } from './router.svelte.ts';

class CurrentSession {
  data = $state.raw<Session | undefined>(undefined);
  error = $state.raw<ApiError | undefined>(undefined);

  /** Whether there is a session; exchanges the token first when the fragment has one. */
  async start(): Promise<boolean> {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get('token');
    try {
      if (token !== null) {
        const path = fragment.get('path') ?? '';
        // The token leaves the address before the first request, so that no history keeps it.
        const own = location.pathname + location.search;
        router.go(path.startsWith('/') ? `/ui${path}` : own, true);
        await post('session', { token });
      }
      this.data = await get<Session>('session');
      return true;
    } catch (failure) {
      this.error = failure instanceof ApiError ? failure : new ApiError({ message: String(failure) });
      return false;
    }
  }
}

export const session = new CurrentSession();
