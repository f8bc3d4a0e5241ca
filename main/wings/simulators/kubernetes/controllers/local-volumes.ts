import type { SimulatedCluster } from '../simulated-cluster.ts'
import { at, listAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'

/** The storage class whose volumes are disks of one node, under Canonical Kubernetes' name. */
export const LOCAL_STORAGE = 'csi-rawfile-default'

const HOSTNAME = 'kubernetes.io/hostname'

/** Creates the missing volumes of a pod's local claims on its new node (WaitForFirstConsumer). */
export function provisionVolumes(cluster: SimulatedCluster, pod: Stored<'Pod'>, node: Stored<'Node'>): void {
  for (const claim of localClaims(cluster, pod)) {
    const name = volumeOf(claim)
    if (cluster.store.get('persistentvolumes', null, name) !== null) continue
    const { metadata } = claim
    cluster.store.put('persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, uid: `volume-${metadata.uid}`, creationTimestamp: metadata.creationTimestamp },
      spec: {
        accessModes: at(claim, 'spec', 'accessModes') ?? ['ReadWriteOnce'],
        capacity: { storage: at(claim, 'spec', 'resources', 'requests', 'storage') ?? '1Gi' },
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: metadata.namespace ?? 'default',
          name: metadata.name,
          uid: metadata.uid,
        },
        storageClassName: LOCAL_STORAGE,
        volumeMode: 'Filesystem',
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [hostnameOf(node)] }] }],
          },
        },
      },
      status: { phase: 'Bound' },
    })
  }
}

/** Whether all existing local volumes of the pod are disks of this node. */
export function reachesVolumes(cluster: SimulatedCluster, pod: Stored<'Pod'>, node: Stored<'Node'>): boolean {
  return localClaims(cluster, pod).every(claim => {
    const volume = cluster.store.get('persistentvolumes', null, volumeOf(claim))
    if (volume === null) return true
    const terms = listAt(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')
    return terms.some(term =>
      listAt(term, 'matchExpressions').some(each => listAt(each, 'values').includes(hostnameOf(node))),
    )
  })
}

function localClaims(cluster: SimulatedCluster, pod: Stored<'Pod'>): readonly Stored<'PersistentVolumeClaim'>[] {
  return listAt(pod, 'spec', 'volumes').flatMap(volume => {
    const name = textAt(recordAt(volume, 'persistentVolumeClaim'), 'claimName')
    const claim =
      name === undefined ? null : cluster.store.get('persistentvolumeclaims', pod.metadata.namespace ?? null, name)
    return claim !== null && textAt(claim, 'spec', 'storageClassName') === LOCAL_STORAGE ? [claim] : []
  })
}

function volumeOf(claim: Stored<'PersistentVolumeClaim'>): string {
  return textAt(claim, 'spec', 'volumeName') ?? `pvc-${claim.metadata.name}`
}

function hostnameOf(node: Stored<'Node'>): string {
  return node.metadata.labels?.[HOSTNAME] ?? node.metadata.name
}
