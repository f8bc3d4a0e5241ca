import { z } from 'zod'
import { BatchOptions, JudgedBatches, OwnersList } from '../domain/batches.ts'
import { Estimate, WindowForecast } from '../domain/estimate.ts'
import { CheckedPlan } from '../domain/plan.ts'
import { Batch, MaintenanceWindow, WindowDraft, WindowPlan, WindowStanding } from '../domain/window.ts'
import { PlanChoices, RunSummary } from './run.ts'

/** A window with where it stands and the runs that belong to it, newest first. */
export const ListedWindow = z.strictObject({
  window: MaintenanceWindow,
  standing: WindowStanding,
  runs: z.array(RunSummary),
})
export type ListedWindow = z.infer<typeof ListedWindow>

/** A window as it was just written. `warnings`: what does not forbid it and is to be looked at before it begins. */
export const WrittenWindow = ListedWindow.extend({ warnings: z.array(z.string()) })
export type WrittenWindow = z.infer<typeof WrittenWindow>

const ById = z.strictObject({ id: z.string() })

export const windowRequests = {
  /** By their beginning, latest first. Null cluster: of all. */
  'window.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable(), limit: z.number().int().min(1).max(1000).optional() }),
    output: z.array(ListedWindow),
  },
  /** By its id, or the beginning of it. */
  'window.show': { effect: 'read', input: ById, output: ListedWindow },
  'window.create': { effect: 'journaled', input: z.strictObject({ draft: WindowDraft }), output: WrittenWindow },
  /** Refused when somebody changed it since `revision`; the cluster of a window stays. */
  'window.change': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), revision: z.number().int(), draft: WindowDraft }),
    output: WrittenWindow,
  },
  'window.note': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), note: z.enum(['remark', 'incident']), text: z.string().min(1) }),
    output: ListedWindow,
  },
  /** Refused while a run of it goes on. */
  'window.close': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), summary: z.string() }),
    output: ListedWindow,
  },
  'window.cancel': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), why: z.string().min(1) }),
    output: ListedWindow,
  },
  /** Makes the plan of what the window is for and runs every check; its id is what `run.start` takes. Touches nothing. */
  'window.plan': {
    effect: 'read',
    input: z.strictObject({ id: z.string(), choices: PlanChoices }),
    output: CheckedPlan,
  },
  /** Computes batches of these nodes that keep every rule. Only reads. */
  'batches.plan': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), nodes: z.array(z.string()).min(1), wish: BatchOptions }),
    output: JudgedBatches,
  },
  /** Judges batches as an operator arranged them, by the same rules. */
  'batches.judge': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), batches: z.array(Batch), wish: BatchOptions }),
    output: JudgedBatches,
  },
  'estimate.make': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), plan: WindowPlan }),
    output: Estimate,
  },
  /** Where an open window's work is heading, against its end. */
  'window.forecast': { effect: 'read', input: ById, output: WindowForecast },
  /** Whose instances wait for their owner or are powered off by a plan. */
  'owners.list': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      plan: WindowPlan,
      /** For the messages: when the work is announced for, in whose zone. */
      announced: z.strictObject({ startsAt: z.string(), endsAt: z.string(), timeZone: z.string() }).optional(),
    }),
    output: OwnersList,
  },
} as const

export const windowEvents = {
  /** A window was made or changed, here or by another process. */
  'window.changed': z.strictObject({ id: z.string(), cluster: z.string() }),
} as const
