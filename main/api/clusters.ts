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
  | 'cluster.list'
  | 'cluster.add'
  | 'cluster.update'
  | 'cluster.remove'
  | 'cluster.exec-plugin'
  | 'cluster.consent'
  | 'cluster.endpoints'
  | 'cluster.agree-to-endpoints'
  | 'kubeconfig.inspect'
  | 'clouds.inspect'
  | 'cluster.found'
  | 'exec-plugin.consent'
  | 'cluster.try'
  | 'cluster.test'
  | 'cluster.connect'
>

export function clusterHandlers(
  services: Pick<
    ApiServices,
    | 'clock'
    | 'clusters'
    | 'edits'
    | 'emit'
    | 'log'
    | 'onReachChanged'
    | 'queues'
    | 'registryFolder'
    | 'runs'
    | 'secrets'
  >,
): ClusterHandlers {
  const { clusters, runs, emit } = services

  const changed = (cluster: string, before: string, after: string) => {
    noteEdit(services, {
      cluster,
      node: null,
      kind: 'cluster-settings',
      target: `cluster/${cluster}`,
      before,
      after,
      refused: null,
    })
    emit('cluster.changed', {})
  }

  /** Why a cluster's connection must not change now; null if it may. */
  const held = (cluster: string, why: 'ClusterNotReachedOtherwise' | 'ClusterNotRemoved') => {
    const driven = runs.drivenOn(cluster)
    if (driven.length === 0) return null
    return refusal('held', because(why, { cluster, runs: [...driven] }), { target: `cluster/${cluster}` })
  }

  return {
    'cluster.list': async () => clusters.list(),
    'cluster.add': async input => {
      const added = await clusters.add(input)
      if (added.ok) changed(added.value.name, 'not registered', describeCluster(added.value))
      return added
    },
    'cluster.update': async ({ name, change }) => {
      const plan = await clusters.planUpdate(name, change)
      if (!plan.ok) return plan
      const { before, after, reachedAnotherWay } = plan.value
      const difference = describeChange(before, after)
      if (difference === null) return ok(before)
      const inUse = reachedAnotherWay ? held(name, 'ClusterNotReachedOtherwise') : null
      if (inUse !== null) return failed(inUse)
      const kept = clusters.keepUpdate(before, after)
      if (!kept.ok) return kept
      if (reachedAnotherWay || !isSameJson(before.roleLabels, after.roleLabels)) {
        services.onReachChanged(name)
      }
      changed(name, difference.before, difference.after)
      return kept
    },
    'cluster.remove': async ({ name }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const inUse = held(name, 'ClusterNotRemoved')
      if (inUse !== null) return failed(inUse)
      const removed = await clusters.remove(name)
      if (!removed.ok) return removed
      const forgotten = services.queues.forget(name)
      if (!forgotten.ok) {
        services.log.warn('removed-cluster-queue-stays', { cluster: name, message: forgotten.failure.message })
      }
      services.secrets.forgetAll(name)
      const left = clusters.list()
      if (left.ok) forgetDroppedFiles(services.registryFolder, left.value, services.clock.now())
      services.onReachChanged(name)
      changed(name, describeCluster(cluster.value), 'no longer registered')
      return removed
    },
    'cluster.exec-plugin': input => clusters.execPlugin(input.name),
    'cluster.consent': input => clusters.consent(input.name, input.fingerprint),
    'cluster.endpoints': input => clusters.endpoints(input.name),
    'cluster.agree-to-endpoints': input => clusters.agreeToEndpoints(input),
    'kubeconfig.inspect': input => clusters.inspectKubeconfig(input.paths),
    'clouds.inspect': input => clusters.inspectClouds(input.path),
    'cluster.found': input => clusters.found(input.files),
    'exec-plugin.consent': input => clusters.consentToContext(input),
    'cluster.try': input => clusters.tryOut(input),
    'cluster.test': input => clusters.test(input.name),
    'cluster.connect': input => clusters.connect(input.name),
  }
}
