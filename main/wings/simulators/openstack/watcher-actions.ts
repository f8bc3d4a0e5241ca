import type { Server, VmState } from './cloud.ts'
import { faultOf, type WatcherFaults } from './watcher-faults.ts'
import type { WatcherNova } from './watcher-nova.ts'
import type { Action } from './watcher-records.ts'
import { isComputeUp, sleepUnlessStopped, type World } from './world.ts'

/** How an action ended, with the reason for a failure; null if the simulator stopped. */
type ActionEnding = {
  readonly state: 'SUCCEEDED' | 'FAILED' | 'SKIPPED'
  readonly message: string | null
} | null

export interface ActionTools {
  readonly world: World
  readonly nova: WatcherNova
  readonly faults: WatcherFaults
}

const DONE: ActionEnding = { state: 'SUCCEEDED', message: null }
const failedWith = (message: string): ActionEnding => ({ state: 'FAILED', message })
const skippedAs = (message: string): ActionEnding => ({ state: 'SKIPPED', message })

/** Runs one action: checks whether it is needed, calls Nova, and waits until Nova has finished. */
export async function doAction(tools: ActionTools, action: Action): Promise<ActionEnding> {
  const { world, faults } = tools
  if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return null
  while (faultOf(faults, action) === 'hang') {
    if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return null
  }
  if (faultOf(faults, action) === 'fail') return failedWith('Fault injected by the demo cloud.')
  switch (action.type) {
    case 'change_nova_service_state':
      return changeService(tools, action)
    case 'stop':
      return stop(tools, action)
    case 'migrate':
      return migrate(tools, action)
  }
}

async function changeService({ world, nova }: ActionTools, { input }: Action): Promise<ActionEnding> {
  const service = world.cloud.services.find(each => each.binary === 'nova-compute' && each.host === input.resource_name)
  if (service === undefined) return failedWith(`nova-compute service ${input.resource_name} not found`)
  const wanted = input.state === 'enabled'
  const reason = input.disabled_reason ?? null
  if (service.enabled === wanted && (wanted || service.disabledReason === reason))
    return skippedAs(`nova-compute service ${input.resource_name} is already ${input.state}`)
  const refused = await nova.changeService(
    service.id,
    wanted || reason === null ? { status: input.state } : { status: input.state, disabled_reason: reason },
  )
  return refused === null ? DONE : failedWith(refused)
}

async function stop(tools: ActionTools, { input }: Action): Promise<ActionEnding> {
  const server = tools.world.cloud.servers.get(input.resource_id)
  if (server === undefined) return skippedAs(`Instance ${input.resource_id} not found`)
  if (server.vmState === 'stopped') return skippedAs(`Instance ${input.resource_id} is already stopped`)
  const refused = await tools.nova.act(server.id, { 'os-stop': null })
  if (refused !== null) return failedWith(refused)
  const waited = await untilIdle(tools.world, server)
  if (waited !== 'idle') return waited === 'late' ? failedWith('Instance did not stop in time') : null
  return stateNow(tools.world, server) === 'stopped' ? DONE : failedWith(`Instance ${server.id} did not stop`)
}

async function migrate(tools: ActionTools, action: Action): Promise<ActionEnding> {
  const { cloud } = tools.world
  const { input } = action
  const server = cloud.servers.get(input.resource_id)
  const nameOf = (uuid: string | undefined) => [...cloud.hosts.values()].find(host => host.id === uuid)?.name
  const source = nameOf(input.source_node)
  if (server === undefined) return skippedAs(`Instance ${input.resource_id} not found`)
  if (server.host !== source) return skippedAs(`Instance ${server.id} is not on source node ${source}`)
  const target = nameOf(input.destination_node)
  if (input.destination_node !== undefined && (target === undefined || !isUsable(tools.world, target)))
    return failedWith(`Destination node ${target ?? input.destination_node} is not enabled`)
  return input.migration_type === 'live'
    ? migrateLive(tools, server, source, target ?? null)
    : migrateCold(tools, server, source, target ?? null)
}

async function migrateLive(
  { world, nova }: ActionTools,
  server: Server,
  source: string | undefined,
  target: string | null,
): Promise<ActionEnding> {
  if (server.vmState !== 'active') return failedWith(`Live migration is not possible for instance ${server.id}`)
  const refused = await nova.act(server.id, { 'os-migrateLive': { host: target, block_migration: 'auto' } })
  if (refused !== null) return failedWith(refused)
  const waited = await untilIdle(world, server)
  if (waited !== 'idle') return waited === 'late' ? failedWith('Live migration takes too long') : null
  return server.host !== source && server.vmState === 'active' ? DONE : failedWith('Live migration failed')
}

async function migrateCold(
  { world, nova }: ActionTools,
  server: Server,
  source: string | undefined,
  target: string | null,
): Promise<ActionEnding> {
  const refused = await nova.act(server.id, { migrate: target === null ? null : { host: target } })
  if (refused !== null) return failedWith(refused)
  const waited = await untilIdle(world, server)
  if (waited !== 'idle') return waited === 'late' ? failedWith('Cold migration takes too long') : null
  if (server.vmState !== 'resized' || server.host === source) return failedWith('Cold migration failed')
  const unconfirmed = await nova.act(server.id, { confirmResize: null })
  if (unconfirmed !== null) return failedWith(unconfirmed)
  while (stateNow(world, server) === 'resized') {
    if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return null
  }
  return DONE
}

/** Reads the state again, because Nova changes it meanwhile. */
function stateNow({ cloud }: World, { id }: Server): VmState | undefined {
  return cloud.servers.get(id)?.vmState
}

/** `late` when Watcher gives up on a migration that Nova continues (docs/domain.md B.2, 900 s). */
async function untilIdle(world: World, server: Server): Promise<'idle' | 'late' | 'stopped'> {
  const until = world.cloud.clock.now() + world.timings.watcherMigrationMs
  while (world.cloud.servers.has(server.id) && server.taskState !== null) {
    if (world.cloud.clock.now() >= until) return 'late'
    if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return 'stopped'
  }
  return 'idle'
}

function isUsable(world: World, host: string): boolean {
  const service = world.cloud.services.find(each => each.binary === 'nova-compute' && each.host === host)
  return service?.enabled === true && isComputeUp(world.cloud, host)
}
