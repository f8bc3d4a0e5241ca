import { randomUUID } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeconfigSource } from '../../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { findingIn, refusal } from '../../../../shared/words/refusal.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { describeContexts } from '../../../adapters/kubernetes/describe-contexts.ts'
import { IN_CLUSTER, inClusterKubeconfig } from '../../../adapters/kubernetes/in-cluster.ts'
import { createLeaseObserver } from '../../../adapters/kubernetes/lease-observer.ts'
import { createLeases } from '../../../adapters/kubernetes/leases.ts'
import { openKubernetesSession } from '../../../adapters/kubernetes/session.ts'
import { openSecretFiles } from '../../../clusters/secret-files.ts'
import type { OnRequest } from '../../../clusters/session-ports.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { holdFileLock } from '../../../platform/files/file-lock.ts'
import { readPrivateFile, writePrivateFile } from '../../../platform/files/private-file.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import { createCloudSecrets } from '../kubernetes/cloud-secrets.ts'
import { createMaintenanceRuns } from '../kubernetes/maintenance-runs.ts'
import { createRunnerPlace } from '../kubernetes/runner-place.ts'
import { createRunner, type Runner } from '../runner.ts'
import type { RunnerApp } from '../runner-app.ts'
import type { Shard } from '../shard.ts'

export interface RunnerRequest {
  readonly namespace: string
  /** A kubeconfig whose current context is the runner's own Kubernetes; null means its pod's ServiceAccount. */
  readonly kubeconfig: string | null
  readonly dataDirectory: string
  /** The folder for credential files from Secrets; a volume in memory is best. */
  readonly secretsDirectory: string
  readonly shard: Shard
  /** The installer confirmed that the runner's volume does not depend on OSDs that it stops. Without that, it refuses such runs if it cannot tell. */
  readonly isVolumeElsewhere: boolean
  /** From the downward API; null if unknown. */
  readonly pod: { readonly name: string | null; readonly nodeName: string | null }
}

interface RunnerFolder {
  /** Stays the same over restarts; differs on another volume. */
  readonly journalId: string
  release(): void
}

/** A process that is just ending may still hold the lock. */
const LOCK_PATIENCE_MS = 30_000

/** Locks the existing data directory, so that no other process drives the runs in its journal. */
export function takeRunnerFolder(dataDirectory: string): Result<RunnerFolder> {
  const lock = holdFileLock(join(dataDirectory, 'runner.lock'), LOCK_PATIENCE_MS)
  if (!lock.ok) return lock
  const path = join(dataDirectory, 'runner-id')
  const kept = readPrivateFile(path)
  if (!kept.ok) return kept
  const known = kept.value?.trim() ?? ''
  if (/^[0-9a-f]{12}$/.test(known)) return ok({ journalId: known, release: lock.value.release })
  const journalId = randomUUID().replaceAll('-', '').slice(0, 12)
  const written = writePrivateFile(path, `${journalId}\n`, 'unlocked')
  return written.ok ? ok({ journalId, release: lock.value.release }) : written
}

export async function openRunner(
  request: RunnerRequest,
  parts: {
    readonly journalId: string
    readonly runnerApp: RunnerApp
    readonly registerSecret: (secret: string) => void
    readonly onRequest: OnRequest
    readonly clock: Clock
    readonly log: Logger
  },
): Promise<Result<{ readonly runner: Runner; close(): void }>> {
  const { namespace, dataDirectory, pod } = request
  const { runnerApp, clock, registerSecret } = parts
  const log = parts.log.child('runner')
  const own = await ownKubernetes(request)
  if (!own.ok) return own
  const openSession = (source: KubeconfigSource) =>
    openKubernetesSession({
      source,
      // A pod runs no credential commands.
      consent: () => false,
      clock,
      log: parts.log.child('kubernetes'),
      registerSecret,
      onRequest: () => parts.onRequest('kubernetes'),
    })
  const opened = await openSession(own.value)
  if (!opened.ok) return opened
  const session = opened.value
  const name = pod.name ?? runnerApp.driver.machine
  const runner = createRunner({
    self: {
      runner: `${name}/${parts.journalId}`,
      pod: name,
      nodeName: pod.nodeName,
      isVolumeElsewhere: request.isVolumeElsewhere,
    },
    journalId: parts.journalId,
    shard: request.shard,
    runnerApp,
    objects: createMaintenanceRuns({ session, namespace, clock }),
    secrets: createCloudSecrets({ session, namespace, clock }),
    leases: createLeases({ session, namespace, clock, observer: createLeaseObserver(clock) }),
    place: createRunnerPlace({
      session,
      pod: pod.name === null ? null : { namespace, name: pod.name, dataDirectory },
      openSession,
    }),
    // A separate folder: clouds that no longer exist are removed there.
    files: openSecretFiles(join(request.secretsDirectory, 'lockkeeper-clouds')),
    own: own.value,
    notNow: () =>
      runnerApp.journal.readOnly === null ? whyNoRoom(dataDirectory) : findingIn(runnerApp.journal.readOnly),
    clock,
    log,
  })
  return ok({ runner, close: () => session.close() })
}

/** The kubeconfig of the runner's own Kubernetes; clouds without their own kubeconfig use the same. */
async function ownKubernetes({ kubeconfig, dataDirectory }: RunnerRequest): Promise<Result<KubeconfigSource>> {
  if (kubeconfig !== null) {
    const contexts = await describeContexts([kubeconfig])
    if (!contexts.ok) return contexts
    const current = contexts.value.find(each => each.current)
    return current === undefined
      ? failed(refusal('bad-input', because('RunnerWithoutContext', { kubeconfig })))
      : ok({ paths: [kubeconfig], context: current.name })
  }
  const text = inClusterKubeconfig({ environment: process.env })
  if (!text.ok) return text
  const path = join(dataDirectory, 'in-cluster.kubeconfig')
  const written = writePrivateFile(path, text.value, 'unlocked')
  return written.ok ? ok({ paths: [path], context: IN_CLUSTER }) : written
}

/** Below this no run starts, because a run keeps writing to the journal. */
const LEAST_ROOM_BYTES = 8 * 1024 * 1024

/** Why no run may start because the volume is full; null if there is enough space. A small volume needs a twentieth of its size. */
function whyNoRoom(directory: string): Finding | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory)
    const least = Math.min(LEAST_ROOM_BYTES, (blocks * bsize) / 20)
    if (bavail * bsize >= least) return null
    const left = ((bavail * bsize) / 1024 / 1024).toFixed(1)
    return because('RunnerVolumeFull', { directory, left })
  } catch {
    // If the space is unknown, a full volume shows when something is written.
    return null
  }
}
