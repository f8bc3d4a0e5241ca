import type { Duplex } from 'node:stream'
import type { Contract, RunnerDescription, RunnerOfRun, RunnerStatus } from '../../../../shared/contract/index.ts'
import { PROGRAM_PORT } from '../../../../shared/contract/program.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { JournalMirror, JournalMirrors } from '../../../journal/mirrors.ts'
import { type Clock, isoNow } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { PortForward } from '../../../ports/port-forward.ts'
import { type CodedText, codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import { createNudge } from './nudge.ts'
import type { RunnerPod } from './runner-place.ts'

/** A runner's contract over one connection (main/wings/runner/attach-stream). */
interface RunnerContract extends Contract {
  onHole(again: () => void): void
  readonly closed: Promise<Finding>
  close(): void
}

/** Opens the contract with the other end of a stream. */
export type OpenContract = (stream: Duplex) => Promise<Result<RunnerContract>>

/** One runner as this console knows it: its connection, and the mirror of its journal. */
export interface RunnerLink {
  readonly pod: RunnerPod
  /** Its journal's mirror; null: none yet. */
  mirror(): JournalMirror | null
  connection(): RunnerStatus['connection']
  /** How the runner described itself at the last contact; null: this process never reached it. */
  description(): RunnerDescription | null
  /** Whether the runner said that this open run has no driver. */
  isUndriven(runId: string): boolean
  /** Settles after the first attempt to reach the runner, successful or not. */
  readonly firstTry: Promise<void>
}

interface LinkParts {
  readonly pod: RunnerPod
  readonly portForward: () => Promise<Result<PortForward>>
  readonly openContract: OpenContract
  readonly mirrors: JournalMirrors
  /** The mirror of an earlier process; null: there is none. */
  readonly before: JournalMirror | null
  readonly clock: Clock
  readonly log: Logger
  /** New events of its runs, in order. */
  readonly onEvents: (events: readonly RunEvent[]) => void
  readonly onChanged: () => void
  /** Called at each check, after the runner answered and its new events were reported. */
  readonly onReceived: () => void
}

const FIRST_DELAY_MS = seconds(1)
const LONGEST_DELAY_MS = seconds(30)
const LINKS_AT_ONCE = 500
/** How many runs are asked for their drivers. */
const LISTED = 500

/**
 * Stays connected to a runner until the signal aborts, and keeps the mirror of its journal. It reads new entries by their number in the chain. An event only says that there is
 * something new, so a lost event or a broken connection leaves no hole.
 */
export function linkRunner(parts: LinkParts, signal: AbortSignal): RunnerLink & { readonly over: Promise<void> } {
  const { pod, clock, log, mirrors, onEvents, onChanged } = parts
  let { before: mirror } = parts
  /** The mirror whose file this link keeps open: that of its runner's journal, or of the one before it. */
  let held = mirror === null ? null : { mirror, letGo: mirror.hold() }
  let reported = mirror === null ? 0 : mirror.journal.seqWhenOpened
  let undriven: ReadonlySet<string> = new Set(mirror?.about()?.undriven ?? [])
  let description: RunnerDescription | null = null
  let connection: RunnerStatus['connection'] = lost(because('RunnerNotReached'), mirror?.about()?.asOf ?? null)
  let tried: () => void = () => {}
  const firstTry = new Promise<void>(resolve => {
    tried = resolve
  })

  function become(next: RunnerStatus['connection']): void {
    const isNews =
      next.kind !== connection.kind ||
      (next.kind === 'lost' && connection.kind === 'lost' && next.why !== connection.why)
    connection = next
    if (isNews) onChanged()
  }

  /** Reports entries of the mirror that this process has not reported yet, whichever process of this machine wrote them. */
  function reportNew(from: JournalMirror): void {
    for (;;) {
      const found = from.journal.eventsAfter(reported, LINKS_AT_ONCE)
      const events = found.flatMap(({ event }) => event ?? [])
      reported = found.at(-1)?.seq ?? reported
      if (events.length > 0) onEvents(events)
      if (found.length < LINKS_AT_ONCE) return
    }
  }

  async function pull(contract: RunnerContract, into: JournalMirror, first: ChainHead): Promise<Failure | null> {
    // What a runner did before this console knew it is history, not news.
    const isFirst = into.head() === null
    for (;;) {
      const after = into.head()?.seq ?? 0
      const stretch = await contract.ask('attach.stretch', { after, limit: LINKS_AT_ONCE })
      if (!stretch.ok) return stretch.failure
      const [begin] = stretch.value.links
      if (begin === undefined) return null
      // The mirror is named after the first link that the runner announced, so its entries must begin with that link.
      if (after === 0 && !isSameLink(begin, first)) return otherBeginning()
      const taken = into.take(stretch.value)
      if (!taken.ok) return taken.failure
      if (isFirst) reported = taken.value.events?.[1] ?? reported
      else reportNew(into)
      // Another process of this machine keeps the same mirror.
      if ((into.head()?.seq ?? 0) <= after) return null
    }
  }

  async function look(contract: RunnerContract, into: JournalMirror, first: ChainHead): Promise<Failure | null> {
    const trouble = await pull(contract, into, first)
    if (trouble !== null) return trouble
    const listed = await contract.ask('run.list', { cluster: null, limit: LISTED })
    if (!listed.ok) return listed.failure
    const now = new Set(listed.value.flatMap(({ id, condition }) => (condition.kind === 'interrupted' ? [id] : [])))
    const isNews = now.size !== undriven.size || [...now].some(id => !undriven.has(id))
    undriven = now
    const { version = '', clouds = [] } = description ?? {}
    const kept = into.keepAbout({ ...pod, clouds, version, asOf: isoNow(clock), undriven: [...now] })
    if (isNews) onChanged()
    return kept.ok ? null : kept.failure
  }

  /** Its volume is new: the mirror of the old one is history, not live. */
  function forget(): void {
    if (mirror === null) return
    log.warn('runner-journal-new', { ...pod })
    mirror = null
    undriven = new Set()
    onChanged()
  }

  /** The mirror of the current journal of the runner; a new volume has a new one. Created when the first link is known. */
  async function mirrorOf(contract: RunnerContract, first: ChainHead): Promise<Result<JournalMirror>> {
    const known = mirrors.of(first)
    if (!known.ok) return known
    const found = known.value === null ? await madeFor(contract, first) : ok(known.value)
    if (found.ok && found.value !== mirror) {
      reported = found.value.journal.seqWhenOpened
      mirror = found.value
    }
    if (found.ok && found.value !== held?.mirror) {
      if (held !== null) log.warn('runner-journal-changed', { ...pod })
      const letGo = found.value.hold()
      held?.letGo()
      held = { mirror: found.value, letGo }
    }
    return found
  }

  async function madeFor(contract: RunnerContract, first: ChainHead): Promise<Result<JournalMirror>> {
    const stretch = await contract.ask('attach.stretch', { after: 0, limit: 1 })
    if (!stretch.ok) return stretch
    const [begin] = stretch.value.links
    if (begin !== undefined && !isSameLink(begin, first)) return failed(otherBeginning())
    return mirrors.make(stretch.value, pod)
  }

  async function reach(): Promise<Result<RunnerContract>> {
    const portForward = await parts.portForward()
    if (!portForward.ok) return portForward
    const stream = await portForward.value({ namespace: pod.namespace, pod: pod.name, port: PROGRAM_PORT }, signal)
    return stream.ok ? parts.openContract(stream.value) : stream
  }

  /** One connection, from beginning to end; returns why it ended. */
  async function once(): Promise<{ readonly why: Failure; readonly wasConnected: boolean }> {
    const opened = await reach()
    if (!opened.ok) return { why: opened.failure, wasConnected: false }
    const contract = opened.value
    let wasConnected = false
    const nudges = createNudge()
    const stops = [
      contract.listen('run.event', nudges.nudge),
      contract.listen('window.changed', nudges.nudge),
      contract.listen('run.rested', nudges.nudge),
    ]
    contract.onHole(nudges.nudge)
    const end = () => contract.close()
    signal.addEventListener('abort', end, { once: true })
    // The signal may have aborted while it was opening: no later event ends it.
    if (signal.aborted) end()
    const left = contract.closed.then(why => {
      nudges.nudge()
      return refusal('unreachable', why)
    })
    let isOver = false
    let named: ChainHead | null = null
    void contract.closed.then(() => {
      isOver = true
    })
    try {
      while (!isOver && !signal.aborted) {
        const described = await contract.ask('attach.describe', {})
        if (!described.ok) return { why: described.failure, wasConnected }
        description = described.value
        const { first } = described.value
        if (first === null) forget()
        else {
          if (named !== null && !isSameLink(named, first)) return { why: anotherWhileConnected(), wasConnected }
          named = first
          const found = await mirrorOf(contract, first)
          if (!found.ok) return { why: found.failure, wasConnected }
          const trouble = await look(contract, found.value, first)
          if (trouble !== null) return { why: trouble, wasConnected }
        }
        wasConnected = true
        tried()
        become({ kind: 'connected', since: connection.kind === 'connected' ? connection.since : isoNow(clock) })
        parts.onReceived()
        await nudges.next(clock, signal)
      }
      return { why: await left, wasConnected }
    } finally {
      for (const stop of stops) stop()
      signal.removeEventListener('abort', end)
      contract.close()
    }
  }

  async function stay(): Promise<void> {
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; ) {
      const { why, wasConnected } = await once()
      if (signal.aborted) break
      const asOf = mirror?.about()?.asOf ?? null
      become(lost(codedTextOf(why), asOf))
      tried()
      log.info('runner-not-connected', { ...pod, code: why.code, why: why.message })
      if (wasConnected) delayMs = FIRST_DELAY_MS
      await clock.sleep(delayMs * (0.75 + clock.random() / 2), signal)
      delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2)
    }
    tried()
  }

  return {
    pod,
    mirror: () => mirror,
    connection: () => connection,
    description: () => description,
    isUndriven: runId => undriven.has(runId),
    firstTry,
    over: stay(),
  }
}

/** A missing connection: `asOf` is when its runner was last connected; null: never. */
export function lost(said: CodedText, asOf: string | null): RunnerStatus['connection'] {
  return { kind: 'lost', why: said.message, ...codedOf(said), asOf }
}

function isSameLink(one: ChainHead, other: ChainHead): boolean {
  return one.seq === other.seq && one.hash === other.hash
}

function anotherWhileConnected(): Failure {
  return refusal('conflict', because('RunnerJournalChanged'))
}

function otherBeginning(): Failure {
  return refusal('conflict', because('RunnerJournalOfOtherBeginning'))
}

/** The runner that drives the runs of a link, as the line of a run shows it. */
export function runnerOf(link: Pick<RunnerLink, 'pod' | 'connection' | 'mirror'>, clock: Clock): RunnerOfRun {
  const connection = link.connection()
  const connected = connection.kind === 'connected'
  const asOf = connected ? isoNow(clock) : (link.mirror()?.about()?.asOf ?? isoNow(clock))
  return { ...link.pod, asOf, connected, object: null }
}
