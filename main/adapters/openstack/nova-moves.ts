import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { tell } from './ask.ts'
import type { OpenStackSession } from './keystone-session.ts'

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
  return act(
    session,
    id,
    { 'os-migrateLive': { host, block_migration: 'auto' } },
    `live-migrate instance ${session.names.called(id)}`,
    signal,
  )
}

/** Asks Nova to migrate a server that is stopped or may be (2.56: to a host of ours); it ends in VERIFY_RESIZE. */
export function coldMigrate(
  session: OpenStackSession,
  id: string,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return act(
    session,
    id,
    { migrate: host === null ? null : { host } },
    `cold-migrate instance ${session.names.called(id)}`,
    signal,
  )
}

/** Confirms a resize or cold migration that waits in VERIFY_RESIZE. */
export function confirmResize(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(
    session,
    id,
    { confirmResize: null },
    `confirm the cold migration of instance ${session.names.called(id)}`,
    signal,
    204,
  )
}

/** Asks Nova to stop a server where it is (os-stop): first the guest itself, then by force. */
export function stopInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-stop': null }, `stop instance ${session.names.called(id)}`, signal)
}

/** Asks Nova to start a server that is stopped (os-start). */
export function startInstance(session: OpenStackSession, id: string, signal?: AbortSignal): Promise<Result<void>> {
  return act(session, id, { 'os-start': null }, `start instance ${session.names.called(id)}`, signal)
}

/** Aborts a live migration that runs or waits (DELETE /servers/{id}/migrations/{id}, 2.24; queued and preparing from 2.65 on). */
export function abortMigration(
  session: OpenStackSession,
  instanceId: string,
  migrationId: number,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method: 'DELETE',
      path: `/servers/${encodeURIComponent(instanceId)}/migrations/${migrationId}`,
      doing: `abort migration ${migrationId} of instance ${session.names.called(instanceId)}`,
      target: `server/${instanceId}`,
      signal,
    },
    [202],
  )
}

/** Makes a running live migration end now, at the price of a pause of the guest (force_complete, 2.22; only for ACTIVE servers). */
export function forceCompleteMigration(
  session: OpenStackSession,
  instanceId: string,
  migrationId: number,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method: 'POST',
      path: `/servers/${encodeURIComponent(instanceId)}/migrations/${migrationId}/action`,
      body: { force_complete: null },
      doing: `force migration ${migrationId} of instance ${session.names.called(instanceId)} to complete`,
      target: `server/${instanceId}`,
      signal,
    },
    [202],
  )
}

function act(
  session: OpenStackSession,
  id: string,
  body: Json,
  doing: string,
  signal: AbortSignal | undefined,
  agreed = 202,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method: 'POST',
      path: `/servers/${encodeURIComponent(id)}/action`,
      body,
      doing,
      target: `server/${id}`,
      signal,
    },
    [agreed],
  )
}
