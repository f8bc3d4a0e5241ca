import type { LocalDisk, RescueReason } from '../domain/rescue.ts'

/** The reason for the treatment of an instance in a rescue: follows its name. The reason of one that is left has a full stop. */
export function rescueWords(because: RescueReason): string {
  switch (because.code) {
    case 'DisksAreVolumes':
      return 'its disks are volumes'
    case 'DiskIsShared':
      return `other nodes reach its disk: ${because.shared}`
    case 'DiskLossAccepted':
      return `${DISKS[because.disk]} is lost: it is rebuilt from its image`
    case 'StateNotTold':
      return 'Nova cannot report its state because its cell does not answer.'
    case 'RebuildMayGoOn':
      return `its task is ${because.task}: a rebuild of it may still be running, and Nova would build it twice on the same volumes. Wait for its end (\`openstack server migration list --server ${because.id}\`).`
    case 'TaskMayNotEnd':
      return `its task is ${because.task}, which may never end, and older versions of Nova refuse the evacuation with 409. End the task with \`openstack server set --state error ${because.id}\`, then try again.`
    case 'StatusNotEvacuated':
      return `it is ${because.status}, and Nova evacuates only instances that are ACTIVE, SHUTOFF or in ERROR.`
    case 'HasVtpm':
      return 'it has a vTPM, and Nova does not evacuate such an instance.'
    case 'DiskWouldBeLost':
      return `${DISKS[because.disk]} would be lost: Nova rebuilds it from its image. Say that other nodes reach it (\`--shared-disks\`), or accept the loss (\`--allow-data-loss\`).`
  }
}

const DISKS: Readonly<Record<LocalDisk, string>> = {
  root: 'its root disk',
  ephemeral: 'its ephemeral disk',
  swap: 'its swap disk',
  unknown: 'any disk that its unknown flavor gives it beside its volumes',
}
