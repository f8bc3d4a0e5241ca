import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandTable } from '../../../../main/compose/terminal/command-table.ts'
import { globalFlags } from '../../../../main/faces/cli/arguments/global-flags.ts'
import { parseArguments } from '../../../../main/faces/cli/arguments/parse-arguments.ts'
import { changeOf } from '../../../../main/faces/cli/commands/cluster-set.ts'
import { roleMaintenanceFlags } from '../../../../main/faces/cli/role-maintenance-flags.ts'
import { requests } from '../../../../shared/contract/index.ts'
import { DEFAULT_ROLE_MAINTENANCE, type JujuAccess } from '../../../../shared/domain/role-maintenance.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-flags-'))
afterAll(() => rmSync(directory, { recursive: true }))
const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
writeFileSync(join(directory, 'ca.pem'), PEM)
writeFileSync(join(directory, 'other.txt'), 'nothing of the kind')

const AROUND = { workDirectory: directory, env: { HOME: '/home/operator' } }
const TYPED: JujuAccess = {
  kind: 'typed',
  endpoints: ['10.0.0.2:17070', '10.0.0.3:17070'],
  caCertificate: PEM,
  user: 'admin',
  passwordFile: join(directory, 'password'),
  model: 'admin/machines',
}

function args(...words: string[]) {
  const request = parseArguments(['cluster', 'set', 'sun', ...words], commandTable, globalFlags)
  if (request.kind !== 'run') throw new Error(JSON.stringify(request))
  return request.args
}

const read = (juju: JujuAccess | null, ...words: string[]) =>
  roleMaintenanceFlags(args(...words), { ...DEFAULT_ROLE_MAINTENANCE, juju }, AROUND)

describe('maintenance by roles as flags of a cluster', () => {
  it('strategy, Ceph and the rule of its services are as given; auto is left to the flavour', () => {
    expect(read(null, '--strategy', 'nova', '--ceph', 'toolbox', '--ceph-services-rule', 'majority')).toEqual({
      strategy: 'nova',
      ceph: 'toolbox',
      cephServicesRule: 'majority',
    })
    expect(read(null, '--strategy', 'auto', '--ceph', 'auto')).toEqual({ strategy: null, ceph: null })
    expect(read(null)).toEqual({})
  })

  it("a controller of the Juju client's files is searched where the client keeps them", () => {
    const words = ['--juju-controller', 'sun', '--juju-model', 'admin/machines']
    const access = { kind: 'client-files', controller: 'sun', model: 'admin/machines' }
    expect(read(null, ...words)).toEqual({ juju: { ...access, directory: '/home/operator/.local/share/juju' } })
    expect(read(null, ...words, '--juju-directory', 'juju')).toEqual({
      juju: { ...access, directory: join(directory, 'juju') },
    })
    expect(
      roleMaintenanceFlags(args(...words), DEFAULT_ROLE_MAINTENANCE, { ...AROUND, env: { JUJU_DATA: '/srv/juju' } }),
    ).toEqual({ juju: { ...access, directory: '/srv/juju' } })
  })

  it('a controller that is typed in keeps its authority, and of the password only where it is', () => {
    expect(
      read(
        null,
        ...['--juju-endpoint', '10.0.0.2:17070', '--juju-endpoint', '10.0.0.3:17070', '--juju-ca-file', 'ca.pem'],
        ...['--juju-user', 'admin', '--juju-password-file', 'password', '--juju-model', 'admin/machines'],
      ),
    ).toEqual({ juju: TYPED })
  })

  it('what is not given for a controller stays', () => {
    expect(read(TYPED, '--juju-user', 'ops')).toEqual({ juju: { ...TYPED, user: 'ops' } })
    expect(read(TYPED, '--juju-model', 'admin/other')).toEqual({ juju: { ...TYPED, model: 'admin/other' } })
    expect(read(TYPED, '--no-juju')).toEqual({ juju: null })
  })

  it.each([
    [['--no-juju', '--juju-user', 'x'], '--no-juju and --juju-user contradict each other.'],
    [['--juju-controller', 'x', '--juju-user', 'y'], 'give one of them'],
    [['--juju-model', 'm'], '--juju-controller NAME'],
    [['--juju-controller', 'x'], '--juju-model'],
    [['--juju-user', 'x', '--juju-ca-file', 'missing.pem'], 'missing.pem cannot be read'],
    [['--juju-user', 'x', '--juju-ca-file', 'other.txt'], 'has no PEM certificate'],
    [['--juju-user', 'x'], '--juju-ca-file FILE'],
    [['--juju-user', 'x', '--juju-ca-file', 'ca.pem'], '--juju-endpoint HOST:PORT'],
  ])('%j is refused with what is missing', (words, message) => {
    expect(read(null, ...words)).toContain(message)
  })

  it('a change keeps the settings beside it, in a form the contract takes', () => {
    const cluster = fakeCluster({ name: 'sun', roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, juju: TYPED } })
    const change = changeOf(args('--ceph', 'microceph'), cluster, AROUND)
    expect(change).toEqual({ roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: 'microceph', juju: TYPED } })
    expect(requests['cluster.update'].input.safeParse({ name: 'sun', change }).success).toBe(true)
  })
})
