import { afterEach, expect, test } from 'vitest'
import {
  draftOfSettings,
  editSettings,
  pendingChange,
  type SettingsEdits,
  useSettingsEdits,
} from '../../../renderer/features/settings/settings-draft.ts'
import { Cluster, DEFAULT_LIMITS } from '../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'

const LAB = Cluster.parse({
  name: 'lab',
  flavour: 'plain',
  kubeconfig: { paths: ['/etc/a', '/etc/b'], context: 'lab' },
  cloud: { path: '/etc/clouds.yaml', cloud: 'lab' },
  roleLabels: DEFAULT_ROLE_LABELS,
  limits: DEFAULT_LIMITS,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  openstackNamespace: 'openstack',
  leaseNamespace: 'kube-system',
  production: false,
  colour: null,
  addedAt: '2026-11-21T02:00:00.000Z',
})
const pending = (edits: SettingsEdits, saved = LAB) => pendingChange(saved, draftOfSettings(saved, edits))

afterEach(() => useSettingsEdits.setState({ byCloud: new Map() }))

test('settings without an edit change nothing', () => {
  expect(pending({})).toEqual({ change: {}, parts: [], missing: null })
})

test.each<[SettingsEdits, object, readonly string[]]>([
  [{ production: true }, { production: true }, ['General']],
  [{ paths: '/etc/a' }, { kubeconfig: { paths: ['/etc/a'], context: 'lab' } }, ['Access']],
  [{ cloud: '' }, { cloud: null }, ['Access']],
  [
    { context: 'x', limits: { ...DEFAULT_LIMITS, migrationAttempts: 5 } },
    { kubeconfig: { paths: ['/etc/a', '/etc/b'], context: 'x' }, limits: { ...DEFAULT_LIMITS, migrationAttempts: 5 } },
    ['Access', 'Limits'],
  ],
])('a save sends only what differs, and names the parts: %j', (edits, change, parts) => {
  expect(pending(edits)).toEqual({ change, parts, missing: null })
})

test('a field that is back at its saved value is not pending', () => {
  expect(pending({ context: 'lab', production: false })).toEqual({ change: {}, parts: [], missing: null })
})

test('an empty place keeps the saved one, and spaces around a text do not count', () => {
  const edit = (maintenanceApi: object) => pending({ maintenanceApi }).change
  expect(edit({ cephNamespace: ' ', release: ' ' })).toEqual({})
  expect(edit({ cephNamespace: ' storage ' })).toEqual({
    maintenanceApi: { ...DEFAULT_MAINTENANCE_API, cephNamespace: 'storage' },
  })
})

test('a controller that is not named in full is pending and cannot be saved', () => {
  const juju = { ...draftOfSettings(LAB, {}).juju, kind: 'client-files' as const }
  expect(pending({ juju })).toMatchObject({
    change: {},
    parts: ['Maintenance by roles'],
    missing: expect.stringContaining('full path'),
  })
})

test('what another console saves meanwhile stays, beside the edits of this one', () => {
  const saved = { ...LAB, production: true }
  expect(pending({ context: 'x' }, saved).change).toEqual({
    kubeconfig: { paths: ['/etc/a', '/etc/b'], context: 'x' },
  })
})

test('two consoles that edit fields of one part do not take back each other', () => {
  editSettings('lab', { limits: { migrationAttempts: 5 }, roleLabels: { gateway: ['net'] } })
  editSettings('lab', { limits: { drainTimeoutMs: 60_000 }, maintenanceApi: { respectZone: false } })
  const saved = {
    ...LAB,
    limits: { ...LAB.limits, migrationsPerSource: 9 },
    roleLabels: { ...LAB.roleLabels, storage: ['disks'] },
    maintenanceApi: { ...LAB.maintenanceApi, release: '25.2' },
  }
  expect(pending(useSettingsEdits.getState().byCloud.get('lab') ?? {}, saved).change).toMatchObject({
    limits: { migrationsPerSource: 9, migrationAttempts: 5, drainTimeoutMs: 60_000 },
    roleLabels: { gateway: ['net'], storage: ['disks'] },
    maintenanceApi: { release: '25.2', respectZone: false },
  })
})

test('edits of one cloud add up, and are forgotten together', () => {
  editSettings('lab', { context: 'x' })
  editSettings('lab', { production: true })
  editSettings('edge', { context: 'y' })
  expect(useSettingsEdits.getState().byCloud.get('lab')).toEqual({ context: 'x', production: true })
  editSettings('lab', null)
  expect([...useSettingsEdits.getState().byCloud.keys()]).toEqual(['edge'])
})
