import type { BoundVolume, ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { reachesVolume } from '../../../../shared/domain/volume-reach.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'

interface ClaimsForecast {
  /** Why this pod will or may wait; empty if its claims can follow it. */
  readonly warningsOf: (pod: Pod) => readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** Evicted pods that stay Pending because their volumes stay (seed 004). If volumes cannot be listed, any claim may hold its pod back. */
export async function readClaimsForecast(
  node: string,
  leaving: readonly Pod[],
  ctx: MaintenanceContext,
): Promise<ClaimsForecast> {
  const claiming = leaving.filter(pod => pod.claims.length > 0)
  if (claiming.length === 0) return { warningsOf: () => [], warnings: [] }
  const { kubernetes } = ctx.world
  const [volumes, nodes] = await Promise.all([
    kubernetes.listBoundVolumes(ctx.signal),
    kubernetes.listNodes(ctx.signal),
  ])
  const others = nodes.ok
    ? nodes.value.filter(other => other.name !== node && !other.unschedulable && other.readiness === 'ready')
    : null
  const warningsOf = (pod: Pod) => pod.claims.flatMap(claim => warningOf(node, pod, claim, volumes, others) ?? [])
  const waiting = claiming
    .filter(pod => warningsOf(pod).length > 0)
    .map(({ namespace, name }) => `${namespace}/${name}`)
  const known = volumes.ok && others !== null
  return {
    warningsOf,
    warnings:
      waiting.length === 0
        ? []
        : [found(known ? 'PodsStayPending' : 'PodsMayStayPending', { node, pods: namesOf(waiting) })],
  }
}

function warningOf(
  node: string,
  pod: Pod,
  claim: string,
  volumes: Result<readonly BoundVolume[]>,
  others: readonly ClusterNode[] | null,
): Finding | null {
  if (!volumes.ok || others === null) {
    return found('ClaimNotKnown', { node, claim, cause: volumes.ok ? null : volumes.failure.message })
  }
  const volume = volumes.value.find(bound => bound.namespace === pod.namespace && bound.claim === claim)
  if (volume === undefined || others.some(other => reachesVolume(other, volume))) return null
  return found('ClaimStays', { node, claim, volume: volume.name })
}
