import type { DisruptionBudget, LabelSelector } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawList, rawNumber, rawObject, rawStringMap, rawText, rawTextOrNull } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a PodDisruptionBudget; objects in a list do not repeat their apiVersion, so the list's is given. */
export function readBudget(object: RawObject, apiVersion: string): DisruptionBudget {
  const { namespace, name, uid } = readMetadata(object)
  const spec = rawObject(object.spec)
  const status = rawObject(object.status)
  return {
    apiVersion: rawText(object.apiVersion) || apiVersion,
    namespace,
    name,
    uid,
    selector: readSelector(spec.selector),
    minAvailable: numberOrPercent(spec.minAvailable),
    maxUnavailable: numberOrPercent(spec.maxUnavailable),
    unhealthyPodEvictionPolicy: rawTextOrNull(spec.unhealthyPodEvictionPolicy),
    generation: rawNumber(rawObject(object.metadata).generation),
    observedGeneration: rawNumber(status.observedGeneration),
    disruptionsAllowed: rawNumber(status.disruptionsAllowed),
    currentHealthy: rawNumber(status.currentHealthy),
    desiredHealthy: rawNumber(status.desiredHealthy),
    expectedPods: rawNumber(status.expectedPods),
  }
}

function readSelector(value: unknown): LabelSelector | null {
  if (value === undefined || value === null) return null
  const selector = rawObject(value)
  return {
    ...(selector.matchLabels === undefined ? {} : { matchLabels: rawStringMap(selector.matchLabels) }),
    ...(selector.matchExpressions === undefined
      ? {}
      : {
          matchExpressions: rawList(selector.matchExpressions)
            .map(rawObject)
            .map(expression => ({
              key: rawText(expression.key),
              operator: rawText(expression.operator),
              values: rawList(expression.values).map(String),
            })),
        }),
  }
}

function numberOrPercent(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
