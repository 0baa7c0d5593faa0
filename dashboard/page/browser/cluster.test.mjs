// The page in a browser, with a cluster of `berth up` and the dashboards that it and `berth ui` serve.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessibilityFindings, assertFaultless, launch, open, shows } from './browser.mjs';

const BERTH = process.env.BERTH ?? new URL('../../../berth', import.meta.url).pathname;
const MARKUP = "<img src=x onerror=document.title='pwned'>";
const DRA = '/apis/resource.k8s.io/v1';

let browser;
let home;
let cluster;

/** Starts a command and resolves with the URL of its line "Dashboard: URL". */
async function dashboard(...args) {
  const env = { ...process.env, HOME: home, CI: 'true' };
  delete env.KUBECONFIG;
  const child = spawn(BERTH, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const found = /Dashboard: (\S+)/.exec(output);
      if (found) {
        resolve(found[1]);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(`berth ${args.join(' ')} ended without a URL: ${output}`)));
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

/** Client of the API server, with the administrator's certificate of the kubeconfig. */
async function apiClient(kubeconfig) {
  const field = (name) => new RegExp(`${name}: "?([^"\\s]+)`).exec(kubeconfig)?.[1];
  const decoded = (name) => Buffer.from(field(name) ?? '', 'base64');
  const tls = { ca: decoded('certificate-authority-data'), cert: decoded('client-certificate-data'), key: decoded('client-key-data') };
  const server = field('server');
  const call = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, server), { method, ...tls, headers: { 'Content-Type': 'application/json' } }, async (response) => {
        let text = '';
        for await (const chunk of response) {
          text += chunk;
        }
        if (response.statusCode >= 300) {
          reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        } else {
          resolve(JSON.parse(text));
        }
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { server, ca: field('certificate-authority-data'), post: (path, body) => call('POST', path, body) };
}

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'berth-dashboard-'));
  [browser, cluster] = await Promise.all([launch(), dashboard('up', '--port', '0', '--nodes', 'h100x8=2,a100-mig=1,net-shared=1')]);
  cluster.api = await apiClient(await readFile(join(home, '.local/share/berth/kubeconfig'), 'utf8'));
});
after(async () => {
  await browser?.close();
  await cluster?.stop();
  await rm(home, { recursive: true, force: true });
});

const claim = (name, count, expression) => ({
  metadata: { name, annotations: { 'example.com/note': MARKUP } },
  spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.nvidia.com', count, ...(expression ? { selectors: [{ cel: { expression } }] } : {}) } }] } },
});
const pod = (name) => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'registry.example/train', resources: { claims: [{ name: 'gpu' }] } }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: name }],
  },
});
async function start(name, count, expression) {
  await cluster.api.post(`${DRA}/namespaces/default/resourceclaims`, claim(name, count, expression));
  await cluster.api.post('/api/v1/namespaces/default/pods', pod(name));
}

test('devices, a pending pod and its explanation appear without reload; markup in CEL stays text; a token works once', async (t) => {
  const page = await open(t, browser);
  await page.goto(cluster.url);
  await page.getByRole('link', { name: 'Fleet' }).waitFor();
  await shows(page, /of 20 in use|of 16 in use/);
  await page.evaluate(() => (window.same = true));
  await start('train', 8);
  await shows(page, /^8$/);
  await start('large.v2', 8, `device.attributes["gpu.nvidia.com"].productName != "${MARKUP}"`);
  await start('too-large', 8);
  await page.getByRole('link', { name: 'Pending 1' }).waitFor();
  assert.equal(await page.evaluate(() => window.same), true);

  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.waitForURL('**/pending/default/too-large');
  await shows(page, 'What would help');
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole('button', { name: 'Try' }).last().click();
  await shows(page, 'Fits.');

  const origin = new URL(page.url()).origin;
  // A name with a dot is a view, not a file.
  await page.goto(`${origin}/ui/claims/default/large.v2`);
  await page.getByRole('button', { name: 'YAML, events' }).click();
  await page.locator('pre', { hasText: MARKUP }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  for (const [path, text] of [
    ['/ui/use', 'What still fits'],
    ['/ui/claims', 'too-large'],
    ['/ui/classes', 'mig.nvidia.com'],
    ['/ui/slices', 'h100x8-0'],
    ['/ui/drivers', 'net.example.com'],
    ['/ui/quotas', 'No ResourceQuota'],
    ['/ui/gangs', 'No PodGroup'],
    ['/ui/devices/gpu.nvidia.com/h100x8-0/gpu-0', 'Holders in the last 24 hours'],
  ]) {
    await page.goto(origin + path);
    await shows(page, text);
  }
  assertFaultless(page);

  const other = await open(t, browser);
  await other.goto(cluster.url);
  await shows(other, 'berth ui');
  assert.equal(await other.getByRole('alert').count(), 1);
});

test('a ServiceAccount that may not read claims sees the missing right, and devices in use without names', async (t) => {
  const { api } = cluster;
  const read = (apiGroups, resources) => ({ apiGroups, resources, verbs: ['get', 'list', 'watch'] });
  await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'viewer' } });
  await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'devices' },
    rules: [read([''], ['nodes', 'pods', 'namespaces']), read(['resource.k8s.io'], ['resourceslices', 'deviceclasses'])],
  });
  await api.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'viewer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'devices' },
    subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'default' }],
  });
  const { status } = await api.post('/api/v1/namespaces/default/serviceaccounts/viewer/token', { spec: {} });
  const file = join(home, 'viewer');
  await writeFile(
    file,
    JSON.stringify({
      apiVersion: 'v1', kind: 'Config', 'current-context': 'viewer',
      clusters: [{ name: 'viewer', cluster: { server: api.server, 'certificate-authority-data': api.ca } }],
      users: [{ name: 'viewer', user: { token: status.token } }],
      contexts: [{ name: 'viewer', context: { cluster: 'viewer', user: 'viewer' } }],
    }),
  );
  const own = await dashboard('ui', '--kubeconfig', file);
  t.after(() => own.stop());
  const page = await open(t, browser);
  await page.goto(own.url);
  await shows(page, /may not list resourceclaims/);
  await shows(page, 'berth-reader');
  await page.getByRole('link', { name: 'Fleet' }).waitFor();
  assert.equal(await page.getByText('default/train').count(), 0);
  assertFaultless(page);
});
