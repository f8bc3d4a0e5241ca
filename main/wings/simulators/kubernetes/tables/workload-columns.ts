import type { NameOfKind, OfModel, Part } from '../../../../adapters/kubernetes/model-fields.ts'
import { selectorText } from '../selectors/label-selector.ts'
import { at, type Json, listAt, numberAt, textAt, textsAt } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { ageOf, humanDuration } from './age.ts'
import { type Column, type ColumnsOfKinds, column, wide } from './column.ts'

const NAME = column('Name', object => object.metadata.name)
const AGE = column('Age', (object, now) => ageOf(object.metadata.creationTimestamp, now))
type Templated = 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'Job'

const IMAGES: readonly Column<Templated>[] = [
  wide('Containers', object => containers(object, 'name')),
  wide('Images', object => containers(object, 'image')),
]
const SELECTOR = wide<Templated>('Selector', object => selectorText(at(object, 'spec', 'selector')))

/** The columns of workloads, budgets, Leases and definitions (kubernetes `pkg/printers/internalversion/printers.go`). */
export const WORKLOAD_COLUMNS: ColumnsOfKinds = {
  Deployment: [
    NAME,
    column('Ready', object => `${status(object, 'readyReplicas')}/${replicas(object)}`),
    column('Up-to-date', object => String(status(object, 'updatedReplicas'))),
    column('Available', object => String(status(object, 'availableReplicas'))),
    AGE,
    ...IMAGES,
    SELECTOR,
  ],
  ReplicaSet: [
    NAME,
    column('Desired', replicas, 'integer'),
    column('Current', object => status(object, 'replicas'), 'integer'),
    column('Ready', object => status(object, 'readyReplicas'), 'integer'),
    AGE,
    ...IMAGES,
    SELECTOR,
  ],
  StatefulSet: [
    NAME,
    column('Ready', object => `${status(object, 'readyReplicas')}/${replicas(object)}`),
    AGE,
    ...IMAGES,
  ],
  DaemonSet: [
    NAME,
    column('Desired', object => status(object, 'desiredNumberScheduled'), 'integer'),
    column('Current', object => status(object, 'currentNumberScheduled'), 'integer'),
    column('Ready', object => status(object, 'numberReady'), 'integer'),
    column('Up-to-date', object => status(object, 'updatedNumberScheduled'), 'integer'),
    column('Available', object => status(object, 'numberAvailable'), 'integer'),
    column('Node Selector', nodeSelector),
    AGE,
    ...IMAGES,
    SELECTOR,
  ],
  Job: [
    NAME,
    column('Status', object => (status(object, 'succeeded') >= completions(object) ? 'Complete' : 'Running')),
    column('Completions', object => `${status(object, 'succeeded')}/${completions(object)}`),
    column('Duration', jobDuration),
    AGE,
    ...IMAGES,
    SELECTOR,
  ],
  PodDisruptionBudget: [
    NAME,
    column('Min Available', object => limit(at(object, 'spec', 'minAvailable'))),
    column('Max Unavailable', object => limit(at(object, 'spec', 'maxUnavailable'))),
    column('Allowed Disruptions', object => status(object, 'disruptionsAllowed'), 'integer'),
    AGE,
  ],
  Lease: [NAME, column('Holder', object => textAt(object, 'spec', 'holderIdentity') ?? ''), AGE],
  CustomResourceDefinition: [NAME, column('Created At', object => object.metadata.creationTimestamp, 'date')],
}

function status<M>(object: StoredObject & OfModel<M>, field: NameOfKind<Part<M, 'status'>, 'number'>): number {
  const plain: StoredObject = object
  return numberAt(plain, 'status', field) ?? 0
}

function replicas(object: Stored<'Deployment' | 'ReplicaSet' | 'StatefulSet'>): number {
  return numberAt(object, 'spec', 'replicas') ?? 0
}

function completions(object: Stored<'Job'>): number {
  return numberAt(object, 'spec', 'completions') ?? 1
}

function limit(value: Json | undefined): string {
  return value === undefined || value === null ? 'N/A' : String(value)
}

function containers(object: Stored<Templated>, field: 'name' | 'image'): string {
  return listAt(object, 'spec', 'template', 'spec', 'containers')
    .map(container => textAt(container, field) ?? '')
    .join(',')
}

function nodeSelector(object: Stored<Templated>): string {
  const labels = Object.entries(textsAt(object, 'spec', 'template', 'spec', 'nodeSelector'))
  return labels.map(([key, value]) => `${key}=${value}`).join(',') || '<none>'
}

function jobDuration(object: Stored<'Job'>, now: number): string {
  const start = textAt(object, 'status', 'startTime')
  const end = textAt(object, 'status', 'completionTime')
  return start === undefined ? '' : humanDuration((end === undefined ? now : Date.parse(end)) - Date.parse(start))
}
