import { writeFileSync } from 'node:fs'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { RUNNER_DEFINITIONS } from '../../main/wings/runner/manifests/runner-definitions.ts'
import { startKubernetesSimulator } from '../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import type { KubernetesObject } from '../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'

// A management cluster for the image's runner: writes its kubeconfig to the path that is given, and runs until it is killed. Whether the runner works is
// asked of it: a MaintenanceRun of no cloud that anybody can read is refused.
const [path = ''] = process.argv.slice(2)
const seed = ['default', 'lockkeeper'].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
const management = await startKubernetesSimulator({ clock: systemClock, seed })
for (const definition of RUNNER_DEFINITIONS) management.objects.create(definition as unknown as KubernetesObject)
management.objects.create({
  apiVersion: 'lockkeeper.dev/v1alpha1',
  kind: 'MaintenanceRun',
  metadata: { name: 'unconfirmed', namespace: 'lockkeeper' },
  spec: { kind: 'enter', cluster: 'lab', node: 'cmp-1', plan: '{}', planHash: '0'.repeat(64), confirmedBy: 'eva' },
} as KubernetesObject)
writeFileSync(path, management.kubeconfig(), { mode: 0o644 })
for (;;) {
  await systemClock.sleep(200)
  const run = management.objects.get('MaintenanceRun', 'lockkeeper', 'unconfirmed') as {
    status?: { phase?: string }
  } | null
  if (run?.status?.phase !== undefined) process.stdout.write(`${run.status.phase}\n`)
}
