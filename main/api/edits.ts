import type { RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { MaintenanceAction } from '../../shared/domain/instance-tags.ts'
import { mapLimited } from '../../shared/domain/map-limited.ts'
import { assertNever } from '../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { hostModeWords } from '../../shared/words/steps/edits.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { type MarkOutcome, markInstance } from '../procedures/edits/mark-instance.ts'
import { setHostMode } from '../procedures/edits/set-host-mode.ts'
import { nodesByHost } from './nodes-by-host.ts'
import { noteEdit } from './note-edit.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Parallel changes: a large selection must not crowd out the requests of a run. */
const MARKED_AT_ONCE = 4

/** Manual changes outside a run: each answer shows the state afterwards, and each change is journaled. */
export function editHandlers(
  services: Pick<ApiServices, 'edits' | 'log' | 'onInstancesTouched' | 'runs' | 'worlds'>,
): Pick<Handlers, 'node.set-mode' | 'instance.mark' | 'edit.list'> {
  return {
    'node.set-mode': async ({ cluster, node, mode, attempts, restore }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      const set = await setHostMode(connected.value.world.kubernetes, node, { mode, attempts, restore })
      switch (set.kind) {
        case 'unread':
          return failed(set.failure)
        case 'same':
          return ok({ before: set.before, after: set.before })
        case 'asked':
          noteEdit(services, {
            cluster,
            node,
            kind: 'host-mode',
            target: `node/${node}`,
            before: hostModeWords(set.before),
            after: hostModeWords(set.wanted),
            refused: set.after.ok ? null : set.after.failure.message,
          })
          return set.after.ok ? ok({ before: set.before, after: set.after.value }) : set.after
        default:
          return assertNever(set, 'how a host mode was set')
      }
    },
    'instance.mark': async ({ cluster, marks }) => {
      const twice = marks.find(({ id }, index) => marks.findIndex(other => other.id === id) !== index)
      if (twice !== undefined) {
        return failed(refusal('bad-input', because('InstanceMarkedTwice', { instance: twice.id })))
      }
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      return markInstances(connected.value, cluster, marks, services)
    },
    'edit.list': async filter => services.edits.list(filter),
  }
}

async function markInstances(
  { world, openstackFailure }: ConnectedWorld,
  cluster: string,
  marks: RequestInput<'instance.mark'>['marks'],
  services: Pick<ApiServices, 'edits' | 'log' | 'onInstancesTouched' | 'runs'>,
): Promise<Result<RequestOutput<'instance.mark'>>> {
  if (openstackFailure !== null) return failed(openstackFailure)
  const { openstack } = world
  if (openstack === null) {
    return failed(refusal('bad-input', because('NoInstancesToMark', { cluster })))
  }
  const nodeOf = await nodesByHost(world)
  const outcomes = await mapLimited(marks, MARKED_AT_ONCE, async ({ id, actions }) => {
    const outcome = await markInstance(openstack, id, actions)
    if (outcome.changed || outcome.failure !== null) {
      const host = outcome.instance?.host ?? null
      noteEdit(services, {
        cluster,
        node: host === null ? null : (nodeOf.get(host) ?? null),
        kind: 'instance-mark',
        target: `server/${id}${outcome.instance === null ? '' : ` (${outcome.instance.name})`}`,
        before: markWords(outcome.before),
        after: markWords(outcome.failure === null ? outcome.after : actions),
        refused: outcome.failure?.message ?? null,
      })
    }
    return { id, outcome }
  })
  const touched = outcomes.filter(({ outcome }) => outcome.changed).map(({ id }) => id)
  if (touched.length > 0) services.onInstancesTouched(cluster, touched)
  return ok({ results: outcomes.map(({ id, outcome }) => resultOf(id, outcome)) })
}

function resultOf(id: string, outcome: MarkOutcome): RequestOutput<'instance.mark'>['results'][number] {
  return {
    id,
    name: outcome.instance?.name ?? id,
    before: [...outcome.before],
    after: [...outcome.after],
    failure: outcome.failure,
  }
}

function markWords(actions: readonly MaintenanceAction[]): string {
  return actions.length === 0 ? "the node's default" : actions.join(', ')
}
