import type { ListedWindow } from '../../shared/contract/index.ts'
import { LATE_BY_MINUTES, type PlanSeal } from '../../shared/domain/agreed-start.ts'
import { minutes } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type CheckedPlan, isDisruptive, type Plan } from '../../shared/domain/plan.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import { type MaintenanceWindow, type WindowEventBody, whatIsAnnounced } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type AttendantServices, createStartAttendant, type StartAttendant } from './attend-starts.ts'
import { sealOf } from './plan-seal.ts'
import { createWindowReader } from './window-reader.ts'
import { whyEnded } from './window-rules.ts'

/** Windows that start automatically at their beginning, because an operator agreed. */
export interface AgreedStarts extends StartAttendant {
  shown(window: MaintenanceWindow, checked: CheckedPlan): void
  agree(wish: {
    readonly id: string
    readonly planId: string
    readonly typedCluster: string | undefined
    readonly lateByMinutes: number
  }): Result<ListedWindow>
  takeBack(id: string, why: string): Result<ListedWindow>
}

/** A plan shown longer ago must be made again. */
const SHOWN_FOR_MS = minutes(5)
const SHOWN_KEPT = 20

interface ShownPlan {
  readonly plan: Plan
  readonly seal: PlanSeal
  readonly startable: boolean
  readonly atMs: number
  /** The window's announced content when the plan was shown. */
  readonly announced: string
}

export function createAgreedStarts(services: AttendantServices): AgreedStarts {
  const { clock, clusters, runs, windows, onWritten } = services
  const windowReader = createWindowReader(services)
  const { operator: by, machine } = runs.driver
  const shown = new Map<string, ShownPlan>()

  const write = ({ id, cluster, revision }: MaintenanceWindow, body: WindowEventBody): Result<ListedWindow> => {
    const written = windows.record({ id, cluster }, body, revision)
    if (!written.ok) return written
    onWritten({ id, cluster })
    return windowReader.find(id)
  }

  return {
    ...createStartAttendant(services),
    shown: (window, checked) => {
      shown.set(checked.plan.id, {
        announced: whatIsAnnounced(window),
        plan: checked.plan,
        seal: sealOf(checked),
        atMs: clock.now(),
        startable: checked.startable,
      })
      for (const old of [...shown.keys()].slice(0, -SHOWN_KEPT)) shown.delete(old)
    },
    agree: ({ id, planId, typedCluster, lateByMinutes }) => {
      const found = windowReader.find(id)
      if (!found.ok) return found
      const { window, status } = found.value
      const seen = shown.get(planId)
      const why = whyEnded(window, 'start') ?? whyNotAhead(window, status)
      if (why !== null) return failed(why)
      const isOf = seen?.plan.window?.kind === 'in' && seen.plan.window.id === window.id
      if (
        seen === undefined ||
        !isOf ||
        seen.announced !== whatIsAnnounced(window) ||
        clock.now() - seen.atMs > SHOWN_FOR_MS
      )
        return failed(notShown(window))
      if (!seen.startable)
        return failed(refusal('checks-failed', because('AgreedPlanNotStartable'), { target: `window/${window.id}` }))
      const cluster = clusters.get(window.cluster)
      if (!cluster.ok) return cluster
      const mustType = cluster.value.production && isDisruptive(seen.plan)
      if (mustType && typedCluster !== window.cluster)
        return failed(
          refusal('bad-input', because('ClusterNameNotTyped', { cluster: window.cluster }), {
            target: `cluster/${window.cluster}`,
          }),
        )
      const lateByMs = minutes(Math.min(Math.max(lateByMinutes, LATE_BY_MINUTES.least), LATE_BY_MINUTES.most))
      const written = write(window, {
        kind: 'start-agreed',
        startsAt: window.startsAt,
        lateByMs,
        options: seen.plan.options,
        seal: seen.seal,
        typedCluster: mustType,
        by,
        machine,
      })
      if (written.ok) shown.delete(planId)
      return written
    },
    takeBack: (id, why) => {
      const found = windowReader.find(id)
      if (!found.ok) return found
      const { start } = found.value.window
      return start?.state.kind === 'waits'
        ? write(found.value.window, { kind: 'start-taken-back', why, by })
        : failed(nothingToTakeBack(found.value.window))
    },
  }
}

function whyNotAhead({ id, title }: MaintenanceWindow, status: ListedWindow['status']): Failure | null {
  if (status === 'planned') return null
  return refusal('conflict', because('WindowNotAhead', { window: id, title }), { target: `window/${id}` })
}

function notShown({ id }: MaintenanceWindow): Failure {
  return refusal('conflict', because('AgreedPlanNotShown'), { target: `window/${id}` })
}

function nothingToTakeBack({ id, title }: MaintenanceWindow): Failure {
  return refusal('conflict', because('StartNotAgreed', { window: id, title }), { target: `window/${id}` })
}
