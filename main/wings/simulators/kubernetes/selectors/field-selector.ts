import { badRequest, granted, type Outcome, refused } from '../store/api-status.ts'
import type { ApiType } from '../store/api-type.ts'
import { at } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'

type FieldTest = (object: KubernetesObject) => boolean

/** Selectable fields of each kind besides name and namespace (`GetAttrs` in kubernetes pkg/registry). */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Secret: ['type'],
  ReplicaSet: ['status.replicas'],
  Job: ['status.successful'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
}

/** Parses `fieldSelector`: `=`, `==` and `!=` joined by commas. An unknown field is refused. */
export function parseFieldSelector(type: ApiType, text: string): Outcome<FieldTest> {
  const tests: FieldTest[] = []
  for (const term of text.split(',').filter(part => part.trim() !== '')) {
    const parsed = /^\s*([A-Za-z0-9.]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(term)
    if (parsed === null) {
      return refused(badRequest(`invalid selector: '${text}'; can't understand '${term}'`))
    }
    const [, field = '', operator, value] = parsed
    const known = ['metadata.name', 'metadata.namespace', ...(SELECTABLE[type.kind] ?? [])]
    if (!known.includes(field)) return refused(badRequest(`field label not supported: ${field}`))
    tests.push(object => (fieldText(object, field) === value) === (operator !== '!='))
  }
  return granted(object => tests.every(test => test(object)))
}

function fieldText(object: KubernetesObject, field: string): string {
  if (field === 'source') return String(at(object, 'source', 'component') ?? '')
  const value = at(object, ...field.split('.'))
  return value === undefined || value === null ? (field === 'spec.unschedulable' ? 'false' : '') : String(value)
}
