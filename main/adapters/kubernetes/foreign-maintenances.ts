import type { Failure } from '../../../shared/domain/failure.ts'
import type { ForeignMaintenance, ForeignMaintenanceCode } from '../../../shared/domain/foreign-maintenance.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { namesOf } from '../../../shared/words/steps/coded.ts'
import type { ForeignMaintenances } from '../../ports/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { flagIn, objectIn, textIn } from './fields.ts'
import { FOREIGN_KINDS, type ForeignKind } from './foreign-kinds.ts'
import { servedVersions } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { listForeign } from './served-kinds.ts'
import type { KubernetesSession } from './session.ts'

/** Cluster API serves Machines under both versions; the fields read are the same. */
const MACHINE_VERSIONS = ['cluster.x-k8s.io/v1beta1', 'cluster.x-k8s.io/v1beta2']
/** Annotations of Cluster API (api/core, common_types.go) and of Metal3 (apis/metal3.io, baremetalhost_types.go). */
const DELETE_MACHINE = 'cluster.x-k8s.io/delete-machine'
const REMEDIATE_MACHINE = 'cluster.x-k8s.io/remediate-machine'
const REBOOT_HOST = 'reboot.metal3.io'
/** An annotation may have 256 KiB; a readable reason is a sentence. */
const MOST_OF_REASON = 300

/** Node maintenance that medik8s, Cluster API and Metal3 objects request. Kinds that these credentials cannot read are reported: other maintenance is then unknown. */
export async function listForeignMaintenances(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<ForeignMaintenances>> {
  const versions = await servedVersions(session, signal)
  if (!versions.ok) return versions
  const machineVersion = MACHINE_VERSIONS.find(version => versions.value.has(version))
  const readings: readonly (readonly [kind: ForeignKind, read: (object: KubernetesObject) => ForeignMaintenance[]])[] =
    [
      [FOREIGN_KINDS.NodeMaintenance, nodeMaintenanceOf],
      [
        { ...FOREIGN_KINDS.ClusterApiMachine, ...(machineVersion === undefined ? {} : { apiVersion: machineVersion }) },
        machineOf,
      ],
      [FOREIGN_KINDS.BareMetalHost, hostOf],
    ]
  let found: readonly ForeignMaintenance[] = []
  const unread: Failure[] = []
  for (const [kind, read] of readings) {
    if (!versions.value.has(kind.apiVersion)) {
      const group = groupOf(kind)
      const others = [...versions.value].filter(version => version.startsWith(`${group}/`))
      if (others.length === 0) continue
      // The program is installed in a version that Lockkeeper does not understand.
      const why = because('ForeignVersionUnknown', { group, versions: namesOf(others) })
      unread.push(refusal('unreadable', why, { retryable: false }))
      continue
    }
    const listed = await listForeign(session, kind, read, { signal })
    if (listed.ok) found = [...found, ...(listed.value ?? []).flat()]
    else unread.push(listed.failure)
  }
  return ok({ found, unread })
}

function groupOf({ apiVersion }: ForeignKind): string {
  return apiVersion.split('/')[0] ?? apiVersion
}

function nodeMaintenanceOf(object: KubernetesObject): ForeignMaintenance[] {
  const spec = objectIn(object, 'spec')
  return [maintenance(textIn(spec, 'nodeName'), 'NodeMaintenance', object, textIn(spec, 'reason'))]
}

function machineOf(object: KubernetesObject): ForeignMaintenance[] {
  const { annotations, deletionAt } = readMetadata(object)
  const node = textIn(objectIn(objectIn(object, 'status'), 'nodeRef'), 'name')
  if (node === '') return []
  return [
    ...(deletionAt === null ? [] : [maintenance(node, 'MachineBeingDeleted', object)]),
    ...(annotations[DELETE_MACHINE] === undefined ? [] : [maintenance(node, 'MachineMarkedForDeletion', object)]),
    ...(annotations[REMEDIATE_MACHINE] === undefined
      ? []
      : [maintenance(node, 'MachineMarkedForRemediation', object, annotations[REMEDIATE_MACHINE])]),
  ]
}

function hostOf(object: KubernetesObject): ForeignMaintenance[] {
  const { annotations } = readMetadata(object)
  const node = textIn(objectIn(objectIn(object, 'status'), 'hardware'), 'hostname')
  if (node === '') return []
  const spec = objectIn(object, 'spec')
  // `reboot.metal3.io` requests a reboot; with a suffix it keeps the host off until its author removes it.
  const isReboot = Object.keys(annotations).some(key => key === REBOOT_HOST || key.startsWith(`${REBOOT_HOST}/`))
  return [
    ...(isReboot ? [maintenance(node, 'HostRebootAsked', object)] : []),
    ...('online' in spec && !flagIn(spec, 'online') ? [maintenance(node, 'HostToBeOff', object)] : []),
  ]
}

function maintenance(
  node: string,
  code: ForeignMaintenanceCode,
  object: KubernetesObject,
  reason = '',
): ForeignMaintenance {
  const { namespace, name } = readMetadata(object)
  return {
    node,
    code,
    object: namespace === '' ? name : `${namespace}/${name}`,
    reason: firstWords(reason, MOST_OF_REASON),
  }
}
