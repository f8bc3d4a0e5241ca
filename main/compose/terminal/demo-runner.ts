import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM_PORT } from '../../../shared/contract/program.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { type App, createApp } from '../../app.ts'
import { serveContract } from '../../faces/serve/serve-contract.ts'
import { embeddedRunner, startRunner } from '../../wings/runner/door.ts'

/** The runner of a demo, in this process. */
interface DemoRunner {
  stop(): Promise<void>
}

/**
 * Starts a runner that lives in demo-plain. Its journal and its credentials are in a separate folder, and consoles reach it as they reach any
 * runner: by the API server of its cloud.
 */
export async function startDemoRunner(
  demo: NonNullable<App['demo']>,
  writeLine: (line: string) => void,
): Promise<Result<DemoRunner>> {
  const cluster = must(demo.clusters[0], 'the demo has demo-plain')
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-demo-runner-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const { name, cloud, flavour, maintenanceApi, roleMaintenance } = cluster
  const { namespace, pod, objects } = embeddedRunner({
    name,
    cloud,
    settings: { flavour, maintenanceApi, roleMaintenance },
    kubeconfig: await readFile(cluster.kubeconfigPath, 'utf8'),
    cloudsYaml: await readFile(cluster.cloudsYamlPath, 'utf8'),
  })
  demo.install(objects)
  const started = await startRunner(
    {
      namespace,
      kubeconfig: cluster.kubeconfigPath,
      dataDirectory: join(folder, 'data'),
      secretsDirectory: join(folder, 'secrets'),
      shard: { index: 0, of: 1 },
      // Its folder is on this machine.
      isVolumeElsewhere: true,
      pod: { name: pod, nodeName: null },
      port: 0,
      writeLine,
    },
    createApp,
    async ({ contract, log }) => {
      const served = await serveContract({ contract, log, port: 0 })
      if (served.ok) demo.forward({ namespace, pod, port: PROGRAM_PORT, loopbackPort: served.value.port })
      return served
    },
  )
  if (!started.ok) {
    await remove()
    return started
  }
  return ok({
    stop: async () => {
      started.value.stop()
      await started.value.ended
      await remove()
    },
  })
}
