import { failure } from '../../shared/domain/failure.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import type { CephPort } from '../maintenance/ports.ts'
import { readOkToStop } from './ok-to-stop.ts'
import { cephOsds, DumpAnswer, TreeAnswer } from './osds.ts'
import { commandFailure, readAnswer } from './read-answer.ts'
import { cephStatus, FlagsAnswer, StatusAnswer } from './status.ts'
import type { RunCeph } from './toolbox.ts'

/** Ceph as the procedures ask it; every call asks it afresh. */
export function createCephPort(run: RunCeph): CephPort {
  return {
    status: async signal => {
      const doing = 'tell its status'
      const [status, dump] = await Promise.all([run(['status'], signal), run(['osd', 'dump'], signal)])
      if (!status.ok) return status
      if (!dump.ok) return dump
      const read = readAnswer(StatusAnswer, status.value, doing)
      if (!read.ok) return read
      const flags = readAnswer(FlagsAnswer, dump.value, doing)
      return flags.ok ? ok(cephStatus(read.value, flags.value)) : flags
    },
    osds: async signal => {
      const doing = 'list its OSDs'
      const [tree, dump] = await Promise.all([run(['osd', 'tree'], signal), run(['osd', 'dump'], signal)])
      if (!tree.ok) return tree
      if (!dump.ok) return dump
      const buckets = readAnswer(TreeAnswer, tree.value, doing)
      if (!buckets.ok) return buckets
      const osds = readAnswer(DumpAnswer, dump.value, doing)
      return osds.ok ? ok(cephOsds(buckets.value, osds.value)) : osds
    },
    okToStop: async (ids, signal) => {
      if (ids.length === 0) return ok({ ok: true, osds: [], pgsAtRisk: 0, message: 'no OSDs' })
      const answer = await run(['osd', 'ok-to-stop', ...ids.map(String)], signal)
      return answer.ok ? readOkToStop(answer.value, ids) : answer
    },
    setNoout: async () => failed(failure('internal', 'noout cannot be set yet.')),
    services: async () => failed(failure('internal', 'The services of Ceph cannot be asked yet.')),
    setHostNoout: async (host, noout, signal) => {
      const answer = await run(['osd', noout ? 'set-group' : 'unset-group', 'noout', host], signal)
      if (!answer.ok) return answer
      if (answer.value.exitCode === 0) return ok(undefined)
      return failed(commandFailure(answer.value, `${noout ? 'set' : 'remove'} noout for the OSDs of host ${host}`))
    },
  }
}
