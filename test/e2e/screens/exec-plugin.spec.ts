import { expect, type Page } from '@playwright/test'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { expectAccessible, test } from './screen-test.ts'

const LAB = {
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/lab/kubeconfig'], context: 'lab-a' },
  cloud: null,
  roleLabels: { control: ['a=b'], gateway: [], compute: ['c'], storage: [] },
  limits: { migrationsPerSource: 2, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 300_000 },
  openstackNamespace: 'openstack',
  leaseNamespace: 'kube-system',
  production: false,
  colour: null,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  addedAt: '2026-11-21T02:00:00.000Z',
}

const PLUGIN = {
  file: '/etc/lab/kubeconfig',
  user: 'lab-user',
  command: '/usr/bin/lab-login',
  args: ['token'],
  envNames: [],
  fingerprint: 'f1',
}

/** Plays main: a context that logs in by a command; what is agreed to is kept as main keeps it. */
async function connectMain(page: Page): Promise<void> {
  await page.addInitScript(
    ({ lab, plugin }) => {
      const agreed: unknown[] = []
      const context = (name: string) => ({
        name,
        cluster: 'lab',
        user: 'lab-user',
        host: 'lab.example:6443',
        credentials: 'a command',
        current: false,
        execPlugin: name === 'lab-a' ? { ...plugin, consented: agreed.length > 0 } : null,
      })
      const answers: Record<string, (input: unknown) => unknown> = {
        'cluster.list': () => [lab],
        'kubeconfig.inspect': () => ({ paths: lab.kubeconfig.paths, contexts: [context('lab-b'), context('lab-a')] }),
        'exec-plugin.consent': input => {
          agreed.push(input)
          return {}
        },
      }
      const refused = { ok: false, failure: { code: 'unreachable', message: 'Not played here.', retryable: true } }
      Object.assign(globalThis, {
        agreed,
        lockkeeper: {
          ask: async (name: string, input: unknown) => {
            const answer = answers[name]
            return answer === undefined ? refused : { ok: true, value: answer(input) }
          },
          listen: () => () => {},
        },
      })
    },
    { lab: LAB, plugin: PLUGIN },
  )
}

test('the settings of a cluster show the command that its context asks to run, and agree to exactly it @core', async ({
  page,
}) => {
  await connectMain(page)
  await page.goto('#/c/lab/settings')
  const section = page.getByRole('region', { name: 'Access' })
  await expect(section).toContainText('This context runs a command on this computer')
  await expect(section).toContainText('/usr/bin/lab-login token')
  await expectAccessible(page)
  expect(await page.evaluate('agreed')).toEqual([])
  await section.getByRole('button', { name: 'Agree to run exactly this command' }).click()
  await expect(section).toContainText('You agreed to exactly this command.')
  expect(await page.evaluate('agreed')).toEqual([
    { paths: ['/etc/lab/kubeconfig'], context: 'lab-a', fingerprint: 'f1' },
  ])
})
