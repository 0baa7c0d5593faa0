// The data API with fixed data: the built page with the headers of the real server. Tests that need names which the API
// server of Kubernetes would reject, or a fleet of a thousand nodes, use it; `node browser/server.mjs` serves it by hand.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
export const PAGE = process.env.PAGE ?? join(HERE, '../../src/main/resources/dev/berth/dashboard/page');
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves `answers(method, path, query, body)`, which returns `[status, body]` or undefined, at a free port. */
export async function serve(answers, port = 0) {
  const streams = new Set();
  const awaited = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (url.pathname === '/ui/api/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(':\n\n');
      streams.add(response);
      awaited.splice(0).forEach((resume) => resume());
      request.on('close', () => streams.delete(response));
      return;
    }
    if (url.pathname.startsWith('/ui/api/')) {
      let body = '';
      for await (const chunk of request) {
        body += chunk;
      }
      const path = url.pathname.slice('/ui/api/'.length).split('/').map(decodeURIComponent);
      const query = Object.fromEntries(url.searchParams);
      const [status, answer] = answers(request.method, path, query, body) ?? [
        404,
        { error: { code: 404, reason: 'NotFound', message: `${url.pathname} does not exist` } },
      ];
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(answer === undefined ? '' : JSON.stringify(answer));
      return;
    }
    const file = url.pathname.startsWith('/ui/assets/') ? url.pathname.slice('/ui/'.length) : 'index.html';
    try {
      const content = await readFile(join(PAGE, file));
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Sends an event to all open streams. */
    send(event, data) {
      for (const stream of streams) {
        stream.write(`event: ${event}\n${data.rev ? `id: ${data.rev}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
      }
    },
    streams: () => streams.size,
    /** Resolves when the next stream is opened. */
    nextStream: () => new Promise((resume) => awaited.push(resume)),
    /** Ends the streams as a server does that stops. */
    cut() {
      for (const stream of streams) {
        stream.destroy();
      }
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { fixture } = await import('./fixture.mjs');
  const { url } = await serve(fixture({ nodes: Number(process.argv[3] ?? 34) }).answers, Number(process.argv[2] ?? 0));
  console.log(`${url}/ui/fleet`);
}
