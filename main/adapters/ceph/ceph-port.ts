import type { z } from 'zod'
import type { NooutReach } from '../../../shared/domain/ceph.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { CephPort } from '../../ports/ceph.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'
import { readOkToStop } from './ok-to-stop.ts'
import { cephOsds, DumpAnswer, isSameMap, TreeAnswer } from './osds.ts'
import { commandFailure, readAnswer, unreadable } from './read-answer.ts'
import { cephServices, FsAnswer, MgrAnswer, NodesAnswer, NodesOfOsds, QuorumAnswer } from './services.ts'
import { cephStatus, FlagsAnswer, StatusAnswer } from './status.ts'
import type { RunCeph } from './toolbox.ts'

/**
 * Ceph as the procedures ask it; every call asks it afresh. Its map of OSDs has an epoch that only grows: an answer by an older map than was heard
 * before it was asked for tells of the past.
 */
export function createCephPort(run: RunCeph): CephPort {
  let newestEpoch = 0

  /** Null: it is of now, or of later than anything that was heard. */
  function ofThePast(epoch: number, heardBefore: number, doing: string, output: CommandOutput): Failure | null {
    newestEpoch = Math.max(newestEpoch, epoch)
    return epoch >= heardBefore
      ? null
      : unreadable(
          output,
          doing,
          `map ${epoch} of the OSDs is of the past: ${heardBefore} was heard before it was asked for`,
        )
  }

  return {
    status: async signal => {
      const doing = 'tell its status'
      const heardBefore = newestEpoch
      const [status, dump] = await Promise.all([run(['status'], signal), run(['osd', 'dump'], signal)])
      if (!status.ok) return status
      if (!dump.ok) return dump
      const read = readAnswer(StatusAnswer, status.value, doing)
      if (!read.ok) return read
      const flags = readAnswer(FlagsAnswer, dump.value, doing)
      if (!flags.ok) return flags
      const past =
        ofThePast(read.value.osdmap.epoch, heardBefore, doing, status.value) ??
        ofThePast(flags.value.epoch, heardBefore, doing, dump.value)
      return past === null ? ok(cephStatus(read.value, flags.value.flags)) : failed(past)
    },
    osds: async signal => {
      const doing = 'list its OSDs'
      const heardBefore = newestEpoch
      const [tree, dump] = await Promise.all([run(['osd', 'tree'], signal), run(['osd', 'dump'], signal)])
      if (!tree.ok) return tree
      if (!dump.ok) return dump
      const buckets = readAnswer(TreeAnswer, tree.value, doing)
      if (!buckets.ok) return buckets
      const osds = readAnswer(DumpAnswer, dump.value, doing)
      if (!osds.ok) return osds
      const past = ofThePast(osds.value.epoch, heardBefore, doing, dump.value)
      if (past !== null) return failed(past)
      if (!isSameMap(buckets.value, osds.value)) {
        return failed(unreadable(tree.value, doing, 'the tree and the map tell of different OSDs'))
      }
      return ok(cephOsds(buckets.value, osds.value))
    },
    osdsReported: async signal => {
      const nodes = await ask(run, ['node', 'ls'], NodesOfOsds, 'list its OSDs by host', signal)
      if (!nodes.ok) return nodes
      return ok(
        Object.entries(nodes.value.osd).flatMap(([host, ids]) =>
          ids.map(id => ({ id, host: host === '' ? null : host })),
        ),
      )
    },
    okToStop: async (ids, signal) => {
      if (ids.length === 0) return ok({ ok: true, osds: [], pgsAtRisk: 0, message: 'no OSDs' })
      const answer = await run(['osd', 'ok-to-stop', ...ids.map(String)], signal)
      return answer.ok ? readOkToStop(answer.value, ids) : answer
    },
    setNoout: (reach, noout, signal) => changeNoout(run, reach, noout, signal),
    services: async signal => {
      const doing = 'list its services'
      const [quorum, mgr, fs, nodes] = await Promise.all([
        ask(run, ['quorum_status'], QuorumAnswer, doing, signal),
        ask(run, ['mgr', 'dump'], MgrAnswer, doing, signal),
        ask(run, ['fs', 'dump'], FsAnswer, doing, signal),
        ask(run, ['node', 'ls'], NodesAnswer, doing, signal),
      ])
      if (!quorum.ok) return quorum
      if (!mgr.ok) return mgr
      if (!fs.ok) return fs
      if (!nodes.ok) return nodes
      return ok(cephServices({ quorum: quorum.value, mgr: mgr.value, fs: fs.value, nodes: nodes.value }))
    },
  }
}

async function ask<T>(
  run: RunCeph,
  words: readonly string[],
  schema: z.ZodType<T>,
  doing: string,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const answer = await run(words, signal)
  return answer.ok ? readAnswer(schema, answer.value, doing) : answer
}

/** What a release says that has no such command: Ceph before Nautilus knows no `set-group`. */
const NO_SUCH_COMMAND = /no valid command found|invalid command/

async function changeNoout(
  run: RunCeph,
  reach: NooutReach,
  noout: boolean,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const verb = noout ? 'set' : 'unset'
  const words = reach.kind === 'host' ? ['osd', `${verb}-group`, 'noout', reach.host] : ['osd', verb, 'noout']
  const answer = await run(words, signal)
  if (!answer.ok) return answer
  const doing = `${noout ? 'set' : 'remove'} noout for ${reach.kind === 'host' ? `the OSDs of host ${reach.host}` : 'all of Ceph'}`
  // Ceph says that it did on stderr; whatever else prints to stdout is not Ceph.
  if (answer.value.exitCode === 0) {
    return answer.value.stdout.trim() === '' ? ok(undefined) : failed(unreadable(answer.value, doing, 'text on stdout'))
  }
  const of = reach.kind === 'host' ? `the OSDs of host ${reach.host}` : 'all of Ceph'
  if (reach.kind === 'host' && NO_SUCH_COMMAND.test(answer.value.stderr)) {
    return failed(
      failure('bad-input', `This release of Ceph has no flags by host, so noout cannot be ${verb} for ${of}.`, {
        detail: answer.value.stderr,
      }),
    )
  }
  return failed(commandFailure(answer.value, doing))
}
