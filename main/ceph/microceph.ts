import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { JujuPort, MicroCephPort } from '../maintenance/ports.ts'
import type { RunCeph } from './toolbox.ts'

/** MicroCeph's charm actions, on the unit of one node (docs/domain.md C.2). */
export function createMicroCeph(_juju: JujuPort): MicroCephPort {
  const none = async () => failed(failure('unreachable', 'MicroCeph cannot be asked yet.'))
  return { enterMaintenance: none, exitMaintenance: none }
}

/** `microceph.ceph` on any MicroCeph unit that answers, by `juju exec`. */
export function cephByJuju(_juju: JujuPort): RunCeph {
  return async () => failed(failure('unreachable', 'MicroCeph cannot be asked yet.'))
}
