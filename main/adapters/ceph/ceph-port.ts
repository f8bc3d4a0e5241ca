import { z } from 'zod'
import type { CephOkToStop, CephStatus, NooutReach } from '../../../shared/domain/ceph.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { serverJsonOf } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { redactText } from '../../platform/log/redact.ts'
import type { CephPort } from '../../ports/ceph.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'
import {
  cephOsds,
  cephServices,
  DumpAnswer,
  FsAnswer,
  isSameMap,
  MgrAnswer,
  NodesAnswer,
  NodesOfOsds,
  QuorumAnswer,
  TreeAnswer,
} from './daemons.ts'
import type { RunCeph } from './toolbox.ts'

/** Every call asks Ceph again. The epoch of the OSD map only grows, so an answer with a smaller one than before is outdated. */
export function createCephPort(run: RunCeph): CephPort {
  let newestEpoch = 0

  /** Null: the answer is as new as, or newer than, every earlier answer. */
  function outdatedMap(epoch: number, receivedBefore: number, doing: Finding, output: CommandOutput): Failure | null {
    newestEpoch = Math.max(newestEpoch, epoch)
    return epoch >= receivedBefore
      ? null
      : unreadable(output, doing, because('CephMapOfThePast', { epoch, newest: receivedBefore }))
  }

  return {
    status: async signal => {
      const doing = call('TellCephStatus')
      const receivedBefore = newestEpoch
      const [status, dump] = await Promise.all([run(['status'], signal), run(['osd', 'dump'], signal)])
      if (!status.ok) return status
      if (!dump.ok) return dump
      const read = readAnswer(StatusAnswer, status.value, doing)
      if (!read.ok) return read
      const flags = readAnswer(FlagsAnswer, dump.value, doing)
      if (!flags.ok) return flags
      const past =
        outdatedMap(read.value.osdmap.epoch, receivedBefore, doing, status.value) ??
        outdatedMap(flags.value.epoch, receivedBefore, doing, dump.value)
      return past === null ? ok(cephStatus(read.value, flags.value.flags)) : failed(past)
    },
    osds: async signal => {
      const doing = call('ListOsds')
      const receivedBefore = newestEpoch
      const [tree, dump] = await Promise.all([run(['osd', 'tree'], signal), run(['osd', 'dump'], signal)])
      if (!tree.ok) return tree
      if (!dump.ok) return dump
      const buckets = readAnswer(TreeAnswer, tree.value, doing)
      if (!buckets.ok) return buckets
      const osds = readAnswer(DumpAnswer, dump.value, doing)
      if (!osds.ok) return osds
      const past = outdatedMap(osds.value.epoch, receivedBefore, doing, dump.value)
      if (past !== null) return failed(past)
      if (!isSameMap(buckets.value, osds.value)) {
        return failed(unreadable(tree.value, doing, because('CephMapsDiffer')))
      }
      return ok(cephOsds(buckets.value, osds.value))
    },
    osdsReported: async signal => {
      const nodes = await askCeph(run, ['node', 'ls'], NodesOfOsds, call('ListOsdsByHost'), signal)
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
      const doing = call('ListCephServices')
      const [quorum, mgr, fs, nodes] = await Promise.all([
        askCeph(run, ['quorum_status'], QuorumAnswer, doing, signal),
        askCeph(run, ['mgr', 'dump'], MgrAnswer, doing, signal),
        askCeph(run, ['fs', 'dump'], FsAnswer, doing, signal),
        askCeph(run, ['node', 'ls'], NodesAnswer, doing, signal),
      ])
      if (!quorum.ok) return quorum
      if (!mgr.ok) return mgr
      if (!fs.ok) return fs
      if (!nodes.ok) return nodes
      return ok(cephServices({ quorum: quorum.value, mgr: mgr.value, fs: fs.value, nodes: nodes.value }))
    },
  }
}

async function askCeph<T>(
  run: RunCeph,
  words: readonly string[],
  schema: z.ZodType<T>,
  doing: Finding,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const answer = await run(words, signal)
  return answer.ok ? readAnswer(schema, answer.value, doing) : answer
}

/** Ceph before Nautilus has no `set-group` and answers with this text. */
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
  const host = reach.kind === 'host' ? reach.host : null
  const doing = call(noout ? 'SetNoout' : 'RemoveNoout', { host })
  // Ceph reports success on stderr; anything on stdout comes from another program.
  if (answer.value.exitCode === 0) {
    return answer.value.stdout.trim() === ''
      ? ok(undefined)
      : failed(unreadable(answer.value, doing, because('CephAnswerHasText')))
  }
  if (host !== null && NO_SUCH_COMMAND.test(answer.value.stderr)) {
    const detail = answer.value.stderr
    return failed(refusal('bad-input', because('NoNooutByHost', { set: noout, host }), { detail }))
  }
  return failed(commandFailure(answer.value, doing))
}

/** Since 14.2.22. The output contains unsafe answers too, next to exit code EBUSY (docs/domain.md C.3). */
const Stats = z.object({
  ok_to_stop: z.boolean(),
  osds: z.array(z.number()),
  num_not_ok_pgs: z.number(),
  unknown_pgs: z.array(z.string()).default([]),
})

const EBUSY = 16

