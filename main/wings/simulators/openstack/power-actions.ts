import type { Server, VmState } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { beginAction, endAction, type NovaCall } from './nova-call.ts'
import { markUpdated, sleepUnlessStopped } from './world.ts'

interface PowerChange {
  readonly during: string
  readonly vmState: VmState
  readonly powerState: number
}

/** Nova's names of the actions that change a server's power. */
type PowerVerb = 'stop' | 'start' | 'pause' | 'unpause' | 'suspend' | 'resume'

const CHANGES: Readonly<Record<PowerVerb, PowerChange>> = {
  stop: { during: 'powering-off', vmState: 'stopped', powerState: 4 },
  start: { during: 'powering-on', vmState: 'active', powerState: 1 },
  pause: { during: 'pausing', vmState: 'paused', powerState: 3 },
  unpause: { during: 'unpausing', vmState: 'active', powerState: 1 },
  suspend: { during: 'suspending', vmState: 'suspended', powerState: 7 },
  resume: { during: 'resuming', vmState: 'active', powerState: 1 },
}

/** Accepts at once and acts a moment later, or when a host that is down is back (PROOF.md). */
export function beginPowerChange(verb: PowerVerb): (call: NovaCall, server: Server) => ApiAnswer {
  return (call, server) => {
    const change = CHANGES[verb]
    const entry = beginAction(call, server, verb)
    server.taskState = change.during
    markUpdated(call.world, server)
    call.world.spawn(
      finishPowerChange(call, server, verb).then(failed => {
        if (failed !== null) endAction(call.world, entry, `compute_${verb}_instance`, server.host, failed)
      }),
    )
    return { status: 202 }
  }
}

/** Resolves to whether it failed; null if the server or the simulator is gone. */
async function finishPowerChange({ world }: NovaCall, server: Server, verb: PowerVerb): Promise<boolean | null> {
  if (server.host !== null) await world.faults.untilComputeUp(server.host, world.signal)
  const fault = world.faults.serverFault(server)
  const delay = verb === 'stop' && fault.stop_delay !== undefined ? fault.stop_delay * 1000 : world.timings.powerMs
  if (!(await sleepUnlessStopped(world, delay)) || !world.cloud.servers.has(server.id)) return null
  const change = CHANGES[verb]
  // A client reset the server's state meanwhile, so the action no longer applies.
  if (server.taskState !== change.during) return null
  server.taskState = null
  markUpdated(world, server)
  if (verb === 'stop' && fault.stop_fail === true) return true
  server.vmState = change.vmState
  server.powerState = change.powerState
  return false
}

/** os-resetState changes Nova's record; the guest does not change. */
export function resetState(call: NovaCall, server: Server, argument: unknown): ApiAnswer {
  server.vmState = asObject(argument).state === 'error' ? 'error' : 'active'
  server.taskState = null
  markUpdated(call.world, server)
  return { status: 202 }
}

/** Locks a server against all users except administrators. */
export function lock(call: NovaCall, server: Server, argument: unknown): ApiAnswer {
  const reason = asObject(argument).locked_reason
  beginAction(call, server, 'lock')
  server.locked = true
  server.lockedReason = typeof reason === 'string' ? reason : null
  markUpdated(call.world, server)
  return { status: 202 }
}

export function unlock(call: NovaCall, server: Server): ApiAnswer {
  beginAction(call, server, 'unlock')
  server.locked = false
  server.lockedReason = null
  markUpdated(call.world, server)
  return { status: 202 }
}
