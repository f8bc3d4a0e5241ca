import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { readForRemedy, remedyInstance } from '../procedures/edits/remedy-instance.ts'
import { drivenBy } from './driven-by.ts'
import { nodesByHost } from './nodes-by-host.ts'
import { noteEdit } from './note-edit.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type Wish = RequestInput<'instance.remedy'>
type Services = Pick<ApiServices, 'clock' | 'clusters' | 'edits' | 'log' | 'onInstancesTouched' | 'runs' | 'worlds'>

/** Resets the state of an instance or shuts it down, outside a run: journaled before the effect and after its answer. */
export function remedyHandlers(services: Services): Pick<Handlers, 'instance.remedy'> {
  return {
    'instance.remedy': async wish => {
      const { cluster, reason } = wish
      const known = services.clusters.get(cluster)
      if (!known.ok) return known
      if (known.value.production && reason.trim() === '') {
        return failed(refusal('bad-input', because('SayWhyByHand', { cluster }), { target: `server/${wish.id}` }))
      }
      const connected = await services.worlds.open(cluster)
      return connected.ok ? remedy(wish, connected.value, services) : connected
    },
  }
}

async function remedy(
  wish: Wish,
  { world, openstackFailure }: ConnectedWorld,
  services: Services,
): Promise<Result<RequestOutput<'instance.remedy'>>> {
  if (openstackFailure !== null) return failed(openstackFailure)
  const { openstack } = world
  const { cluster, id, remedy: what, seen } = wish
  if (openstack === null) return failed(refusal('bad-input', because('NoInstancesToHelp', { cluster })))
  const node = seen.host === null ? null : ((await nodesByHost(world)).get(seen.host) ?? null)
  const driven = await drivenBy(node, world, services)
  if (!driven.ok) return driven
  if (driven.value !== null) {
    const { subject, holder } = driven.value
    return failed(refusal('held', because('RemedyHeld', { node: subject, holder }), { target: `server/${id}` }))
  }
  // The last look before the effect.
  const read = await readForRemedy(openstack, wish, services.clock)
  if (!read.ok) return read
  const instance = read.value
  const { name, status, taskState: task, host } = instance
  const reason = wish.reason.trim()
  const edit = {
    cluster,
    node,
    kind: 'instance-remedy',
    target: `server/${id} (${name})`,
    before: because('InstanceWas', { status, task, host }).message,
  } as const
  // Journaled first: it names the author even if this console ends directly after. Without a journal nothing is changed.
  const { operator, machine } = services.runs.driver
  const after = because('RemedyToBeTaken', { remedy: what, reason }).message
  const ahead = services.edits.record({ ...edit, operator, machine, after, refused: null })
  if (!ahead.ok) return ahead
  const taken = await remedyInstance(openstack, instance, what, {
    clock: services.clock,
    signal: new AbortController().signal,
  })
  services.onInstancesTouched(cluster, [id])
  const now = taken.ok ? taken.value.now : instance
  noteEdit(services, {
    ...edit,
    after: taken.ok
      ? because('RemedyTaken', {
          ...{ remedy: what, reason, status: now.status, task: now.taskState, host: now.host },
        }).message
      : after,
    refused: taken.ok ? null : taken.failure.message,
  })
  return taken.ok ? ok({ name, status: now.status, done: taken.value.done }) : taken
}
