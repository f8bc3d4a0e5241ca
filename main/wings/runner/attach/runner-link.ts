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
import { type Clock, isoNow } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import { type CodedText, codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import type { JournalMirror, JournalMirrors } from '../mirrors/mirrors.ts'
import type { PortForward } from '../ports/port-forward.ts'
import { createNudge } from './nudge.ts'
import type { RunnerPod } from './runner-place.ts'

/** A runner's contract over one connection (main/wings/runner/attach-stream). */
interface RunnerContract extends Contract {
  onHole(again: () => void): void
  readonly closed: Promise<Finding>
  close(): void
}

export type OpenContract = (stream: Duplex) => Promise<Result<RunnerContract>>

/** One runner as this console knows it: its connection, and the mirror of its journal. */
export interface RunnerLink {
  readonly pod: RunnerPod
  /** Its journal's mirror; null if there is none yet. */
  mirror(): JournalMirror | null
  connection(): RunnerStatus['connection']
  /** How the runner described itself at the last contact; null if this process never reached it. */
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
  /** The mirror of an earlier process; null if there is none. */
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
/** How many runs the console reads to find those without a driver. */
const LISTED = 500

interface LinkState extends LinkParts {
  readonly signal: AbortSignal
  mirror: JournalMirror | null
  /** The mirror whose file this link keeps open; after a change of the volume, the previous journal's mirror. */
  held: { readonly mirror: JournalMirror; readonly letGo: () => void } | null
  /** The number of the last entry that was reported. */
  reported: number
  undriven: ReadonlySet<string>
  description: RunnerDescription | null
  connection: RunnerStatus['connection']
  readonly endFirstTry: () => void
}

interface OpenLink {
  readonly contract: RunnerContract
  /** The first link of the journal that the runner named on this connection; null if it has not named one yet. */
  first: ChainHead | null
  wasConnected: boolean
}

/**
 * Stays connected to a runner until the signal aborts, and keeps the mirror of its journal. It reads new entries by their number in the chain. An event only
 * says that there is something new, so a lost event or a broken connection leaves no hole.
 */
export function linkRunner(parts: LinkParts, signal: AbortSignal): RunnerLink & { readonly over: Promise<void> } {
  const { before } = parts
  let endFirstTry: () => void = () => {}
  const firstTry = new Promise<void>(resolve => {
    endFirstTry = resolve
  })
  const state: LinkState = {
    ...parts,
    signal,
    mirror: before,
    held: before === null ? null : { mirror: before, letGo: before.hold() },
    reported: before === null ? 0 : before.journal.seqWhenOpened,
    undriven: new Set(before?.about()?.undriven ?? []),
    description: null,
    connection: lost(because('RunnerNotReached'), before?.about()?.asOf ?? null),
    endFirstTry,
  }
  return {
    pod: parts.pod,
    mirror: () => state.mirror,
    connection: () => state.connection,
    description: () => state.description,
    isUndriven: runId => state.undriven.has(runId),
    firstTry,
    over: stayConnected(state),
  }
}

async function stayConnected(state: LinkState): Promise<void> {
  const { pod, signal, clock, log } = state
  for (let delayMs = FIRST_DELAY_MS; !signal.aborted; ) {
    const { why, wasConnected } = await connectOnce(state)
    if (signal.aborted) break
    setConnection(state, lost(codedTextOf(why), state.mirror?.about()?.asOf ?? null))
    state.endFirstTry()
    log.info('runner-not-connected', { ...pod, code: why.code, why: why.message })
    if (wasConnected) delayMs = FIRST_DELAY_MS
    await clock.sleep(delayMs * (0.75 + clock.random() / 2), signal)
    delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2)
  }
  state.endFirstTry()
}

function setConnection(state: LinkState, next: RunnerStatus['connection']): void {
  const { connection } = state
  const isNews =
    next.kind !== connection.kind || (next.kind === 'lost' && connection.kind === 'lost' && next.why !== connection.why)
  state.connection = next
  if (isNews) state.onChanged()
}

/** One connection, from beginning to end; returns why it ended. */
async function connectOnce(state: LinkState): Promise<{ readonly why: Failure; readonly wasConnected: boolean }> {
  const { signal } = state
  const opened = await openContractOf(state)
  if (!opened.ok) return { why: opened.failure, wasConnected: false }
  const contract = opened.value
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
  const open: OpenLink = { contract, first: null, wasConnected: false }
  try {
    const why = await followRunner(state, open, nudges)
    return { why, wasConnected: open.wasConnected }
  } finally {
    for (const stop of stops) stop()
    signal.removeEventListener('abort', end)
    contract.close()
  }
}

async function openContractOf({ pod, portForward, openContract, signal }: LinkState): Promise<Result<RunnerContract>> {
  const forward = await portForward()
  if (!forward.ok) return forward
  const stream = await forward.value({ namespace: pod.namespace, pod: pod.name, port: PROGRAM_PORT }, signal)
  return stream.ok ? openContract(stream.value) : stream
}

/** Reads what is new after each event, until the connection ends; returns why it ended. */
async function followRunner(
  state: LinkState,
  open: OpenLink,
  nudges: ReturnType<typeof createNudge>,
): Promise<Failure> {
  const { signal, clock } = state
  let hasEnded = false
  const left = open.contract.closed.then(why => {
    hasEnded = true
    nudges.nudge()
    return refusal('unreachable', why)
  })
  while (!hasEnded && !signal.aborted) {
    const failure = await readOnce(state, open)
    if (failure !== null) return failure
    open.wasConnected = true
    state.endFirstTry()
    const since = state.connection.kind === 'connected' ? state.connection.since : isoNow(clock)
    setConnection(state, { kind: 'connected', since })
    state.onReceived()
    await nudges.next(clock, signal)
  }
  return left
}

async function readOnce(state: LinkState, open: OpenLink): Promise<Failure | null> {
  const { contract } = open
  const described = await contract.ask('attach.describe', {})
  if (!described.ok) return described.failure
  state.description = described.value
  const { first } = described.value
  if (first === null) {
    forgetMirror(state)
    return null
  }
  if (open.first !== null && !isSameLink(open.first, first)) return refusal('conflict', because('RunnerJournalChanged'))
  open.first = first
  const mirror = await mirrorOf(state, contract, first)
  if (!mirror.ok) return mirror.failure
  return (await pull(state, contract, mirror.value, first)) ?? readUndriven(state, contract, mirror.value)
}

/** The runner's volume is new: the mirror of its old journal is history, not live. */
function forgetMirror(state: LinkState): void {
  if (state.mirror === null) return
  state.log.warn('runner-journal-new', { ...state.pod })
  state.mirror = null
  state.undriven = new Set()
  state.onChanged()
}

/** The mirror of the runner's current journal; a new volume has a new one. */
async function mirrorOf(state: LinkState, contract: RunnerContract, first: ChainHead): Promise<Result<JournalMirror>> {
  const { mirrors, log, pod } = state
  const known = mirrors.of(first)
  if (!known.ok) return known
  const found = known.value === null ? await makeMirror(state, contract, first) : ok(known.value)
  if (!found.ok) return found
  const mirror = found.value
  if (mirror !== state.mirror) {
    state.reported = mirror.journal.seqWhenOpened
    state.mirror = mirror
  }
  if (mirror !== state.held?.mirror) {
    if (state.held !== null) log.warn('runner-journal-changed', { ...pod })
    const letGo = mirror.hold()
    state.held?.letGo()
    state.held = { mirror, letGo }
  }
  return found
}

async function makeMirror(
  { mirrors, pod }: LinkState,
  contract: RunnerContract,
  first: ChainHead,
): Promise<Result<JournalMirror>> {
  const stretch = await contract.ask('attach.stretch', { after: 0, limit: 1 })
  if (!stretch.ok) return stretch
  const [begin] = stretch.value.links
  if (begin !== undefined && !isSameLink(begin, first)) return failed(otherBeginning())
  return mirrors.make(stretch.value, pod)
}

async function pull(
  state: LinkState,
  contract: RunnerContract,
  mirror: JournalMirror,
  first: ChainHead,
): Promise<Failure | null> {
  // What a runner did before this console knew it is history, not news.
  const isFirst = mirror.head() === null
  for (;;) {
    const after = mirror.head()?.seq ?? 0
    const stretch = await contract.ask('attach.stretch', { after, limit: LINKS_AT_ONCE })
    if (!stretch.ok) return stretch.failure
    const [begin] = stretch.value.links
    if (begin === undefined) return null
    // The mirror is named after the first link that the runner announced, so its entries must begin with that link.
    if (after === 0 && !isSameLink(begin, first)) return otherBeginning()
    const taken = mirror.take(stretch.value)
    if (!taken.ok) return taken.failure
    if (isFirst) state.reported = taken.value.events?.[1] ?? state.reported
    else reportNew(state, mirror)
    // Another process of this machine keeps the same mirror.
    if ((mirror.head()?.seq ?? 0) <= after) return null
  }
}

/** Reports entries of the mirror that this process has not reported yet; another process of this machine may have written them. */
function reportNew(state: LinkState, mirror: JournalMirror): void {
  for (;;) {
    const found = mirror.journal.eventsAfter(state.reported, LINKS_AT_ONCE)
    const events = found.flatMap(({ event }) => event ?? [])
    state.reported = found.at(-1)?.seq ?? state.reported
    if (events.length > 0) state.onEvents(events)
    if (found.length < LINKS_AT_ONCE) return
  }
}

/** Reads which runs have no driver, and notes in the mirror when the runner was last reached. */
async function readUndriven(
  state: LinkState,
  contract: RunnerContract,
  mirror: JournalMirror,
): Promise<Failure | null> {
  const listed = await contract.ask('run.list', { cluster: null, limit: LISTED })
  if (!listed.ok) return listed.failure
  const now = new Set(listed.value.flatMap(({ id, condition }) => (condition.kind === 'interrupted' ? [id] : [])))
  const isNews = now.size !== state.undriven.size || [...now].some(id => !state.undriven.has(id))
  state.undriven = now
  const { version = '', clouds = [] } = state.description ?? {}
  const kept = mirror.keepAbout({ ...state.pod, clouds, version, asOf: isoNow(state.clock), undriven: [...now] })
  if (isNews) state.onChanged()
  return kept.ok ? null : kept.failure
}

/** A missing connection: `asOf` is when its runner was last connected; null means never. */
export function lost(said: CodedText, asOf: string | null): RunnerStatus['connection'] {
  return { kind: 'lost', why: said.message, ...codedOf(said), asOf }
}

function isSameLink(one: ChainHead, other: ChainHead): boolean {
  return one.seq === other.seq && one.hash === other.hash
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
