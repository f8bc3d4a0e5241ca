import { z } from 'zod'
import { LATE_BY_MINUTES } from '../domain/agreed-start.ts'
import { BatchOptions, JudgedBatches, OwnersList } from '../domain/batches.ts'
import { CODED, Said } from '../domain/coded.ts'
import { Estimate, WindowForecast } from '../domain/estimate.ts'
import { OwnerMessages, SentMessage } from '../domain/mail.ts'
import { CheckedPlan } from '../domain/plan.ts'
import { Batch, MaintenanceWindow, WindowDraft, WindowPlan, WindowStatus } from '../domain/window.ts'
import { PlanChoices, RunSummary } from './run.ts'

/** A window with where it stands and the runs that belong to it, newest first. */
export const ListedWindow = z.strictObject({
  window: MaintenanceWindow,
  status: WindowStatus,
  runs: z.array(RunSummary),
})
export type ListedWindow = z.infer<typeof ListedWindow>

/** A window as it was just written. `warnings`: what does not forbid it and is to be looked at before it begins. */
export const WrittenWindow = ListedWindow.extend({
  warnings: z.array(z.string()),
  /** The same by codes. */
  findings: z.array(Said).optional(),
})
export type WrittenWindow = z.infer<typeof WrittenWindow>

/** What came of a look at a window that is to start by itself. */
export const AttendedStart = z.discriminatedUnion('kind', [
  /** Its time has not come, or what kept it from starting may pass. */
  z.strictObject({ kind: z.literal('waits'), until: z.string(), trouble: z.string().nullable(), ...CODED }),
  z.strictObject({ kind: z.literal('started'), runId: z.string() }),
  z.strictObject({ kind: z.literal('missed'), why: z.string(), ...CODED }),
  /** Nobody agreed to it, it was taken back, or another console has it. */
  z.strictObject({ kind: z.literal('not-ours') }),
])
export type AttendedStart = z.infer<typeof AttendedStart>

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
  /**
   * Keeps that the window starts by itself at its beginning: the plan that was shown (`planId`), no later than so many minutes after. It is made and
   * checked afresh then, and starts only if it is what was confirmed and nothing blocks.
   */
  'window.agree-start': {
    effect: 'journaled',
    input: z.strictObject({
      id: z.string(),
      planId: z.string(),
      /** As `run.start` takes it. */
      typedCluster: z.string().optional(),
      lateByMinutes: z.number().int().min(LATE_BY_MINUTES.least).max(LATE_BY_MINUTES.most),
    }),
    output: ListedWindow,
  },
  'window.take-back-start': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), why: z.string().min(1) }),
    output: ListedWindow,
  },
  /** For a terminal that waits: starts the window if its time has come, as a console that stays open does by itself. */
  'window.attend-start': {
    effect: 'journaled',
    input: ById,
    output: AttendedStart,
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
  /** The messages to the owners of a window's projects as they would be sent now, with whom they would go to. Only reads. */
  'window.messages': { effect: 'read', input: ById, output: OwnerMessages },
  /**
   * Sends the messages that were shown (`digest`), those with an address. A project to which something was sent or may have been is left out, unless
   * `again`. Each is journaled before it is sent, and what came of it after.
   */
  'window.notify': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), digest: z.string(), again: z.boolean() }),
    output: z.strictObject({ sent: z.array(SentMessage) }),
  },
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
  /** A window did not start by itself, as this console found: somebody has to look. */
  'window.start-missed': z.strictObject({ id: z.string(), cluster: z.string(), title: z.string(), why: z.string() }),
} as const
