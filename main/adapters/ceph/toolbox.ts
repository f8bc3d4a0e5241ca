import { seconds } from '../../../shared/domain/durations.ts'
import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { fitsSelector } from '../../../shared/domain/label-selector.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CommandOutput, ExecInPod, KubernetesPort } from '../../ports/kubernetes.ts'
import { createSingleFlight, unlessAborted } from '../http/single-flight.ts'

/** Runs `ceph` with these arguments and `--format json`; any exit code is an answer. */
export type RunCeph = (words: readonly string[], signal?: AbortSignal) => Promise<Result<CommandOutput>>

const CONNECT_SECONDS = 10
const COMMAND_LIMIT_MS = seconds(30)

/** `ceph` in the cluster's toolbox pod (docs/domain.md C.3). The pod is found again when it is gone: a drain of its node recreates it elsewhere. */
export function cephInToolbox(options: {
  readonly exec: ExecInPod
  readonly kubernetes: Pick<KubernetesPort, 'listPods'>
  readonly namespace: string
  /** Labels of the toolbox pod, such as `app=rook-ceph-tools`. */
  readonly selector: string
}): RunCeph {
  const { exec, kubernetes, namespace, selector } = options
  let known: string | null = null
  let wasThere = false

  const findOnce = createSingleFlight(async (): Promise<Result<string>> => {
    const pods = await kubernetes.listPods(namespace)
    if (!pods.ok) return pods
    const toolboxes = pods.value.filter(pod => fitsSelector(pod.labels, selector))
    const usable = toolboxes.find(isUsable)
    if (usable !== undefined) return ok(usable.name)
    wasThere ||= toolboxes.length > 0
    return failed(
      refusal(
        // A toolbox that moves with its node is missing only for a while: Ceph is unreachable, not absent.
        wasThere ? 'unreachable' : 'not-found',
        because('NoToolboxPod', { namespace, selector, pod: toolboxes[0]?.name ?? null }),
        { target: `namespace/${namespace}` },
      ),
    )
  })

  return async (words, signal) => {
    const run = (pod: string) =>
      exec(
        {
          namespace,
          pod,
          container: null,
          command: ['ceph', '--connect-timeout', String(CONNECT_SECONDS), ...words, '--format', 'json'],
          timeoutMs: COMMAND_LIMIT_MS,
        },
        signal,
      )
    if (known !== null) {
      const answer = await run(known)
      // Only a missing pod certainly ran nothing; the caller judges every other failure.
      if (answer.ok || answer.failure.code !== 'not-found') return answer
      known = null
    }
    const found = await unlessAborted(findOnce(), { doing: call('FindCephToolbox'), signal })
    if (!found.ok) return found
    const answer = await run(found.value)
    if (answer.ok) {
      known = found.value
      wasThere = true
    }
    return answer
  }
}

function isUsable(pod: Pod): boolean {
  return pod.phase === 'Running' && pod.ready && pod.deletionAt === null
}
