import type { ReportPod } from '../../shared/domain/report.ts'
import {
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factText,
  POD_FAILED,
  POD_HELD,
  POD_LEFT,
} from '../../shared/domain/run-facts.ts'
import { factsOf, isOver, type Material, type ReportedRun, type ToldFact } from './material.ts'

/** Said of a pod whose eviction was taken and whose end nobody saw. */
const EVICTION_TAKEN = 'Its eviction was taken; nobody saw it leave.'

/** A pod of a report, and whether the API server took its eviction, as far as the journal knows. */
export interface AskedPod {
  readonly pod: ReportPod
  readonly isEvicted: boolean
}

/** Every pod that was asked to leave a node, with the budgets it waited for. */
export function buildPods({ runs }: Pick<Material, 'runs'>): readonly AskedPod[] {
  return runs.flatMap(run =>
    [...Map.groupBy(factsOf(run).filter(isAboutPods), podKey).values()].map(facts => podFrom(facts, run)),
  )
}

/** A pod that comes again has another UID: it is another pod. */
function podKey(fact: ToldFact): string {
  return `${fact.subject}\n${factText(fact, 'uid') ?? ''}\n${fact.node}`
}

function podFrom(facts: readonly ToldFact[], run: ReportedRun): AskedPod {
  const asked = facts.find(({ fact }) => fact === EVICTION_REQUESTED)
  const left = facts.findLast(({ fact }) => fact === POD_LEFT)
  const accepted = facts.findLast(({ fact }) => fact === EVICTION_ACCEPTED)
  const held = facts.findLast(({ fact }) => fact === POD_HELD)
  const broken = facts.findLast(({ fact }) => fact === POD_FAILED)
  const refused = facts.filter(({ fact }) => fact === EVICTION_REFUSED)
  const [, namespace = '', ...name] = (facts[0]?.subject ?? '').split('/')
  const end = accepted ?? left
  const pod: ReportPod = {
    namespace,
    name: name.join('/'),
    node: facts[0]?.node ?? '',
    runId: run.view.id,
    how: asked === undefined ? 'evict' : (factText(asked, 'how') ?? 'evict'),
    askedAt: asked?.at ?? null,
    leftAt: left?.at ?? null,
    refusals: distinct(refused),
    waitedMs: waited(refused[0], end),
    ...outcomeOf({ left, accepted, held, broken, refused: refused.at(-1) }, run),
  }
  return { pod, isEvicted: left !== undefined || (accepted !== undefined && broken === undefined) }
}

/** 0: no budget held it. Null: one did, and the end of that is not in the journal. */
function waited(first: ToldFact | undefined, end: ToldFact | undefined): number | null {
  if (first === undefined) return 0
  return end === undefined ? null : Math.max(0, Date.parse(end.at) - Date.parse(first.at))
}

function outcomeOf(
  ends: Readonly<Record<'left' | 'accepted' | 'held' | 'broken' | 'refused', ToldFact | undefined>>,
  run: ReportedRun,
): Pick<ReportPod, 'outcome' | 'words'> {
  const { left, accepted, held, broken, refused } = ends
  if (left !== undefined) return { outcome: 'left', words: 'Left the node.' }
  if (broken !== undefined) {
    return { outcome: 'failed', words: factText(broken, 'message') ?? 'Could not be evicted.' }
  }
  if (accepted !== undefined) {
    const keeps = held === undefined ? null : factText(held, 'by')
    return { outcome: 'asked', words: keeps === null ? EVICTION_TAKEN : `${EVICTION_TAKEN} It was kept by ${keeps}.` }
  }
  const goesOn = !isOver(run) && !run.interrupted
  const why = refused === undefined ? 'No answer is in the journal.' : (factText(refused, 'sentence') ?? '')
  return goesOn ? { outcome: 'under-way', words: `Is to leave. ${why}` } : { outcome: 'asked', words: why }
}

/** A budget refuses every few seconds in the same words: the first time is enough. */
function distinct(refused: readonly ToldFact[]): ReportPod['refusals'] {
  const said = new Map<string, string>()
  for (const fact of refused) {
    const words = factText(fact, 'sentence') ?? 'refused'
    if (!said.has(words)) said.set(words, fact.at)
  }
  return [...said].map(([words, at]) => ({ at, words }))
}

function isAboutPods({ fact }: ToldFact): boolean {
  return POD_FACTS.has(fact)
}

const POD_FACTS: ReadonlySet<string> = new Set([
  EVICTION_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  POD_HELD,
  POD_LEFT,
  POD_FAILED,
])
