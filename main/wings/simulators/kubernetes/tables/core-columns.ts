import { at, type Json, listAt, numberAt, recordAt, textAt, textsAt } from '../store/json.ts'
import { isTerminating } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { ageOf } from './age.ts'
import { type Column, type ColumnsOfKinds, column, wide } from './column.ts'

const NAME = column('Name', object => object.metadata.name)
const AGE = column('Age', (object, now) => ageOf(object.metadata.creationTimestamp, now))
const NONE = '<none>'

/** The default columns: name and age (apiserver `rest/table.go`). */
export const PLAIN_COLUMNS: readonly Column[] = [NAME, AGE]

/** The columns of the core group's kinds (kubernetes `pkg/printers/internalversion/printers.go`). */
export const CORE_COLUMNS: ColumnsOfKinds = {
  Node: [
    NAME,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    AGE,
    column('Version', node => textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? ''),
    wide('Internal-IP', node => nodeAddress(node, 'InternalIP')),
    wide('External-IP', node => nodeAddress(node, 'ExternalIP')),
    wide('OS-Image', node => textAt(node, 'status', 'nodeInfo', 'osImage') ?? '<unknown>'),
    wide('Kernel-Version', node => textAt(node, 'status', 'nodeInfo', 'kernelVersion') ?? '<unknown>'),
    wide('Container-Runtime', node => textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') ?? '<unknown>'),
  ],
  Pod: [
    NAME,
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', pod => String(restarts(pod))),
    AGE,
    wide('IP', pod => textAt(pod, 'status', 'podIP') ?? NONE),
    wide('Node', pod => textAt(pod, 'spec', 'nodeName') ?? NONE),
    wide('Nominated Node', pod => textAt(pod, 'status', 'nominatedNodeName') ?? NONE),
    wide('Readiness Gates', () => NONE),
  ],
  Namespace: [NAME, column('Status', namespace => textAt(namespace, 'status', 'phase') ?? ''), AGE],
  ConfigMap: [NAME, column('Data', map => String(Object.keys(recordAt(map, 'data')).length)), AGE],
  Secret: [
    NAME,
    column('Type', secret => textAt(secret, 'type') ?? ''),
    column('Data', secret => String(Object.keys(recordAt(secret, 'data')).length)),
    AGE,
  ],
  ServiceAccount: [NAME, column('Secrets', account => String(listAt(account, 'secrets').length)), AGE],
  Service: [
    NAME,
    column('Type', service => textAt(service, 'spec', 'type') ?? ''),
    column('Cluster-IP', service => textAt(service, 'spec', 'clusterIP') ?? NONE),
    column('External-IP', () => NONE),
    column('Port(s)', servicePorts),
    AGE,
    wide('Selector', service => pairs(textsAt(service, 'spec', 'selector'))),
  ],
  PersistentVolumeClaim: [
    NAME,
    column('Status', claim => textAt(claim, 'status', 'phase') ?? ''),
    column('Volume', claim => textAt(claim, 'spec', 'volumeName') ?? ''),
    column('Capacity', claim => textAt(claim, 'status', 'capacity', 'storage') ?? ''),
    column('Access Modes', claim => listAt(claim, 'spec', 'accessModes').map(accessMode).join(',')),
    column('StorageClass', claim => textAt(claim, 'spec', 'storageClassName') ?? ''),
    AGE,
    wide('VolumeMode', claim => textAt(claim, 'spec', 'volumeMode') ?? ''),
  ],
  Event: [
    column('Last Seen', (event, now) => ageOf(textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime'), now)),
    column('Type', event => textAt(event, 'type') ?? ''),
    column('Reason', event => textAt(event, 'reason') ?? ''),
    column('Object', eventSubject),
    wide('Subobject', event => textAt(event, 'involvedObject', 'fieldPath') ?? ''),
    wide('Source', event => textAt(event, 'source', 'component') ?? ''),
    column('Message', event => (textAt(event, 'message') ?? '').trim()),
    wide('First Seen', (event, now) => ageOf(textAt(event, 'firstTimestamp'), now)),
    wide('Count', event => String(numberAt(event, 'count') ?? 1)),
    wide('Name', event => event.metadata.name),
  ],
}

/** Returns a pod's status in one word, as in `kubectl get pods`. */
function podStatus(pod: Stored<'Pod'>): string {
  if (isTerminating(pod)) return textAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating'
  const waiting = listAt(pod, 'status', 'containerStatuses').map(one => textAt(one, 'state', 'waiting', 'reason'))
  const ended = listAt(pod, 'status', 'containerStatuses').map(one => textAt(one, 'state', 'terminated', 'reason'))
  const named = waiting.find(reason => reason !== undefined) ?? ended.find(reason => reason !== undefined)
  return named ?? textAt(pod, 'status', 'reason') ?? textAt(pod, 'status', 'phase') ?? 'Unknown'
}

function nodeStatus(node: Stored<'Node'>): string {
  const ready = listAt(node, 'status', 'conditions').find(condition => at(condition, 'type') === 'Ready')
  const word = at(ready, 'status') === 'True' ? 'Ready' : ready === undefined ? 'Unknown' : 'NotReady'
  return at(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word
}

function nodeRoles(node: Stored<'Node'>): string {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([label, value]) =>
    label.startsWith('node-role.kubernetes.io/')
      ? [label.slice('node-role.kubernetes.io/'.length)]
      : label === 'kubernetes.io/role'
        ? [value]
        : [],
  )
  return (
    roles
      .filter(role => role !== '')
      .sort()
      .join(',') || NONE
  )
}

function nodeAddress(node: Stored<'Node'>, type: string): string {
  return (
    textAt(
      listAt(node, 'status', 'addresses').find(one => at(one, 'type') === type),
      'address',
    ) ?? NONE
  )
}

function podReady(pod: Stored<'Pod'>): string {
  const ready = listAt(pod, 'status', 'containerStatuses').filter(one => at(one, 'ready') === true).length
  return `${ready}/${listAt(pod, 'spec', 'containers').length}`
}

function restarts(pod: Stored<'Pod'>): number {
  return listAt(pod, 'status', 'containerStatuses').reduce<number>(
    (sum, one) => sum + (numberAt(one, 'restartCount') ?? 0),
    0,
  )
}

function servicePorts(service: Stored<'Service'>): string {
  const ports = listAt(service, 'spec', 'ports').map(
    port => `${numberAt(port, 'port') ?? ''}/${textAt(port, 'protocol') ?? 'TCP'}`,
  )
  return ports.join(',') || NONE
}

function eventSubject(event: Stored<'Event'>): string {
  const kind = textAt(event, 'involvedObject', 'kind') ?? ''
  return `${kind.toLowerCase()}/${textAt(event, 'involvedObject', 'name') ?? ''}`
}

function accessMode(mode: Json): string {
  const short: Readonly<Record<string, string>> = {
    ReadWriteOnce: 'RWO',
    ReadOnlyMany: 'ROX',
    ReadWriteMany: 'RWX',
    ReadWriteOncePod: 'RWOP',
  }
  return short[String(mode)] ?? String(mode)
}

function pairs(labels: Readonly<Record<string, string>>): string {
  return (
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(',') || NONE
  )
}
