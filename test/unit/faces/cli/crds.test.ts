import { describe, expect, it } from 'vitest'
import { type DefinitionStatus, MaintenanceKind } from '../../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const all = (more: Partial<DefinitionStatus>): DefinitionStatus[] =>
  MaintenanceKind.options.map(kind => ({
    name: `${kind.toLowerCase()}s.lcm.mirantis.com`,
    kind,
    state: 'same',
    differences: [],
    ...more,
  }))

function scene(before: DefinitionStatus[]) {
  const fake = createFakeContract({
    'cluster.exec-plugin': () => ok(null),
    'cluster.connect': () =>
      ok({ name: 'lab', kubernetesVersion: 'v1.32.0', warnings: [], openstack: 'none' as const, clockSkewMs: null }),
    'definitions.status': () => ok(before),
    'definitions.install': () => ok(all({})),
  })
  return { fake, terminal: createFakeTerminal({ contract: fake.contract }) }
}

describe('crds diff', () => {
  it('ends well when nothing is missing, and tells what the cluster has otherwise, place by place', async () => {
    const { terminal } = scene(
      all({ state: 'differs', differences: ['.spec.scope enum: theirs ["os"], ours nothing'] }),
    )
    expect(await terminal.run('crds', 'diff', 'lab')).toBe(0)
    expect(terminal.out()).toContain("the cluster's own, used as it is")
    expect(terminal.out()).toContain('.spec.scope enum: theirs ["os"], ours nothing')
  })

  it('ends with 3 when a definition is missing', async () => {
    const { terminal } = scene(all({ state: 'missing' }))
    expect(await terminal.run('crds', 'diff', 'lab')).toBe(3)
  })
})

describe('crds install', () => {
  it('asks nobody where nothing is missing, and installs nothing', async () => {
    const { fake, terminal } = scene(all({}))
    expect(await terminal.run('crds', 'install', 'lab')).toBe(0)
    expect(fake.inputsOf('definitions.install')).toEqual([])
  })

  it('installs nothing without a terminal to confirm at, unless told to', async () => {
    const { fake, terminal } = scene(all({ state: 'missing' }))
    expect(await terminal.run('crds', 'install', 'lab')).toBe(2)
    expect(fake.inputsOf('definitions.install')).toEqual([])
    expect(await terminal.run('crds', 'install', 'lab', '--yes')).toBe(0)
    expect(fake.inputsOf('definitions.install')).toEqual([{ cluster: 'lab' }])
  })

  it('answers JSON with where they stand afterwards', async () => {
    const { terminal } = scene(all({ state: 'missing' }))
    expect(await terminal.run('crds', 'install', 'lab', '--yes', '-o', 'json')).toBe(0)
    expect(JSON.parse(terminal.out())).toEqual(all({}))
  })
})
