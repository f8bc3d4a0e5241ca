import type { LocalDisk, RescueReason } from '../domain/rescue.ts'

/** Why a rescue does with an instance what it does: after its name. One that is left has a full stop. */
export function rescueWords(because: RescueReason): string {
  switch (because.code) {
    case 'DisksAreVolumes':
      return 'its disks are volumes'
    case 'DiskIsShared':
      return `other hosts reach its disk: ${because.shared}`
    case 'DiskLossAccepted':
      return `${DISKS[because.disk]} is lost: it is rebuilt from its image`
    case 'StateNotTold':
      return 'Nova cannot tell how it is: its cell does not answer.'
    case 'RebuildMayGoOn':
      return `its task is ${because.task}: a rebuild of it may go on, and Nova would build it twice on the same volumes. Wait for its end (\`openstack server migration list --server ${because.id}\`).`
    case 'TaskMayNotEnd':
      return `its task is ${because.task}, which may never end now, and older Novas refuse it with 409: \`openstack server set --state error ${because.id}\` ends it, then retry.`
    case 'StatusNotEvacuated':
      return `it is ${because.status}, and Nova evacuates only what is ACTIVE, SHUTOFF or in ERROR.`
    case 'HasVtpm':
      return 'it has a vTPM, and Nova evacuates no such instance.'
    case 'DiskWouldBeLost':
      return `${DISKS[because.disk]} would be lost: Nova rebuilds it from its image. Say that other hosts reach it (\`--shared-disks\`), or accept the loss (\`--allow-data-loss\`).`
  }
}

const DISKS: Readonly<Record<LocalDisk, string>> = {
  root: 'its root disk',
  ephemeral: 'its ephemeral disk',
  swap: 'its swap disk',
  unknown: 'what its flavor, which is not known, gives it beside its volumes',
}
