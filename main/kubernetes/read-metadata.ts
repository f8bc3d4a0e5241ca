import type { ControllerRef } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawList, rawObject, rawStringMap, rawText, rawTextOrNull } from './raw.ts'

/** The parts of an object's metadata that rules use; managedFields and the rest are left behind. */
export interface Metadata {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly deletionAt: string | null
  /** The ownerReference with `controller: true`, of any kind (docs/drain.md 5.2: GetControllerOf). */
  readonly controller: ControllerRef | null
}

/** Reads the metadata of any object. */
export function readMetadata(object: RawObject): Metadata {
  const metadata = rawObject(object.metadata)
  const owner = rawList(metadata.ownerReferences)
    .map(rawObject)
    .find(reference => reference.controller === true)
  return {
    namespace: rawText(metadata.namespace),
    name: rawText(metadata.name),
    uid: rawText(metadata.uid),
    resourceVersion: rawText(metadata.resourceVersion),
    labels: rawStringMap(metadata.labels),
    annotations: rawStringMap(metadata.annotations),
    createdAt: rawText(metadata.creationTimestamp),
    deletionAt: rawTextOrNull(metadata.deletionTimestamp),
    controller:
      owner === undefined
        ? null
        : {
            apiVersion: rawText(owner.apiVersion),
            kind: rawText(owner.kind),
            name: rawText(owner.name),
            uid: rawText(owner.uid),
          },
  }
}
