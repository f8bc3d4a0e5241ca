import { expect, type Page } from '@playwright/test'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { expectAccessible, test } from './screen-test.ts'

const ENDPOINT = { url: 'https://alerts.example.org', login: { kind: 'bearer' }, caFile: null }
const LAB = {
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/lab/kubeconfig'], context: 'lab-a' },
  cloud: null,
  roleLabels: { control: ['a=b'], gateway: [], compute: ['c'], storage: [] },
  limits: { migrationsPerSource: 2, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 300_000 },
  openstackNamespace: 'openstack',
  leaseNamespace: 'default',
  production: false,
  colour: null,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  addedAt: '2026-11-21T02:00:00.000Z',
  signals: {
    webhooks: [{ name: 'ops', form: 'slack', host: 'hooks.slack.example', events: ['waiting', 'failed'] }],
    alertmanager: {
      endpoint: ENDPOINT,
      nodeMatchers: ['instance=~"^NODE(:[0-9]+)?$"', 'node="NODE"'],
      instanceMatchers: ['instance_id="INSTANCE_ID"'],
    },
    health: {
      endpoint: { ...ENDPOINT, url: 'https://prometheus.example.org' },
      gates: [
        {
          name: 'error rate',
          query: 'sum(rate(errors_total[5m])) / sum(rate(requests_total[5m]))',
          stopsWhen: { comparison: '>', threshold: 0.01 },
        },
      ],
    },
  },
}

/** Plays main: what the page asks is kept in `asked`. */
async function connectMain(page: Page): Promise<void> {
  await page.addInitScript(
    ({ lab }) => {
      const asked: unknown[] = []
      const answers: Record<string, unknown> = {
        'cluster.list': [lab],
        'webhook.test': { arrived: false, status: 404, why: 'The address no longer has a webhook.' },
        'webhook.keep': lab,
        'alertmanager.test': { version: '0.25.0' },
        'gates.test': [{ name: 'error rate', kind: 'stops', words: 'it is 0.2, and > 0.01 stops' }],
        'gates.keep': lab,
      }
      const refused = { ok: false, failure: { code: 'unreachable', message: 'Not played here.', retryable: true } }
      Object.assign(globalThis, {
        asked,
        lockkeeper: {
          ask: async (name: string, input: unknown) => {
            if (name.includes('keep') || name.includes('test')) asked.push([name, input])
            return name in answers ? { ok: true, value: answers[name] } : refused
          },
          listen: () => () => {},
        },
      })
    },
    { lab: LAB },
  )
}

test('a webhook is added with its secrets hidden, tested in place, and shown by its host alone @core', async ({
  page,
}) => {
  await connectMain(page)
  await page.goto('#/c/lab/settings')
  const section = page.getByRole('region', { name: 'Webhooks' })
  await expect(section).toContainText('Slack to hooks.slack.example')
  await section.getByRole('button', { name: 'Test webhook ops' }).click()
  await expect(section.getByRole('status')).toContainText('It refused the test (HTTP 404).')
  await section.getByRole('button', { name: 'Add a webhook' }).click()
  await section.getByLabel('Name').fill('pager')
  await section.getByLabel('Address').fill('https://pager.example/secret')
  await section.getByLabel('Key').fill('0123456789abcdef')
  for (const label of ['Address', 'Key']) await expect(section.getByLabel(label)).toHaveAttribute('type', 'password')
  await section.getByText('started', { exact: true }).click()
  await section.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(section.getByLabel('Address')).toHaveCount(0)
  expect(await page.evaluate('asked')).toContainEqual([
    'webhook.keep',
    {
      cluster: 'lab',
      name: 'pager',
      form: 'json',
      events: ['waiting', 'overrun', 'done', 'not-reached', 'failed'],
      url: 'https://pager.example/secret',
      key: '0123456789abcdef',
    },
  ])
})

test('Alertmanager and the health gates are tested as they are saved, and a gate is added', async ({ page }) => {
  await connectMain(page)
  await page.goto('#/c/lab/settings')
  const alerts = page.getByRole('region', { name: 'Silences in Alertmanager' })
  await alerts.getByRole('button', { name: 'Test the saved settings' }).click()
  await expect(alerts.getByRole('status')).toHaveText('Alertmanager 0.25.0 answers.')
  await expect(alerts.getByLabel('Token')).toHaveValue('')

  const gates = page.getByRole('region', { name: 'Health gates' })
  await gates.getByRole('button', { name: 'Test the saved settings' }).click()
  await expect(gates.getByRole('status')).toContainText('Stops: it is 0.2, and > 0.01 stops')
  await gates.getByLabel('Gate', { exact: true }).fill('lag')
  await gates.getByLabel('Query (PromQL)').fill('max(lag_seconds)')
  await gates.getByLabel('Stops when').fill('>= 30')
  await gates.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(gates).toContainText('Not saved yet.')
  await gates.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await gates.getByRole('button', { name: 'Save gates' }).click()
  expect(await page.evaluate('asked')).toContainEqual([
    'gates.keep',
    {
      cluster: 'lab',
      secret: null,
      settings: {
        endpoint: LAB.signals.health.endpoint,
        gates: [
          ...LAB.signals.health.gates,
          { name: 'lag', query: 'max(lag_seconds)', stopsWhen: { comparison: '>=', threshold: 30 } },
        ],
      },
    },
  ])
})
