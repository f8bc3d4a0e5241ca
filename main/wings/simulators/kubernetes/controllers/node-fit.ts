import { expressionMatches, selectorMatches } from '../selectors/label-selector.ts'
import { at, type Json, type JsonObject, listAt, textAt, textsAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'

/** Whether a pod's nodeSelector and required node affinity accept a node. */
export function selectsNode(spec: JsonObject, node: Stored<'Node'>): boolean {
  const labels = node.metadata.labels ?? {}
  const selected = Object.entries(textsAt(spec, 'nodeSelector')).every(([key, value]) => labels[key] === value)
  const terms = listAt(
    spec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  )
  const fields = { 'metadata.name': node.metadata.name }
  return (
    selected &&
    (terms.length === 0 ||
      terms.some(
        term =>
          listAt(term, 'matchExpressions').every(expression => expressionMatches(expression, labels)) &&
          listAt(term, 'matchFields').every(expression => expressionMatches(expression, fields)),
      ))
  )
}

/** Whether a pod tolerates the node's taints with these effects. */
export function toleratesNode(spec: JsonObject, node: Stored<'Node'>, effects: readonly string[]): boolean {
  return listAt(node, 'spec', 'taints')
    .filter(taint => effects.includes(textAt(taint, 'effect') ?? ''))
    .every(taint => listAt(spec, 'tolerations').some(toleration => tolerates(toleration, taint)))
}

function tolerates(toleration: Json, taint: Json): boolean {
  const key = textAt(toleration, 'key') ?? ''
  const effect = textAt(toleration, 'effect') ?? ''
  if (effect !== '' && effect !== textAt(taint, 'effect')) return false
  const exists = textAt(toleration, 'operator') === 'Exists'
  if (key === '') return exists
  if (key !== textAt(taint, 'key')) return false
  return exists || (textAt(toleration, 'value') ?? '') === (textAt(taint, 'value') ?? '')
}

export function isNodeReady(node: Stored<'Node'>): boolean {
  return listAt(node, 'status', 'conditions').some(
    condition => at(condition, 'type') === 'Ready' && at(condition, 'status') === 'True',
  )
}

/** Counts the pods that an anti-affinity term (required or preferred) matches in the node's topology domain. */
export function antiAffinityHits(
  term: Json,
  namespace: string,
  node: Stored<'Node'>,
  nodes: ReadonlyMap<string, Stored<'Node'>>,
  pods: readonly Stored<'Pod'>[],
): number {
  const topology = textAt(term, 'topologyKey') ?? 'kubernetes.io/hostname'
  const namespaces = listAt(term, 'namespaces')
  const domain = node.metadata.labels?.[topology]
  if (domain === undefined) return 0
  return pods.filter(pod => {
    const host = nodes.get(textAt(pod, 'spec', 'nodeName') ?? '')
    const home = pod.metadata.namespace ?? ''
    return (
      host?.metadata.labels?.[topology] === domain &&
      (namespaces.length === 0 ? home === namespace : namespaces.includes(home)) &&
      selectorMatches(at(term, 'labelSelector'), pod.metadata.labels ?? {})
    )
  }).length
}
