import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'

/** The port of health and metrics, unless said otherwise: the one that the manifests name. */
const PORT = 9464

/** `runner run`: carries out MaintenanceRuns until it is told to end. */
export const runnerRun: Command = async context => {
  const { args, printer, io, interruptions } = context
  const pod = io.env.POD_NAME ?? null
  const replicas = args.number('replicas') ?? 1
  const index = replicas === 1 ? 0 : ordinalOf(pod)
  if (index === null || index >= replicas) {
    printer.warn(
      `--replicas ${replicas}: which of them this is tells the number at the end of POD_NAME, and that is "${pod ?? ''}". Start it as a pod of a StatefulSet, or without --replicas.`,
    )
    return 2
  }
  const given = (flag: string): string | null => {
    const path = args.text(flag)
    return path === null ? null : resolve(io.workDirectory, path)
  }
  // It may be told to end while it still starts.
  let stop = () => {
    isReportedToEnd = true
  }
  let isReportedToEnd = false
  interruptions.handle(() => stop())
  const started = await io.runRunner({
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
  if (isReportedToEnd) stop()
  await started.value.ended
  return 0
}

/** The number of a pod of a StatefulSet, counted from 0; null: its name ends in none. */
function ordinalOf(pod: string | null): number | null {
  const digits = /-(\d{1,4})$/.exec(pod ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}
