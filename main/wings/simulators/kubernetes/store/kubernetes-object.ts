import type { JsonObject } from './json.ts'

/** The metadata of an object as a person or a client writes it. */
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

/** Who an object belongs to; it goes when the owner goes. */
interface OwnerReference extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** Any Kubernetes object, as loose as the API's JSON. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** An object that the simulator holds: named, identified and versioned. */
export interface StoredObject extends KubernetesObject {
  readonly metadata: ObjectMeta & {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
  }
}

/** The owner that controls an object: the ownerReference with `controller: true`. */
export function controllerOf(object: KubernetesObject): OwnerReference | null {
  return object.metadata.ownerReferences?.find(owner => owner.controller === true) ?? null
}

/** The reference by which a controller marks an object as its own. */
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

/** Whether deletion of the object was asked for. */
export function isTerminating(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}
