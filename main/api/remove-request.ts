import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { makerOf, nodeMeant, runOf } from '../../shared/domain/maintenance-api.ts'
import { nodeOfPlan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { drivenBy } from './driven-by.ts'
import { noteEdit } from './note-edit.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type RemoveRequest = RequestInput<'request.remove'>

/** Removes a request that LCM or a person left. A foreign one needs a reason: its author may still need it. */
export function removeRequestHandler(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'edits' | 'log' | 'runs' | 'worlds'>,
): Pick<Handlers, 'request.remove'> {
  return {
    'request.remove': async wish => {
      const { cluster } = wish
      const known = services.clusters.get(cluster)
      if (!known.ok) return known
      if (known.value.production && wish.typedCluster !== cluster) {
        return failed(refusal('bad-input', because('TypeNameToRemove', { cluster })))
      }
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      return remove(wish, connected.value.world, services)
    },
  }
}

async function remove(
  wish: RemoveRequest,
  world: MaintenanceWorld,
  services: Pick<ApiServices, 'clock' | 'edits' | 'log' | 'runs'>,
): Promise<Result<RequestOutput<'request.remove'>>> {
  const { cluster, kind, name, uid } = wish
  const target = `${kind}/${name}`
  const [objects, nodes] = await Promise.all([world.maintenanceApi.objects(), world.kubernetes.listNodes()])
  if (!objects.ok) return objects
  if (!nodes.ok) return nodes
  const { clusterRequests, nodeRequests } = objects.value
  const ofNode = nodeRequests.find(request => kind === 'NodeMaintenanceRequest' && request.uid === uid)
  const request = ofNode ?? clusterRequests.find(each => kind === 'ClusterMaintenanceRequest' && each.uid === uid)
  if (request === undefined || request.name !== name) {
    return failed(refusal('not-found', because('RequestNotThere', { request: name }), { target }))
  }
  const node =
    ofNode === undefined
      ? null
      : nodeMeant(
          ofNode.nodeName,
          nodes.value.map(each => each.name),
        )
  const why = whyNot(request, { ...wish, node, hasNodeRequests: nodeRequests.length > 0 }, services)
  if (why !== null) return failed({ ...why, target })
  const driven = await drivenBy(node, world, services)
  if (!driven.ok) return driven
  if (driven.value !== null) return failed(refusal('held', because('RequestHeld', driven.value)))
  const edit = {
    cluster,
    node,
    kind: 'maintenance-request',
    target,
    before: because('RequestWas', { scope: request.scope, maker: makerOf(request) }).message,
  } as const
  // Journaled first: it names the requester even if this console ends directly after. Without a journal nothing is removed.
  const { operator, machine } = services.runs.driver
  const ahead = services.edits.record({
    ...edit,
    operator,
    machine,
    after: because('RequestToBeRemoved', { reason: wish.reason }).message,
    refused: null,
  })
  if (!ahead.ok) return ahead
  const deleted = await world.maintenanceApi.deleteRequest({ kind, name, uid })
  const there = await world.maintenanceApi.uidOf({ kind, name })
  const state = !there.ok ? 'not-known' : there.value === uid ? 'terminating' : 'gone'
  noteEdit(services, {
    ...edit,
    after: because('RequestRemoved', { reason: wish.reason }).message,
    refused: deleted.ok ? null : deleted.failure.message,
  })
  return deleted.ok ? ok({ state, finalizers: state === 'gone' ? [] : request.finalizers }) : deleted
}

function whyNot(
  request: Parameters<typeof makerOf>[0] & {
    readonly name: string
    readonly deletingSince: string | null
    readonly finalizers: readonly string[]
  },
  wish: RemoveRequest & { readonly node: string | null; readonly hasNodeRequests: boolean },
  services: Pick<ApiServices, 'runs'>,
): Failure | null {
  const { cluster, kind, node, force } = wish
  if (request.deletingSince !== null) {
    const { name, deletingSince: since, finalizers } = request
    return refusal('conflict', because('RequestTerminates', { request: name, since, finalizers: [...finalizers] }))
  }
  const unfinished = services.runs.unfinished(cluster)
  if (!unfinished.ok) return unfinished.failure
  const run = runOf(request)
  const maker = makerOf(request)
  const driving = unfinished.value.find(({ id, view, node: nodeOfRun, interrupted }) => {
    // A run with a damaged record cannot be resumed: it relies on the request only while its driver lives.
    if (view === null && interrupted) return false
    return id === run || ((view === null ? nodeOfRun || null : nodeOfPlan(view.plan)) ?? node) === node
  })
  if (driving !== undefined) {
    return refusal('conflict', because('RunReliesOnRequest', { run: driving.id, subject: node ?? cluster }))
  }
  if (kind === 'ClusterMaintenanceRequest' && wish.hasNodeRequests) {
    return refusal('conflict', because('NodesStillRequested', { cluster }))
  }
  if (run !== null && node !== null) {
    return refusal('conflict', because('RequestEndsByReturn', { request: request.name, maker, cluster, node }))
  }
  // A run unknown to this journal may be driven by another console.
  const own = run === null ? null : services.runs.view(run)
  const isHandedOver = own?.ok === true && own.value.summary.state === 'handed-over'
  const isForeign = own?.ok !== true || isHandedOver
  if (isForeign && force !== true) {
    return refusal('checks-failed', because('RequestOfStranger', { request: request.name, maker }))
  }
  return null
}
