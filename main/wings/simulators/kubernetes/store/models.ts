import type {
  CoreV1Event,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1Lease,
  V1Namespace,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
} from '@kubernetes/client-node'
import type { NameOf, OfModel, Part } from '../../../../adapters/kubernetes/model-fields.ts'
import type { Json } from './json.ts'
import type { StoredObject } from './kubernetes-object.ts'

/** The models of the built-in kinds; the compiler checks every field that the simulator reads or writes. */
export interface Models {
  readonly ConfigMap: V1ConfigMap
  readonly Event: CoreV1Event
  readonly Namespace: V1Namespace
  readonly Node: V1Node
  readonly PersistentVolume: V1PersistentVolume
  readonly PersistentVolumeClaim: V1PersistentVolumeClaim
  readonly Pod: V1Pod
  readonly Secret: V1Secret
  readonly Service: V1Service
  readonly ServiceAccount: V1ServiceAccount
  readonly DaemonSet: V1DaemonSet
  readonly Deployment: V1Deployment
  readonly ReplicaSet: V1ReplicaSet
  readonly StatefulSet: V1StatefulSet
  readonly Job: V1Job
  readonly PodDisruptionBudget: V1PodDisruptionBudget
  readonly Lease: V1Lease
  readonly CustomResourceDefinition: V1CustomResourceDefinition
}

/** The model of a kind; a custom kind has no model. */
type ModelOf<K> = K extends keyof Models ? Models[K] : unknown

/** A stored object of a kind. */
export type Stored<K extends string> = StoredObject & OfModel<ModelOf<K>>

/** The fields of a part of a kind, such as its status. */
export type PartOf<K, N extends string> = FieldsOf<Part<ModelOf<K>, N>>

type FieldsOf<M> = { readonly [N in NameOf<M>]?: Json | undefined }
