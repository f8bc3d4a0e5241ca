import type { Server, VmState } from './cloud.ts'
import { beginColdMigration, beginConfirming, beginReverting } from './cold-migration.ts'
import { beginEvacuation } from './evacuate.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { beginLiveMigration } from './live-migration.ts'
import { isAnswer, type NovaCall, type NovaHandler, novaError, policyRefuses, serverOf } from './nova-call.ts'
import { beginPowerChange, lock, resetState, unlock } from './power-actions.ts'
import type { Route } from './routes.ts'

/** POST /servers/{id}/action: the verbs an evacuation and its clean-up use. */
export const novaActions: readonly Route<NovaHandler>[] = [{ method: 'POST', path: '/servers/:id/action', to: act }]

interface Action {
  /** Nova's word for it in a refusal, where it is not the key of the request. */
  readonly calledInRefusals: string
  /** The rule that lets only administrators do it. */
  readonly adminRule?: string
  /** Whether newer Novas let a manager of the project do it without naming a host. */
  readonly forManagers?: true
  /** States it is allowed in; null allows all. */
  readonly vmStates: readonly VmState[] | null
  /** Also while a task is under way; `newer`: by newer Novas. */
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
    // A task that never ends on a dead host refuses nothing any more, and neither does a first evacuation.
    whileBusy: 'newer',
    // No decorator of nova/compute/api.py asks whether it is locked.
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

/** The rule that refuses an action; newer Novas judge a named host by a rule of its own. */
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
  // Who knows the role of a manager is newer.
  const isNewer = call.isManager !== null
  const whileBusy = action.whileBusy === 'newer' ? isNewer : action.whileBusy === true
  if (!whileBusy && server.taskState !== null) return novaError(409, `${cannot} task_state ${server.taskState}`)
  return null
}

const BLOCK_MIGRATION = [true, false, 'true', 'false', 'True', 'False', '1', '0']

/** The JSON schemas of the actions that have one, as far as a client gets them wrong. */
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

/** How Python would print it, since Nova's refusals quote what they were sent. */
function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, each]) => `'${key}': ${pythonText(each)}`)
  return `{${entries.join(', ')}}`
}
