import type { Failure } from '../../shared/domain/failure.ts'
import { isSameJson } from '../../shared/domain/is-same-json.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { describeChange, describeCluster } from '../../shared/words/cluster-changes.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { forgetDroppedFiles } from '../clusters/dropped-files.ts'
import { noteEdit } from './note-edit.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type ClusterHandlers = Pick<
  Handlers,
  | 'cluster.add'
  | 'cluster.update'
  | 'cluster.remove'
  | 'cluster.agree-to-endpoints'
  | 'kubeconfig.inspect'
  | 'clouds.inspect'
  | 'cluster.found'
  | 'exec-plugin.consent'
  | 'cluster.try'
  | 'cluster.test'
>

type Services = Pick<
  ApiServices,
  'clock' | 'clusters' | 'edits' | 'emit' | 'log' | 'onReachChanged' | 'registryFolder' | 'runs' | 'secrets'
>

export function clusterHandlers(services: Services): ClusterHandlers {
  const { clusters } = services
  return {
    'cluster.add': async input => {
      const added = await clusters.add(input)
      if (added.ok) noteChange(services, added.value.name, 'not registered', describeCluster(added.value))
      return added
    },
    'cluster.update': input => updateCluster(services, input),
    'cluster.remove': ({ name }) => removeCluster(services, name),
    'cluster.agree-to-endpoints': input => clusters.agreeToEndpoints(input),
    'kubeconfig.inspect': input => clusters.inspectKubeconfig(input.paths),
    'clouds.inspect': input => clusters.inspectClouds(input.path),
    'cluster.found': input => clusters.found(input.files),
    'exec-plugin.consent': input => clusters.consentToContext(input),
    'cluster.try': input => clusters.tryOut(input),
    'cluster.test': input => clusters.test(input.name),
  }
}

async function updateCluster(
  services: Services,
  { name, change }: Parameters<ClusterHandlers['cluster.update']>[0],
): ReturnType<ClusterHandlers['cluster.update']> {
  const { clusters } = services
  const plan = await clusters.planUpdate(name, change)
  if (!plan.ok) return plan
  const { before, after, reachedAnotherWay } = plan.value
  const difference = describeChange(before, after)
  if (difference === null) return ok(before)
  const inUse = reachedAnotherWay ? whyInUse(services, name, 'ClusterNotReachedOtherwise') : null
  if (inUse !== null) return failed(inUse)
  const kept = clusters.keepUpdate(before, after)
  if (!kept.ok) return kept
  if (reachedAnotherWay || !isSameJson(before.roleLabels, after.roleLabels)) services.onReachChanged(name)
  noteChange(services, name, difference.before, difference.after)
  return kept
}

async function removeCluster(services: Services, name: string): ReturnType<ClusterHandlers['cluster.remove']> {
  const { clusters } = services
  const cluster = clusters.get(name)
  if (!cluster.ok) return cluster
  const inUse = whyInUse(services, name, 'ClusterNotRemoved')
  if (inUse !== null) return failed(inUse)
  const removed = await clusters.remove(name)
  if (!removed.ok) return removed
  services.secrets.forgetAll(name)
  const left = clusters.list()
  if (left.ok) forgetDroppedFiles(services.registryFolder, left.value, services.clock.now())
  services.onReachChanged(name)
  noteChange(services, name, describeCluster(cluster.value), 'no longer registered')
  return removed
}

/** Journals a change of a cluster's settings, and notifies the faces. */
function noteChange(services: Services, cluster: string, before: string, after: string): void {
  const target = `cluster/${cluster}`
  noteEdit(services, { cluster, node: null, kind: 'cluster-settings', target, before, after, refused: null })
  services.emit('cluster.changed', {})
}

/** Why a cluster's connection must not change now; null if it may. */
function whyInUse(
  { runs }: Services,
  cluster: string,
  why: 'ClusterNotReachedOtherwise' | 'ClusterNotRemoved',
): Failure | null {
  const driven = runs.drivenOn(cluster)
  if (driven.length === 0) return null
  return refusal('held', because(why, { cluster, runs: [...driven] }), { target: `cluster/${cluster}` })
}
