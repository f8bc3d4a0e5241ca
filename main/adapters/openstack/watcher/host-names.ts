import { z } from 'zod'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { ask } from '../ask.ts'
import type { OpenStackSession } from '../keystone-session.ts'

const Providers = z.object({ resource_providers: z.array(z.object({ uuid: z.string(), name: z.string() })) })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Names of hypervisors by their UUID, asked once a session: a hypervisor keeps its UUID for life. */
const known = new WeakMap<OpenStackSession, Map<string, string>>()

/**
 * The plan with the hosts that instances go to as operators know them: Watcher names a hypervisor by its UUID, which is that of its resource
 * provider. Where Placement does not tell, the UUID stays.
 */
export async function withHostNames(
  session: OpenStackSession,
  plan: WatcherPlan,
  signal?: AbortSignal,
): Promise<WatcherPlan> {
  const names = known.get(session) ?? new Map<string, string>()
  known.set(session, names)
  const wanted = plan.actions.flatMap(({ destination }) =>
    destination !== null && UUID.test(destination) ? [destination] : [],
  )
  if (wanted.some(uuid => !names.has(uuid))) {
    const doing = "name the hosts of Watcher's plan"
    const read = await ask(
      session,
      'placement',
      { method: 'GET', path: '/resource_providers', doing, signal },
      Providers,
    )
    for (const { uuid, name } of read.ok ? read.value.resource_providers : []) names.set(uuid, name)
  }
  if (wanted.length === 0) return plan
  return {
    ...plan,
    actions: plan.actions.map(action => {
      const name = action.destination === null ? undefined : names.get(action.destination)
      return name === undefined ? action : { ...action, destination: name }
    }),
  }
}
