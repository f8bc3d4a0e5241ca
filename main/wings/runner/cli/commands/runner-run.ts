import { resolve } from 'node:path'
import type { Command } from '../../../../faces/cli/command.ts'
import { reportFailure } from '../../../../faces/cli/report-failure.ts'
import type { RunRunner } from '../runner-process.ts'

/** The default port of health and metrics, as in the manifests. */
const PORT = 9464

/** `runner run`: carries out MaintenanceRuns until a signal stops it. */
export const runnerRun =
  (runRunner: RunRunner): Command =>
  async context => {
    const { args, printer, io, interruptions } = context
    const pod = io.env.POD_NAME ?? null
    const replicas = args.number('replicas') ?? 1
    const index = replicas === 1 ? 0 : ordinalOf(pod)
    if (index === null || index >= replicas) {
      printer.warn(
        `--replicas ${replicas} needs a POD_NAME that ends with the number of this runner, but POD_NAME is "${pod ?? ''}". Start it as a pod of a StatefulSet, or without --replicas.`,
      )
      return 2
    }
    const given = (flag: string): string | null => {
      const path = args.text(flag)
      return path === null ? null : resolve(io.workDirectory, path)
    }
    // A signal may arrive during the start.
    let stop = () => {
      isStopRequested = true
    }
    let isStopRequested = false
    interruptions.handle(() => stop())
    const started = await runRunner({
      namespace: args.text('namespace') ?? io.env.POD_NAMESPACE ?? null,
      kubeconfig: given('kubeconfig'),
      dataDirectory: given('data-dir'),
      secretsDirectory: given('secrets-dir'),
      shard: { index, of: replicas },
      isVolumeElsewhere: args.isSet('volume-elsewhere'),
      pod: { name: pod, nodeName: io.env.NODE_NAME ?? null },
      port: args.number('port') ?? PORT,
    })
    if (!started.ok) return reportFailure(context, started.failure)
    stop = started.value.stop
    if (isStopRequested) stop()
    await started.value.ended
    return 0
  }

/** The number of a pod of a StatefulSet, from 0; null if its name ends without a number. */
function ordinalOf(pod: string | null): number | null {
  const digits = /-(\d{1,4})$/.exec(pod ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}
