import type { BoundVolume, NodeRequirement } from '../../../shared/domain/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { Misfit, neededText, objectOrNullIn, objectsIn, textIn, textsIn } from './fields.ts'
import type { RawObject } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a PersistentVolume that a claim is bound to, with where it is reached; null for one without a claim. */
export function readVolume(object: KubernetesObject): BoundVolume | null {
  const spec = objectOrNullIn(object, 'spec')
  if (spec === null) throw new Misfit(`volume ${object.metadata.name} has no spec`)
  const claim = objectOrNullIn(spec, 'claimRef')
  if (claim === null) return null
  const affinity = objectOrNullIn(spec, 'nodeAffinity')
  const required = affinity === null ? null : objectOrNullIn(affinity, 'required')
  return {
    name: readMetadata(object).name,
    namespace: textIn(claim, 'namespace'),
    claim: neededText(claim, 'name'),
    reach:
      required === null
        ? null
        : objectsIn(required, 'nodeSelectorTerms').map(term =>
            [...objectsIn(term, 'matchExpressions'), ...objectsIn(term, 'matchFields')].map(readRequirement),
          ),
  }
}

function readRequirement(requirement: RawObject): NodeRequirement {
  return {
    key: textIn(requirement, 'key'),
    operator: textIn(requirement, 'operator'),
    values: textsIn(requirement, 'values'),
  }
}
