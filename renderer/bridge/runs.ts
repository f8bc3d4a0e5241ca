import type { Envelope, RequestInput, RunSummary } from '../../shared/contract/index.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { applyRunEvent, foldRun } from '../../shared/domain/run-fold.ts'
import { useConnection } from '../stores/connection.ts'
import { isOver, type RunReading, useRuns } from '../stores/runs.ts'
import { ask, listen, onResync } from './transport.ts'

/** How many runs the list holds. */
const LISTED = 500
/** A run under way says a lot; its place in the list is asked for again after it has been quiet for this long. */
const LIST_AFTER_MS = 150

/** A driver that dies says nothing: while runs are not over, the list is asked so often whether anybody still drives them. */
const LOOK_EVERY_MS = 5_000

let listTimer: number | null = null
/** Events that came for a run while its history was on its way. */
const early = new Map<string, RunEvent[]>()

/** Keeps the list of runs, and every run that is read, current for as long as the page lives; answers how to stop. */
export function followRuns(): () => void {
  void listRuns()
  const looks = window.setInterval(() => {
    const isAnswering = useConnection.getState().connection.kind === 'connected'
    if (isAnswering && (useRuns.getState().list ?? []).some(run => !isOver(run))) void listRuns()
  }, LOOK_EVERY_MS)
  const stops = [
    listen('run.event', receive),
    listen('run.rested', listSoon),
    listen('runner.changed', listSoon),
    onResync(() => {
      void listRuns()
      for (const runId of useRuns.getState().readings.keys()) void readRun(runId)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    window.clearInterval(looks)
    if (listTimer !== null) window.clearTimeout(listTimer)
    listTimer = null
  }
}

/** Reads the list of runs of all clusters again. */
export async function listRuns(): Promise<void> {
  const answer = await ask('run.list', { cluster: null, limit: LISTED })
  if (answer.ok) useRuns.setState({ list: answer.value, listFailure: null })
  else useRuns.setState({ listFailure: answer.failure })
}

/** Makes sure that a run's whole history is there and grows with it. */
export function showRun(runId: string): void {
  const reading = useRuns.getState().readings.get(runId)
  if (reading === undefined || reading.kind === 'failed') void readRun(runId)
}

async function readRun(runId: string): Promise<void> {
  if (early.has(runId)) return
  early.set(runId, [])
  if (!useRuns.getState().readings.has(runId)) put(runId, { kind: 'reading' })
  const answer = await ask('run.show', { runId })
  const missed = early.get(runId) ?? []
  early.delete(runId)
  if (!answer.ok) {
    put(runId, { kind: 'failed', failure: answer.failure })
    return
  }
  const { events } = answer.value
  put(runId, { kind: 'read', events, view: foldRun(events) })
  for (const event of missed) receive(event)
}

function receive(event: RunEvent): void {
  listSoon()
  const held = early.get(event.runId)
  if (held !== undefined) {
    held.push(event)
    return
  }
  const reading = useRuns.getState().readings.get(event.runId)
  if (reading?.kind !== 'read') return
  // A runner goes on with it: what this console told of it stands in the runner's journal too, under other numbers.
  if (reading.view.handedTo !== null && event.body.kind !== 'run-finished' && event.body.kind !== 'hand-over-failed') {
    if (event.body.kind !== 'hand-over-announced') void readRun(event.runId)
    return
  }
  const last = reading.events.at(-1)
  if (last !== undefined && event.seq <= last.seq) return
  put(event.runId, {
    kind: 'read',
    events: [...reading.events, event],
    view: applyRunEvent(reading.view, event),
  })
}

function put(runId: string, reading: RunReading): void {
  useRuns.setState(({ readings }) => ({ readings: new Map(readings).set(runId, reading) }))
}

function listSoon(): void {
  listTimer ??= window.setTimeout(() => {
    listTimer = null
    void listRuns()
  }, LIST_AFTER_MS)
}

/** Starts the plan that was shown. */
export function startRun(input: RequestInput<'run.start'>): Promise<Envelope<RunSummary>> {
  return ask('run.start', input)
}

/** Drives an interrupted or left run on. */
export function resumeRun(runId: string): Promise<Envelope<RunSummary>> {
  return ask('run.resume', { runId })
}

/** Asks the run's driver to start nothing new. */
export function pauseRun(runId: string): Promise<Envelope<Record<string, never>>> {
  return ask('run.pause', { runId })
}

/** Lets a paused run go on. */
export function unpauseRun(runId: string): Promise<Envelope<Record<string, never>>> {
  return ask('run.unpause', { runId })
}

/** Ends a run where it is. */
export function abortRun(runId: string, reason: string): Promise<Envelope<RunSummary>> {
  return ask('run.abort', { runId, reason })
}

/** Stops driving a run from this console; it stays resumable. */
export function detachRun(runId: string): Promise<Envelope<RunSummary>> {
  return ask('run.detach', { runId })
}

/** Decides about one instance of a run, while the others go on. */
export function decideInstance(input: RequestInput<'run.decide'>): Promise<Envelope<Record<string, never>>> {
  return ask('run.decide', input)
}

/** Answers what a run waits for. */
export function answerRun(input: RequestInput<'run.answer'>): Promise<Envelope<Record<string, never>>> {
  return ask('run.answer', input)
}
