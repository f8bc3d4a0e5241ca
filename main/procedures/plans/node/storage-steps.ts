import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { cephCanSpare } from '../../steps/storage/ceph-can-spare.ts'
import { cephClean } from '../../steps/storage/ceph-clean.ts'
import { cephHealthy } from '../../steps/storage/ceph-healthy.ts'
import { cephServicesEnough } from '../../steps/storage/ceph-services-enough.ts'
import { noOsdsToReturn } from '../../steps/storage/no-osds-to-return.ts'
import { osdsOkToStop } from '../../steps/storage/osds-ok-to-stop.ts'
import { setNoout } from '../../steps/storage/set-noout.ts'
import { startOsds } from '../../steps/storage/start-osds.ts'
import { stopOsds } from '../../steps/storage/stop-osds.ts'
import { storageUnchecked } from '../../steps/storage/storage-unchecked.ts'
import { unsetNoout } from '../../steps/storage/unset-noout.ts'
import type { PlanRequest } from './plan-request.ts'

/** Takes a storage node out of service (seed 004): checks, noout, and its OSDs where the operator wants them stopped. */
export function storageEnter({ cluster, name, options }: PlanRequest): readonly PlannedStep[] {
  const input = { node: name }
  // The cluster settings name no way to Ceph: the operator confirms that they checked.
  if (cephAccessOf(cluster) === 'none') return [planStep(storageUnchecked, input)]
  const checks = [osdsOkToStop, cephServicesEnough, cephHealthy].map(step => planStep(step, input))
  const noout = options.crushRebalancing ? [] : [planStep(setNoout, input)]
  const stopped = options.stopOsds ? [planStep(stopOsds, input, { needs: noout.map(({ id }) => id) })] : []
  return [...checks, ...noout, ...stopped]
}

/** A node without OSDs may run a monitor of Rook. */
export function cephSpares({ cluster, name }: PlanRequest): readonly PlannedStep[] {
  return cephAccessOf(cluster) === 'toolbox' ? [planStep(cephCanSpare, { node: name })] : []
}

/** A node that returns without storage steps may still have OSDs. If Ceph does not answer, the node still returns. */
export function nothingStored({ cluster, name }: PlanRequest): readonly PlannedStep[] {
  return cephAccessOf(cluster) === 'toolbox' ? [planStep(noOsdsToReturn, { node: name })] : []
}

/** Brings a storage node back (seed 004; docs/domain.md C.1): OSDs start, noout goes, and Ceph becomes clean. */
export function storageLeave({ cluster, name, isOutside }: PlanRequest): readonly PlannedStep[] {
  const input = { node: name }
  if (cephAccessOf(cluster) === 'none') return []
  return [
    planStep(startOsds, input, { needs: isOutside === true ? [] : [uncordonNode.kind] }),
    planStep(unsetNoout, input, { needs: [startOsds.kind] }),
    planStep(cephClean, input, { needs: [unsetNoout.kind] }),
  ]
}
