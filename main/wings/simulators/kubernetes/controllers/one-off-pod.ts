import type { SimulatedCluster } from '../simulated-cluster.ts'
import { isJsonList, type Json, listAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'
import { containersOf, withCondition } from './controlled.ts'

/** Whether a pod runs to an end, such as a Job's, and is not restarted forever. */
export function isOneOff(pod: Stored<'Pod'>): boolean {
  return ['Never', 'OnFailure'].includes(textAt(pod, 'spec', 'restartPolicy') ?? 'Always')
}

/** How a one-off pod runs. */
interface OneOffRun {
  readonly ms: number
  readonly exitCode: number
  readonly reboots: boolean
}

/** Reads the pod's commands without running them: `sleep N`, `false`, `exit N` and `reboot` are supported. */
export function oneOffRunOf(pod: Stored<'Pod'>, defaultMs: number): OneOffRun {
  const words = containersOf(pod).map(container =>
    [...texts(container, 'command'), ...texts(container, 'args')].join(' '),
  )
  const script = words.join(' ; ')
  const seconds = [...script.matchAll(/\bsleep (\d+(?:\.\d+)?)/g)].reduce((sum, [, number]) => sum + Number(number), 0)
  const said = /\bexit (\d+)/.exec(script)?.[1]
  const exitCode = said === undefined ? (/(?:^|[\s/;&|])false(?:$|[\s;&|])/.test(script) ? 1 : 0) : Number(said)
  return { ms: seconds > 0 ? seconds * 1000 : defaultMs, exitCode, reboots: /\breboot\b/.test(script) }
}

/** Ends a one-off pod as its kubelet reports it: Succeeded, or Failed with the exit code. */
export function endPod(cluster: SimulatedCluster, pod: Stored<'Pod'>, exitCode: number): void {
  const now = timestamp(cluster.clock.now())
  const reason = exitCode === 0 ? 'PodCompleted' : 'PodFailed'
  const conditions = ['Ready', 'ContainersReady'].reduce(
    (list, type) => withCondition(cluster, list, { type, status: 'False', lastProbeTime: null, reason }),
    listAt(pod, 'status', 'conditions'),
  )
  const containerStatuses = listAt(pod, 'status', 'containerStatuses').map(one => ({
    ...recordAt(one),
    ready: false,
    started: false,
    state: {
      terminated: {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt: textAt(one, 'state', 'running', 'startedAt') ?? now,
        finishedAt: now,
      },
    },
  }))
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed'
  cluster.store.put('pods', { ...pod, status: { ...recordAt(pod, 'status'), phase, conditions, containerStatuses } })
}

function texts(container: Json, field: string): readonly string[] {
  const list = recordAt(container)[field]
  return isJsonList(list) ? list.filter(word => typeof word === 'string') : []
}
