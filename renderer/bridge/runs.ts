import type { Envelope, RequestInput, RunSummary } from '../../shared/contract/index.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { applyRunEvent, foldRun } from '../../shared/domain/run-fold.ts'
import { useConnection } from '../stores/connection.ts'
import { isFinished, type RunReading, useRuns } from '../stores/runs.ts'
import { askMain, listen, onResync } from './transport.ts'

/** How many runs the list holds. */
const LISTED = 500
/** A run sends many events; the list is read after this long without one. */
const LIST_AFTER_MS = 150

/** A console that dies sends no event, so the list is read this often while a run is open. */
const LOOK_EVERY_MS = 5_000

let listTimer: number | null = null
/** Events of a run that arrive while its history is being read. */
const early = new Map<string, RunEvent[]>()

/** Keeps the list of runs and every opened run current while the page lives; returns a stop function. */
export function followRuns(): () => void {
  void listRuns()
  const looks = window.setInterval(() => {
    const isAnswering = useConnection.getState().connection.kind === 'connected'
    if (isAnswering && (useRuns.getState().list ?? []).some(run => !isFinished(run))) void listRuns()
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

export async function listRuns(): Promise<void> {
  const answer = await askMain('run.list', { cluster: null, limit: LISTED })
  if (answer.ok) useRuns.setState({ list: answer.value, listFailure: null })
  else useRuns.setState({ listFailure: answer.failure })
}

/** Reads a run's whole history and keeps it current. */
export function showRun(runId: string): void {
  const reading = useRuns.getState().readings.get(runId)
  if (reading === undefined || reading.kind === 'failed') void readRun(runId)
}

async function readRun(runId: string): Promise<void> {
  if (early.has(runId)) return
  early.set(runId, [])
  if (!useRuns.getState().readings.has(runId)) put(runId, { kind: 'reading' })
  const answer = await askMain('run.show', { runId })
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
  // A runner continues this run: its journal repeats this console's events under other numbers.
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

export function startRun(input: RequestInput<'run.start'>): Promise<Envelope<RunSummary>> {
  return askMain('run.start', input)
}

/** Resumes an interrupted or left run. */
export function resumeRun(runId: string): Promise<Envelope<RunSummary>> {
  return askMain('run.resume', { runId })
}

/** Pauses a run: it starts no new step. */
export function pauseRun(runId: string): Promise<Envelope<Record<string, never>>> {
  return askMain('run.pause', { runId })
}

export function unpauseRun(runId: string): Promise<Envelope<Record<string, never>>> {
  return askMain('run.unpause', { runId })
}

export function abortRun(runId: string, reason: string): Promise<Envelope<RunSummary>> {
  return askMain('run.abort', { runId, reason })
}

/** Leaves a run; it can be resumed later. */
export function detachRun(runId: string): Promise<Envelope<RunSummary>> {
  return askMain('run.detach', { runId })
}

/** Decides about one instance while the others continue. */
export function decideInstance(input: RequestInput<'run.decide'>): Promise<Envelope<Record<string, never>>> {
  return askMain('run.decide', input)
}

export function answerRun(input: RequestInput<'run.answer'>): Promise<Envelope<Record<string, never>>> {
  return askMain('run.answer', input)
}
