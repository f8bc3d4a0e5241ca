import type { CordonHolder } from '../../../shared/domain/cordon-holders.ts'
import type { ControllerRef } from '../../../shared/domain/kubernetes.ts'
import type { ObjectWriter } from '../../../shared/domain/maintenance-api.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { flagIn, objectOrNullIn, objectsIn, textIn, textMapIn, textOrNullIn, timeOrNullIn } from './fields.ts'
import type { RawObject } from './raw.ts'

/** The parts of an object's metadata that rules use; managedFields (see {@link readWriters}) and the rest are left behind. */
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

/** An object of any kind. */
type Identified = Pick<KubernetesObject, 'metadata'>

/** Who wrote an object, of its managedFields the names and times alone (style G14); the latest first. */
export function readWriters({ metadata }: Identified): readonly ObjectWriter[] {
  return (
    objectsIn(metadata, 'managedFields')
      .flatMap(entry => {
        const at = timeOrNullIn(entry, 'time')
        const subresource = textOrNullIn(entry, 'subresource')
        return at === null ? [] : [{ manager: textIn(entry, 'manager'), at, subresource }]
      })
      // Times count whole seconds: of one second the entry that comes first was written first.
      .toReversed()
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  )
}

/** Who holds a field of an object, by its managedFields: who set it to what it is. The path is theirs, such as `f:spec`, `f:unschedulable`. */
export function readHolders({ metadata }: Identified, path: readonly string[]): readonly CordonHolder[] {
  return objectsIn(metadata, 'managedFields').flatMap(entry => {
    const field = path.reduce<RawObject | null>(
      (parent, name) => (parent === null ? null : objectOrNullIn(parent, name)),
      objectOrNullIn(entry, 'fieldsV1'),
    )
    return field === null ? [] : [{ manager: textIn(entry, 'manager'), at: timeOrNullIn(entry, 'time') }]
  })
}

/** Reads the metadata of any object. */
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
