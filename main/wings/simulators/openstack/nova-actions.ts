import type { Server, VmState } from './cloud.ts'
import { beginColdMigration, beginConfirming, beginReverting } from './cold-migration.ts'
import { beginEvacuation } from './evacuate.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { beginLiveMigration } from './live-migration.ts'
import { isAnswer, type NovaCall, type NovaHandler, novaError, policyRefuses, serverOf } from './nova-call.ts'
import { beginPowerChange, lock, resetState, unlock } from './power-actions.ts'
import type { Route } from './routes.ts'

/** POST /servers/{id}/action: the actions that maintenance uses. */
export const novaActions: readonly Route<NovaHandler>[] = [{ method: 'POST', path: '/servers/:id/action', to: act }]

interface Action {
  /** Nova's name of the action in a refusal, if it is not the key of the request. */
  readonly calledInRefusals: string
  /** The policy rule that allows only administrators. */
  readonly adminRule?: string
  /** Whether newer Novas allow it to a project's manager who names no host. */
  readonly forManagers?: true
  /** Allowed states; null allows all. */
  readonly vmStates: readonly VmState[] | null
  /** Whether it is allowed during a task; `newer`: in newer Novas. */
  readonly whileBusy?: boolean | 'newer'
  readonly evenLocked?: boolean
  readonly begin: (call: NovaCall, server: Server, argument: unknown) => ApiAnswer
}

const ACTIONS: Readonly<Record<string, Action>> = {
  'os-migrateLive': {
    calledInRefusals: 'os-migrateLive',
    adminRule: 'os_compute_api:os-migrate-server:migrate_live',
    forManagers: true,
    vmStates: ['active', 'paused'],
    begin: beginLiveMigration,
  },
  migrate: {
    calledInRefusals: 'migrate',
    adminRule: 'os_compute_api:os-migrate-server:migrate',
    forManagers: true,
    vmStates: ['active', 'stopped'],
    begin: beginColdMigration,
  },
  evacuate: {
    calledInRefusals: 'evacuate',
    adminRule: 'os_compute_api:os-evacuate',
    vmStates: ['active', 'stopped', 'error'],
    // A task on a dead host never ends, so newer Novas ignore it; the same holds for a first evacuation.
    whileBusy: 'newer',
    // The decorators of nova/compute/api.py do not check the lock here.
    evenLocked: true,
    begin: beginEvacuation,
  },
  confirmResize: { calledInRefusals: 'confirmResize', vmStates: ['resized'], begin: beginConfirming },
  revertResize: { calledInRefusals: 'revertResize', vmStates: ['resized'], begin: beginReverting },
  'os-stop': { calledInRefusals: 'stop', vmStates: ['active', 'error'], begin: beginPowerChange('stop') },
  'os-start': { calledInRefusals: 'start', vmStates: ['stopped'], begin: beginPowerChange('start') },
  pause: { calledInRefusals: 'pause', vmStates: ['active'], begin: beginPowerChange('pause') },
  unpause: { calledInRefusals: 'unpause', vmStates: ['paused'], begin: beginPowerChange('unpause') },
  suspend: { calledInRefusals: 'suspend', vmStates: ['active'], begin: beginPowerChange('suspend') },
  resume: { calledInRefusals: 'resume', vmStates: ['suspended'], begin: beginPowerChange('resume') },
  'os-resetState': {
    calledInRefusals: 'os-resetState',
    adminRule: 'os_compute_api:os-admin-actions:reset_state',
    vmStates: null,
    whileBusy: true,
    evenLocked: true,
    begin: resetState,
  },
  lock: { calledInRefusals: 'lock', vmStates: null, whileBusy: true, evenLocked: true, begin: lock },
  unlock: { calledInRefusals: 'unlock', vmStates: null, whileBusy: true, evenLocked: true, begin: unlock },
}

