import type { BoundVolume, NodeRequirement } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawList, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a PersistentVolume that a claim is bound to, with where it is reached; null for one without a claim. */
export function readVolume(object: RawObject): BoundVolume | null {
  const spec = rawObject(object.spec)
  const claim = rawObject(spec.claimRef)
  const name = rawText(claim.name)
  if (name === '') return null
  const required = rawObject(spec.nodeAffinity).required
  return {
    name: readMetadata(object).name,
    namespace: rawText(claim.namespace),
    claim: name,
    reach:
      required === undefined || required === null
        ? null
        : rawList(rawObject(required).nodeSelectorTerms)
            .map(rawObject)
            .map(term => [...rawList(term.matchExpressions), ...rawList(term.matchFields)].map(readRequirement)),
  }
}

function readRequirement(value: unknown): NodeRequirement {
  const requirement = rawObject(value)
  return {
    key: rawText(requirement.key),
    operator: rawText(requirement.operator),
    values: rawList(requirement.values).map(String),
  }
}
