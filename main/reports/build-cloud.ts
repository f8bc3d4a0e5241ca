import { isNewOf } from '../../shared/domain/clock-skew.ts'
import type { Json } from '../../shared/domain/json.ts'
import type { Report, ReportCheck } from '../../shared/domain/report.ts'
import {
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  factText,
  LOCK_SETTLED,
  LOCK_WAITING,
  MICROCEPH_EXIT_REQUESTED,
  NODE_BEFORE,
  NODE_WORKED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
  REQUEST_CREATED,
  REQUEST_REMOVED,
} from '../../shared/domain/run-facts.ts'
import { VERSIONS_READ } from '../../shared/domain/version-evidence.ts'
import { signalWords } from '../../shared/words/signals.ts'
import { evidenceOf, factsOf, type Material, nodeOfStep, type ReportedRun, type StepFact, stepOf } from './material.ts'

type Runs = Pick<Material, 'runs'>
type Request = Report['requests'][number]
type RunClock = NonNullable<Report['clocks']>[number]

/** Every check that failed, once for each reason, with who started anyway and why. */
export function buildChecks({ runs }: Runs): readonly ReportCheck[] {
  return runs.flatMap(checksOf)
}

function checksOf(run: ReportedRun): readonly ReportCheck[] {
  const checks = new Map<string, ReportCheck>()
  let operator = run.view.driver.operator
  for (const { at, body } of run.events) {
    switch (body.kind) {
      case 'run-created':
      case 'run-driven':
        operator = body.driver.operator
        break
      case 'step-checked':
        if (body.answer.kind !== 'blocked') break
        for (const { code, message, remedy } of body.answer.blockers) {
          const key = keyOf(body.stepId, code, message)
          if (!checks.has(key)) checks.set(key, checkFrom(run, { at, stepId: body.stepId, code, message, remedy }))
        }
        break
      case 'blocker-overridden': {
        const { stepId, code, message, flag, reason } = body
        const key = keyOf(stepId, code, message)
        const known = checks.get(key) ?? checkFrom(run, { at, stepId, code, message, remedy: '' })
        checks.set(key, { ...known, overridden: known.overridden ?? { flag, reason, by: operator } })
        break
      }
      default:
        break
    }
  }
  return [...checks.values()]
}

function checkFrom(
  run: ReportedRun,
  said: Pick<ReportCheck, 'at' | 'stepId' | 'code' | 'message' | 'remedy'>,
): ReportCheck {
  const step = stepOf(run, said.stepId)
  return {
    ...said,
    runId: run.view.id,
    node: nodeOfStep(run, step),
    title: step?.title ?? said.stepId,
    overridden: null,
  }
}

function keyOf(stepId: string, code: string, message: string): string {
  return JSON.stringify([stepId, code, message])
}

export function buildLocks({ runs }: Runs): Report['locks'] {
  return runs.flatMap(run =>
    factsOf(run)
      .filter(({ fact }) => fact === LOCK_WAITING || fact === LOCK_SETTLED)
      .map(fact => ({
        at: fact.at,
        runId: run.view.id,
        node: fact.node,
        controller: factText(fact, 'controller') ?? factText(fact, 'name') ?? fact.subject,
        state: factText(fact, 'state') ?? '',
        message: factText(fact, 'message') ?? '',
      })),
  )
}

/** Every maintenance request that a run made or removed. The times are those of the journal entries, which runs write before they send a request. */
export function buildRequests({ runs }: Runs): Request[] {
  return runs.flatMap(run => requestsOf(run))
}

function requestsOf(run: ReportedRun): Request[] {
  const requests = new Map<string, Request>()
  for (const fact of factsOf(run)) {
    const kind = KINDS.get(fact.fact)
    if (kind === undefined) continue
    const name = factText(fact, 'name') ?? ''
    const key = `${kind.of}/${name}/${fact.node}`
    const known = requests.get(key) ?? { ...begin(run, fact, name), node: kind.of === 'node' ? fact.node : '' }
    requests.set(
      key,
      kind.made
        ? { ...known, scope: factText(fact, 'scope') ?? known.scope, createdAt: known.createdAt ?? fact.at }
        : { ...known, removedAt: fact.at },
    )
  }
  return [...requests.values()]
}

function begin(run: ReportedRun, fact: StepFact, name: string): Request {
  return { runId: run.view.id, name, node: fact.node, scope: null, createdAt: null, removedAt: null }
}

