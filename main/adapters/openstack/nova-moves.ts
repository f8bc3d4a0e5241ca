import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { type CalledInstance, sendServerAction } from './send-server-action.ts'

/** Starts a live migration (2.68 form). 202 means accepted, not done: only the migration record shows the result (domain.md C.4). */
export function liveMigrate(
  session: OpenStackSession,
  id: string,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const body = { 'os-migrateLive': { host, block_migration: 'auto' } }
  return act(session, id, body, instance => call('LiveMigrate', instance), signal)
}

/** Starts a cold migration (since 2.56 to a chosen host); it ends in VERIFY_RESIZE. */
export function coldMigrate(
  session: OpenStackSession,
  id: string,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const body = { migrate: host === null ? null : { host } }
  return act(session, id, body, instance => call('ColdMigrate', instance), signal)
}

/** Confirms a resize or cold migration that waits in VERIFY_RESIZE. */
export function confirmResize(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { confirmResize: null }, instance => call('ConfirmColdMigration', instance), signal, 204)
}

/** Stops a server where it is (os-stop): first by a guest shutdown, then by force. */
export function stopInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-stop': null }, instance => call('StopInstance', instance), signal)
}

export function startInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-start': null }, instance => call('StartInstance', instance), signal)
}

export function resetInstanceState(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  const body = { 'os-resetState': { state: 'active' } }
  return act(session, id, body, instance => call('ResetInstanceState', instance), signal)
}

/** Since 2.95 Nova leaves evacuated instances stopped; before, running ones run again (nova/api/openstack/compute/evacuate.py). */
const LAST_THAT_KEEPS_STATES = { major: 2, minor: 94 } as const

/** Rebuilds a server of a failed host on another one; refused while Nova considers the host up. 200 means accepted: the migration record shows the result. */
export function evacuateInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('EvacuateInstance', instance)
  const order = { method: 'POST', path: '/action', body: { evacuate: {} }, callOf, agreed: [200] } as const
  return sendServerAction(session, id, { ...order, notAfter: LAST_THAT_KEEPS_STATES }, signal)
}

export function abortMigration(
  session: OpenStackSession,
  instanceId: string,
  migrationId: number,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const path = `/migrations/${migrationId}`
  const callOf = (instance: CalledInstance) => call('AbortMigration', { migration: migrationId, ...instance })
  return sendServerAction(session, instanceId, { method: 'DELETE', path, callOf, agreed: [202] }, signal)
}

export function forceCompleteMigration(
  session: OpenStackSession,
  instanceId: string,
  migrationId: number,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const path = `/migrations/${migrationId}/action`
  const callOf = (instance: CalledInstance) => call('ForceMigration', { migration: migrationId, ...instance })
  const body = { force_complete: null }
  return sendServerAction(session, instanceId, { method: 'POST', path, body, callOf, agreed: [202] }, signal)
}

function act(
  session: OpenStackSession,
  id: string,
  body: Json,
  callOf: (instance: CalledInstance) => Finding,
  signal: AbortSignal | undefined,
  agreed = 202,
): Promise<Result<void>> {
  return sendServerAction(session, id, { method: 'POST', path: '/action', body, callOf, agreed: [agreed] }, signal)
}