function readOkToStop(output: CommandOutput, asked: readonly number[]): Result<CephOkToStop> {
  const doing = call('AskOkToStop', { osds: asked })
  const stats = Stats.safeParse(serverJsonOf(output.stdout))
  if (stats.success && (output.exitCode === 0 || output.exitCode === EBUSY)) {
    const { ok_to_stop, osds, num_not_ok_pgs, unknown_pgs } = stats.data
    if (!isSameSet(osds, asked)) return failed(unreadable(output, doing, because('CephAnswerOfOtherOsds')))
    const atRisk = Math.max(num_not_ok_pgs, unknown_pgs.length)
    const said = wordsOf(output)
    return ok({
      // Both must agree: EBUSY beside "ok" means a release that Lockkeeper does not know.
      ok: ok_to_stop && output.exitCode === 0,
      osds,
      pgsAtRisk: atRisk,
      message: said !== '' ? said : ok_to_stop ? 'ok to stop' : because('PgsAtRisk', { pgs: atRisk }).message,
    })
  }
  if (output.exitCode === EBUSY) return ok({ ok: false, osds: asked, pgsAtRisk: null, message: wordsOf(output) })
  const text = `${output.stdout}\n${output.stderr}`
  const reported = /OSD\(s\) ([\d, ]+) are ok to stop without reducing/.exec(text)?.[1]
  if (output.exitCode === 0 && reported !== undefined && isSameSet(reported.split(',').map(Number), asked)) {
    return ok({ ok: true, osds: asked, pgsAtRisk: 0, message: 'ok to stop' })
  }
  return failed(
    output.exitCode === 0
      ? unreadable(output, doing, because('CephNeitherJsonNorText'))
      : commandFailure(output, doing),
  )
}

function isSameSet(reported: readonly number[], asked: readonly number[]): boolean {
  const all = new Set(asked)
  return new Set(reported).size === all.size && reported.every(id => all.has(id))
}

const OsdCounts = z.object({
  epoch: z.number().int().min(1),
  num_osds: z.number(),
  num_up_osds: z.number(),
  num_in_osds: z.number(),
})

const StatusAnswer = z.object({
  health: z.object({
    status: z.string(),
    checks: z
      .record(z.string(), z.object({ summary: z.object({ message: z.string() }), muted: z.boolean().default(false) }))
      .nullable()
      .transform(checks => checks ?? {}),
  }),
  quorum_names: z.array(z.string()),
  /** A count since Octopus; before, the monitors themselves. */
  monmap: z
    .object({ num_mons: z.number().optional(), mons: z.array(z.unknown()).optional() })
    .transform(({ num_mons, mons }) => num_mons ?? mons?.length)
    .pipe(z.number().int().min(1)),
  osdmap: z.union([OsdCounts, z.object({ osdmap: OsdCounts }).transform(outer => outer.osdmap)]),
  pgmap: z.object({
    num_pgs: z.number().int().min(0),
    pgs_by_state: z.array(z.object({ state_name: z.string().min(1), count: z.number().int().min(0) })),
  }),
})

const FlagsAnswer = z
  .object({ epoch: z.number().int().min(1), flags: z.string(), flags_set: z.array(z.string()).optional() })
  .transform(({ epoch, flags, flags_set }) => ({
    epoch,
    flags: flags_set ?? flags.split(',').filter(flag => flag !== ''),
  }))

const HEALTHS = ['HEALTH_OK', 'HEALTH_WARN', 'HEALTH_ERR'] as const

function cephStatus(answer: z.infer<typeof StatusAnswer>, flags: readonly string[]): CephStatus {
  const { health, monmap, osdmap, pgmap, quorum_names } = answer
  return {
    health: HEALTHS.find(known => known === health.status) ?? 'unknown',
    checks: Object.entries(health.checks).map(([code, { summary, muted }]) => ({
      code,
      summary: summary.message,
      muted,
    })),
    monsInQuorum: quorum_names,
    monsTotal: monmap,
    osds: { total: osdmap.num_osds, up: osdmap.num_up_osds, in: osdmap.num_in_osds },
    pgs: {
      total: pgmap.num_pgs,
      byState: Object.fromEntries(pgmap.pgs_by_state.map(({ state_name, count }) => [state_name, count])),
    },
    flags,
  }
}

function readAnswer<T>(schema: z.ZodType<T>, output: CommandOutput, doing: Finding): Result<T> {
  if (output.exitCode !== 0) return failed(commandFailure(output, doing))
  const read = schema.safeParse(serverJsonOf(output.stdout))
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  const issues = `${firstWords(issue?.path.join('.') ?? '')}: ${issue?.code ?? 'not JSON'}`
  return failed(unreadable(output, doing, because('AnswerMisses', { issues })))
}

function unreadable({ exitCode, stdout }: CommandOutput, doing: Finding, wrong: Finding) {
  const output = firstWords(redactText(stdout))
  return refusal('unreadable', because('NotACephAnswer', { call: doing, exitCode, output, wrong }), {
    detail: wrong.message,
  })
}

function commandFailure(output: CommandOutput, doing: Finding) {
  const { exitCode } = output
  return refusal('server-fault', because('CephCommandFailed', { call: doing, output: wordsOf(output), exitCode }), {
    detail: `exit code ${exitCode}`,
    // Invalid arguments stay invalid; an unreachable monitor can come back.
    retryable: ![2, 22].includes(exitCode),
  })
}

/** The last line of stderr, where `ceph` prints its reason, without `Error EXXX: ` and without secrets. */
function wordsOf({ stderr }: CommandOutput): string {
  const lines = redactText(stderr)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return (lines.findLast(line => line.startsWith('Error ')) ?? lines.at(-1) ?? '')
    .replace(/^Error [A-Z0-9]+: /, '')
    .replace(/\.$/, '')
}
