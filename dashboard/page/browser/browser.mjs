// A browser for tests: Debian's chromium, which collects what the page must never do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function launch() {
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page in a context of its own, which ends with the test; `page.faults` has violations of the policy, errors of scripts and of the console. */
export async function open(t, browser, { width = 1440, height = 900, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // Expected refusals (401, 403, 404) are logged by the browser too, without a fault of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      page.faults.push(`console: ${message.text()}`);
    }
  });
  await page.exposeFunction('reportViolation', (text) => page.faults.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      window.reportViolation(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return page;
}

export function assertFaultless(page) {
  assert.deepEqual(page.faults, []);
}

/** Findings of axe-core that are serious or critical, of all rules or of some. */
export async function accessibilityFindings(page, rules) {
  // Through the debugger, since the policy of the page allows no other script.
  await page.evaluate(axe);
  const found = await page.evaluate(async (rules) => {
    const runOnly = rules ? { runOnly: { type: 'rule', values: rules } } : {};
    const result = await window.axe.run(document, { resultTypes: ['violations'], ...runOnly });
    return result.violations
      .filter((each) => ['serious', 'critical'].includes(each.impact))
      .map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`);
  }, rules);
  return found;
}

/** Waits until the text is on the page. */
export function shows(page, text) {
  return page.getByText(text).filter({ visible: true }).first().waitFor();
}
