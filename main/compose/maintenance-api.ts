import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { CephPort } from '../maintenance/ports.ts'

const none = async () => failed(failure('not-found', 'This cluster has no Ceph that can be asked.'))

/** Stands where Ceph's adapter will. */
export const noCeph: CephPort = { status: none, osds: none, okToStop: none, setHostNoout: none }
