import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { OsdDaemonsPort } from '../maintenance/ports.ts'
import type { KubernetesSession } from './session.ts'

/** Rook's OSD Deployments (label `ceph-osd-id`) in a namespace, scaled to 0 and back to 1. */
export function createOsdDaemons(_options: {
  readonly session: KubernetesSession
  readonly namespace: string
}): OsdDaemonsPort {
  const none = async () => failed(failure('unreachable', 'OSD daemons cannot be asked yet.'))
  return { running: none, setRunning: none }
}
