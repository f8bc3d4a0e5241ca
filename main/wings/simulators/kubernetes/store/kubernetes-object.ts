import type { JsonObject } from './json.ts'

/** Metadata as a client writes it. */
export interface ObjectMeta extends JsonObject {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string | null
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

/** The owner of an object; the object is deleted with its owner. */
interface OwnerReference extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** Any Kubernetes object, with any fields. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** An object in the store, with name, UID and version. */
export interface StoredObject extends KubernetesObject {
  readonly metadata: ObjectMeta & {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
  }
}

/** Returns the owner that controls an object (`controller: true`). */
export function controllerOf(object: KubernetesObject): OwnerReference | null {
  return object.metadata.ownerReferences?.find(owner => owner.controller === true) ?? null
}

/** Returns the reference that a controller puts on its objects. */
export function ownedBy(owner: StoredObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

/** Whether a client requested the object's deletion. */
export function isTerminating(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}
