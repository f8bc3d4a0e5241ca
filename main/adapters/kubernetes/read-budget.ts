import type { DisruptionBudget, LabelSelector } from '../../../shared/domain/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import {
  Misfit,
  numberIn,
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textMapIn,
  textOrNullIn,
  textsIn,
} from './fields.ts'
import type { RawObject } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a PodDisruptionBudget; objects in a list do not repeat their apiVersion, so the list's is given. */
export function readBudget(object: KubernetesObject, apiVersion: string): DisruptionBudget {
  const { namespace, name, uid } = readMetadata(object)
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  return {
    apiVersion: textIn(object, 'apiVersion') || apiVersion,
    namespace,
    name,
    uid,
    selector: readSelector(objectOrNullIn(spec, 'selector')),
    minAvailable: numberOrPercent(spec.minAvailable),
    maxUnavailable: numberOrPercent(spec.maxUnavailable),
    unhealthyPodEvictionPolicy: textOrNullIn(spec, 'unhealthyPodEvictionPolicy'),
    generation: numberIn(object.metadata, 'generation'),
    observedGeneration: numberIn(status, 'observedGeneration'),
    disruptionsAllowed: numberIn(status, 'disruptionsAllowed'),
    currentHealthy: numberIn(status, 'currentHealthy'),
    desiredHealthy: numberIn(status, 'desiredHealthy'),
    expectedPods: numberIn(status, 'expectedPods'),
  }
}

function readSelector(selector: RawObject | null): LabelSelector | null {
  if (selector === null) return null
  return {
    ...(selector.matchLabels === undefined ? {} : { matchLabels: textMapIn(selector, 'matchLabels') }),
    ...(selector.matchExpressions === undefined
      ? {}
      : {
          matchExpressions: objectsIn(selector, 'matchExpressions').map(expression => ({
            key: textIn(expression, 'key'),
            operator: textIn(expression, 'operator'),
            values: textsIn(expression, 'values'),
          })),
        }),
  }
}

function numberOrPercent(value: unknown): string | number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Misfit('the number of pods of a budget is neither a number nor a percentage')
}
