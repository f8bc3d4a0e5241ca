import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { createMaintenanceRuns } from '../../main/wings/runner/kubernetes/maintenance-runs.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import type { KubernetesObject } from '../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { MaintenanceRunStatus } from '../../shared/domain/maintenance-run.ts'
import type { Result } from '../../shared/domain/result.ts'
import { type MaintenanceRunsTarget, maintenanceRunsContract, SPEC } from './maintenance-runs-contract.ts'
import { failureOf, value } from './target.ts'

const PENDING = MaintenanceRunStatus.parse({ phase: 'Pending', nodesDone: 0, nodesAll: 0, lastSeq: 0 })
const SEED: readonly KubernetesObject[] = ['default', 'lockkeeper'].map(name => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
}))

describe.each([
  ['1.36', true, 'demo-admin'],
  ['1.20', false, null],
] as const)('the embedded Kubernetes %s', (release, hasRules, user) => {
  let simulator: KubernetesSimulator
  let directory: string
  let target: MaintenanceRunsTarget

  beforeAll(async () => {
    simulator = await startKubernetesSimulator({ clock: systemClock, seed: SEED, release })
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-runs-'))
    const path = join(directory, 'kubeconfig')
    await writeFile(path, simulator.kubeconfig(), { mode: 0o600 })
    const session = value(
      await openKubernetesSession({
        source: { paths: [path], context: 'demo' },
        consent: () => false,
        clock: systemClock,
        log: silentLogger,
      }),
    )
    target = { session, namespace: 'lockkeeper', hasRules, user }
  })
  afterAll(async () => {
    target.session.close()
    await simulator.stop()
    await rm(directory, { recursive: true })
  })

  it('reports that no runner is installed if the definitions are missing, for every request', async () => {
    const runs = createMaintenanceRuns({ ...target, clock: systemClock })
    const answers: readonly Result<unknown>[] = [
      await runs.objects(),
      await runs.run('any'),
      await runs.createRun({ name: 'any', spec: SPEC }),
      await runs.setRunStatus({ name: 'any', uid: 'any' }, PENDING),
    ]
    for (const answer of answers) {
      const { code, message } = failureOf(answer)
      expect(code).toBe('not-found')
      expect(message).toContain('lockkeeper runner manifests')
    }
  })

  describe('keeps the contract of MaintenanceRuns', () => maintenanceRunsContract(() => target))

  it('creates nothing in a missing namespace, and reports it', async () => {
    const runs = createMaintenanceRuns({ ...target, namespace: 'nowhere', clock: systemClock })
    const { code, message } = failureOf(await runs.createRun({ name: 'contract-a', spec: SPEC }))
    expect(code).toBe('not-found')
    expect(message).toContain('nowhere')
    expect(message).not.toContain('runner manifests')
  })

  it('has no admission policy that proves who confirmed', async () => {
    expect(value(await createMaintenanceRuns({ ...target, clock: systemClock }).provesUsersSince())).toBeNull()
  })
})
