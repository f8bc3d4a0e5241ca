import { expect, type Page } from '@playwright/test'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { expectAccessible, test } from './screen-test.ts'

const LAB = {
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/lab/kubeconfig'], context: 'lab-a' },
  cloud: { path: '/etc/lab/clouds.yaml', cloud: 'lab-cloud' },
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
const KEYSTONE = 'https://keystone.example:5000'
const NOVA = { service: 'compute', origin: 'https://nova.elsewhere.example:8774', keystone: KEYSTONE }
const GLANCE = { service: 'image', origin: 'http://keystone.example:9292', keystone: KEYSTONE }

/** Plays main: a cloud whose catalogue has two foreign addresses, and what is agreed to is kept as main keeps it. */
async function connectMain(page: Page): Promise<void> {
  await page.addInitScript(
    ({ lab, foreign }) => {
      const agreed: unknown[] = []
      const isAgreed = (one: object) => JSON.stringify(agreed).includes(JSON.stringify(one))
      const answers: Record<string, (input: { endpoints: unknown[] }) => unknown> = {
        'cluster.list': () => [lab],
        'cluster.endpoints': () => foreign.map(one => ({ ...one, agreed: isAgreed(one) })),
        'cluster.agree-to-endpoints': ({ endpoints }) => {
          agreed.push(...endpoints)
          return {}
        },
      }
      const refused = { ok: false, failure: { code: 'unreachable', message: 'Not played here.', retryable: true } }
      Object.assign(globalThis, {
        agreed,
        lockkeeper: {
          ask: async (name: string, input: never) => {
            const answer = answers[name]
            return answer === undefined ? refused : { ok: true, value: answer(input) }
          },
          listen: () => () => {},
        },
      })
    },
    { lab: LAB, foreign: [NOVA, GLANCE] },
  )
}

test('addresses beside Keystone’s own are named with what was expected, and agreed to only when asked', async ({
  page,
}) => {
  await connectMain(page)
  await page.goto('#/c/lab/settings')
  const section = page.getByRole('region', { name: 'Tokens' })
  await expect(section).toContainText('Lockkeeper sends nothing to these addresses')
  await expect(section).toContainText(
    "https://nova.elsewhere.example:8774. Its host is nova.elsewhere.example, not Keystone's host keystone.example",
  )
  await expect(section).toContainText(
    'http://keystone.example:9292. It is http without encryption; Keystone uses https',
  )
  await expectAccessible(page)

  await section.getByRole('button', { name: 'Agree that tokens go there…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send tokens of lab to 2 other addresses?' })
  await expect(dialog).toContainText('can act as you in this cloud')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(await page.evaluate('agreed')).toEqual([])

  await section.getByRole('button', { name: 'Agree that tokens go there…' }).click()
  await dialog.getByRole('button', { name: 'Agree to exactly these' }).click()
  await expect(section).toContainText('You agreed that tokens go to:')
  await expect(section.getByRole('button', { name: 'Agree that tokens go there…' })).toHaveCount(0)
  expect(await page.evaluate('agreed')).toEqual([NOVA, GLANCE])
})
