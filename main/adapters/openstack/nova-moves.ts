import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { OpenStackSession } from './keystone-session.ts'
import { type CalledInstance, sendServerAction } from './send-server-action.ts'

/**
 * Asks Nova to live-migrate a server (os-migrateLive, 2.68 form: block_migration auto, no force). 202 means asked, not done: checks
 * run afterwards, only the migration record tells how it ended (domain.md C.4).
 */
export function liveMigrate(
  session: OpenStackSession,
  id: string,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const body = { 'os-migrateLive': { host, block_migration: 'auto' } }
  return act(session, id, body, instance => call('LiveMigrate', instance), signal)
}

/** Asks Nova to migrate a server that is stopped or may be (2.56: to a host of ours); it ends in VERIFY_RESIZE. */
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

/** Asks Nova to stop a server where it is (os-stop): first the guest itself, then by force. */
export function stopInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-stop': null }, instance => call('StopInstance', instance), signal)
}

/** Asks Nova to start a server that is stopped (os-start). */
export function startInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-start': null }, instance => call('StartInstance', instance), signal)
}

/** From 2.95 on Nova leaves every instance that it evacuates stopped; before, one that ran runs again (nova/api/openstack/compute/evacuate.py). */
const LAST_THAT_KEEPS_STATES = { major: 2, minor: 94 } as const

/**
 * Asks Nova to rebuild a server on another host, because its own failed (evacuate; the scheduler chooses). Nova refuses while it takes the host for up.
 * HTTP 200 means asked, not done: the migration record tells how it ended.
 */
export function evacuateInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('EvacuateInstance', instance)
  const order = { method: 'POST', path: '/action', body: { evacuate: {} }, callOf, agreed: [200] } as const
  return sendServerAction(session, id, { ...order, notAfter: LAST_THAT_KEEPS_STATES }, signal)
}

/** Aborts a live migration that runs or waits (DELETE /servers/{id}/migrations/{id}, 2.24; queued and preparing from 2.65 on). */
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

/** Makes a running live migration end now, at the price of a pause of the guest (force_complete, 2.22; only for ACTIVE servers). */
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