function act(call: NovaCall): ApiAnswer {
  const entries = Object.entries(asObject(call.request.body))
  const [named] = entries
  if (named === undefined || entries.length > 1) return novaError(400, 'Malformed request body')
  const [name, argument] = named
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action === undefined) return novaError(400, `There is no such action: ${name}`)
  const server = serverOf(call)
  if (isAnswer(server))
    return server.status === 404 && call.isAdmin
      ? novaError(404, `Instance ${call.params.id} has no mapping to a cell.`)
      : server
  const refusing = refusingRule(call, action, argument)
  if (refusing !== null) return policyRefuses(refusing)
  const wrongBody = validate(call, name, argument)
  if (wrongBody !== null) return wrongBody
  if (server.locked && !call.isAdmin && action.evenLocked !== true)
    return novaError(409, `Instance ${server.id} is locked`)
  return refusalOf(call, action, server) ?? action.begin(call, server, argument)
}

/** Returns the rule that refuses an action; newer Novas have another rule for a named host. */
function refusingRule(call: NovaCall, { adminRule, forManagers }: Action, argument: unknown): string | null {
  if (adminRule === undefined || call.isAdmin) return null
  if (forManagers === undefined || call.isManager === null) return adminRule
  const host = asObject(argument).host
  if (typeof host === 'string') return `${adminRule}:host`
  return call.isManager ? null : adminRule
}

function refusalOf(call: NovaCall, action: Action, server: Server): ApiAnswer | null {
  const cannot = `Cannot '${action.calledInRefusals}' instance ${server.id} while it is in`
  if (action.vmStates !== null && !action.vmStates.includes(server.vmState))
    return novaError(409, `${cannot} vm_state ${server.vmState}`)
  // Only newer Novas have the role manager.
  const isNewer = call.isManager !== null
  const whileBusy = action.whileBusy === 'newer' ? isNewer : action.whileBusy === true
  if (!whileBusy && server.taskState !== null) return novaError(409, `${cannot} task_state ${server.taskState}`)
  return null
}

const BLOCK_MIGRATION = [true, false, 'true', 'false', 'True', 'False', '1', '0']

/** Validates actions that have a JSON schema, for mistakes that clients make. */
function validate(call: NovaCall, name: string, argument: unknown): ApiAnswer | null {
  const invalid = (text: string) =>
    novaError(400, `Invalid input for field/attribute ${name}. Value: ${pythonText(argument)}. ${text}`)
  if (name === 'os-migrateLive') {
    const asked = asObject(argument)
    const required = ['host', 'block_migration', ...(call.minor < 25 ? ['disk_over_commit'] : [])]
    const optional = call.minor >= 30 && call.minor < 68 ? ['force'] : []
    const missing = required.find(key => !Object.hasOwn(asked, key))
    if (missing !== undefined) return invalid(`'${missing}' is a required property`)
    const extra = Object.keys(asked).find(key => !required.includes(key) && !optional.includes(key))
    if (extra !== undefined) return invalid(`Additional properties are not allowed ('${extra}' was unexpected)`)
    const block = asked.block_migration
    if (!BLOCK_MIGRATION.some(each => each === block) && !(call.minor >= 25 && block === 'auto'))
      return novaError(
        400,
        `Invalid input for field/attribute block_migration. Value: ${block}. '${block}' is not valid`,
      )
  }
  if (name === 'evacuate') {
    const known = [
      'host',
      'adminPass',
      ...(call.minor < 14 ? ['onSharedStorage'] : []),
      ...(call.minor >= 29 && call.minor < 68 ? ['force'] : []),
    ]
    const extra = Object.keys(asObject(argument)).find(key => !known.includes(key))
    if (extra !== undefined) return invalid(`Additional properties are not allowed ('${extra}' was unexpected)`)
    if (call.minor < 14 && !Object.hasOwn(asObject(argument), 'onSharedStorage'))
      return invalid("'onSharedStorage' is a required property")
  }
  if (name === 'os-resetState') {
    const state = asObject(argument).state
    if (state !== 'active' && state !== 'error')
      return novaError(
        400,
        `Invalid input for field/attribute state. Value: ${state}. '${state}' is not one of ['active', 'error']`,
      )
  }
  return null
}

/** Prints a value as Python does; Nova's refusals quote the request. */
function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, each]) => `'${key}': ${pythonText(each)}`)
  return `{${entries.join(', ')}}`
}
