import type { CordonHolder } from '../../../shared/domain/cordon-holders.ts'
import type { ControllerRef } from '../../../shared/domain/kubernetes.ts'
import type { ObjectWriter } from '../../../shared/domain/maintenance-api.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { flagIn, objectOrNullIn, objectsIn, textIn, textMapIn, textOrNullIn, timeOrNullIn } from './fields.ts'
import type { RawObject } from './raw.ts'

interface Metadata {
  readonly namespace: string
  readonly name: string
  readonly uid: Uid
  readonly resourceVersion: ResourceVersion
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly deletionAt: string | null
  /** The ownerReference with `controller: true`, of any kind (docs/drain.md 5.2: GetControllerOf). */
  readonly controller: ControllerRef | null
}

type Identified = Pick<KubernetesObject, 'metadata'>

/** The writers of an object, latest first: only names and times of its managedFields (style G14). */
export function readWriters({ metadata }: Identified): readonly ObjectWriter[] {
  return (
    objectsIn(metadata, 'managedFields')
      .flatMap(entry => {
        const at = timeOrNullIn(entry, 'time')
        const subresource = textOrNullIn(entry, 'subresource')
        return at === null ? [] : [{ manager: textIn(entry, 'manager'), at, subresource }]
      })
      // Times have whole seconds: within one second, earlier entries were written first.
      .toReversed()
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  )
}

/** The writers that set a field of an object to its current value, by managedFields. The path is in their form, such as `f:spec`, `f:unschedulable`. */
export function readHolders({ metadata }: Identified, path: readonly string[]): readonly CordonHolder[] {
  return objectsIn(metadata, 'managedFields').flatMap(entry => {
    const field = path.reduce<RawObject | null>(
      (parent, name) => (parent === null ? null : objectOrNullIn(parent, name)),
      objectOrNullIn(entry, 'fieldsV1'),
    )
    return field === null ? [] : [{ manager: textIn(entry, 'manager'), at: timeOrNullIn(entry, 'time') }]
  })
}

export function readMetadata({ metadata }: Identified): Metadata {
  const owner = objectsIn(metadata, 'ownerReferences').find(reference => flagIn(reference, 'controller'))
  return {
    namespace: textIn(metadata, 'namespace'),
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    labels: textMapIn(metadata, 'labels'),
    annotations: textMapIn(metadata, 'annotations'),
    createdAt: textOrNullIn(metadata, 'creationTimestamp') ?? '',
    deletionAt: timeOrNullIn(metadata, 'deletionTimestamp'),
    controller:
      owner === undefined
        ? null
        : {
            apiVersion: textIn(owner, 'apiVersion'),
            kind: textIn(owner, 'kind'),
            name: textIn(owner, 'name'),
            uid: textIn(owner, 'uid'),
          },
  }
}