const KINDS: ReadonlyMap<string, { readonly of: 'node' | 'cluster'; readonly made: boolean }> = new Map([
  [REQUEST_CREATED, { of: 'node', made: true }],
  [REQUEST_REMOVED, { of: 'node', made: false }],
  [CLUSTER_REQUEST_CREATED, { of: 'cluster', made: true }],
  [CLUSTER_REQUEST_REMOVED, { of: 'cluster', made: false }],
])

export function buildCephFlags({ runs }: Runs): Report['cephFlags'] {
  return runs.flatMap(run =>
    factsOf(run).flatMap(({ at, fact, subject }) => {
      const change = CHANGES.get(fact)
      if (change === undefined) return []
      const host = /^ceph-host\/(.+)$/.exec(subject)?.[1]
      return [{ at, runId: run.view.id, what: `noout of ${host ?? 'all of Ceph'}`, ...change }]
    }),
  )
}

const CHANGES: ReadonlyMap<string, { readonly from: string; readonly to: string }> = new Map([
  [NOOUT_SET_REQUESTED, { from: 'not set', to: 'set' }],
  [NOOUT_UNSET_REQUESTED, { from: 'set', to: 'not set' }],
  [MICROCEPH_EXIT_REQUESTED, { from: 'set', to: "not set, by MicroCeph's exit-maintenance" }],
])

/** What was sent to other systems: to whom, what, and whether it arrived. */
export function buildSignals({ signals }: Material): NonNullable<Report['signals']> {
  return signals.map(signal => {
    const { about, text } = signalWords(signal)
    return { at: signal.at, runId: signal.runId, about, words: text }
  })
}

/** How far each server's clock was from the console's, by run: at its beginning, and again after it went off. */
export function buildClocks({ runs }: Runs): RunClock[] {
  return runs.flatMap(({ view, events }) => {
    const found = new Map<string, RunClock>()
    for (const { at, body } of events) {
      if (body.kind !== 'clocks-measured') continue
      for (const clock of body.clocks) {
        const known = found.get(clock.server) ?? { runId: view.id, server: clock.server, measured: [] }
        const last = known.measured.slice(-1).map(({ aheadMs }) => ({ server: clock.server, aheadMs }))
        if (isNewOf(last, [clock])) known.measured.push({ at, aheadMs: clock.aheadMs })
        found.set(clock.server, known)
      }
    }
    return [...found.values()]
  })
}

const OF_NODES: ReadonlyMap<string, string> = new Map([
  ['kubeletVersion', 'kubelet'],
  ['osImage', 'operating system'],
  ['kernelVersion', 'kernel'],
  ['containerRuntime', 'container runtime'],
])

/** The versions that the journal has. One that changed has all its values in order: `v1.31.1 → v1.31.4`. */
export function buildVersions({ runs }: Runs, madeBy: Report['madeBy']): Report['versions'] {
  const found = new Map<string, string[]>()
  const add = (name: string, value: Json | undefined) => {
    if (typeof value !== 'string' || value === '') return
    const values = found.get(name) ?? []
    if (values.at(-1) !== value) found.set(name, [...values, value])
  }
  for (const run of runs) {
    for (const { body } of run.events) {
      if (body.kind === 'run-created' || body.kind === 'run-driven') add('Lockkeeper (console)', body.driver.version)
    }
    for (const { subject, values } of evidenceOf(run)) {
      const node = /^node\/(.+)$/.exec(subject)?.[1]
      if (node !== undefined) addNode(node, values)
      if (subject === 'ceph') add('Ceph', values.release ?? values.version)
      if (subject === VERSIONS_READ) for (const [name, value] of Object.entries(values)) add(name, value)
      if (subject === 'watcher') add('Watcher', values.version)
    }
    for (const { fact, subject, values } of factsOf(run)) {
      if (fact === NODE_BEFORE || fact === NODE_WORKED) addNode(subject.replace(/^node\//, ''), values)
    }
  }
  return [
    { name: 'Lockkeeper (report)', value: madeBy.version },
    ...[...found].map(([name, values]) => ({ name, value: values.join(' → ') })),
  ]

  function addNode(node: string, values: Readonly<Record<string, Json>>): void {
    for (const [key, name] of OF_NODES) add(`${name} of ${node}`, values[key])
  }
}
