import { z } from 'zod'
import { LATE_BY_MINUTES } from '../domain/agreed-start.ts'
import { BatchOptions, JudgedBatches, OwnersList } from '../domain/batches.ts'
import { CODED, Said } from '../domain/coded.ts'
import { Estimate, WindowForecast } from '../domain/estimate.ts'
import { OwnerMessages, SentMessage } from '../domain/mail.ts'
import { CheckedPlan, MaintenanceScope } from '../domain/plan.ts'
import { Batch, MaintenanceWindow, WindowDraft, WindowPlan, WindowStatus } from '../domain/window.ts'
import { WindowJudgement } from '../domain/window-judgement.ts'
import { PlanChoices, RunSummary } from './run.ts'

export const ListedWindow = z.strictObject({
  window: MaintenanceWindow,
  status: WindowStatus,
  runs: z.array(RunSummary),
})
export type ListedWindow = z.infer<typeof ListedWindow>

export const WrittenWindow = ListedWindow.extend({
  warnings: z.array(z.string()),
  findings: z.array(Said).optional(),
})
export type WrittenWindow = z.infer<typeof WrittenWindow>

export const AttendedStart = z.discriminatedUnion('kind', [
  /** Its time has not come, or a temporary problem delays it. */
  z.strictObject({ kind: z.literal('waits'), until: z.string(), trouble: z.string().nullable(), ...CODED }),
  z.strictObject({ kind: z.literal('started'), runId: z.string() }),
  z.strictObject({ kind: z.literal('missed'), why: z.string(), ...CODED }),
  /** No agreement, a withdrawn one, or another console has it. */
  z.strictObject({ kind: z.literal('not-ours') }),
])
export type AttendedStart = z.infer<typeof AttendedStart>

/** Absent: `os`, instances leave the node. */
const Scope = MaintenanceScope.optional()

const ById = z.strictObject({ id: z.string() })

export const windowRequests = {
  /** Latest beginning first. Null cluster: all. */
  'window.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable(), limit: z.number().int().min(1).max(1000).optional() }),
    output: z.array(ListedWindow),
  },
  'window.show': { effect: 'read', input: ById, output: ListedWindow },
  'window.create': { effect: 'journaled', input: z.strictObject({ draft: WindowDraft }), output: WrittenWindow },
  /** Refused if another change followed `revision`; the cluster of a window stays. */
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
  /** By the same checks as `window.plan`, also of a plan that is not saved. Nothing can be started by it. */
  'window.judge': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), plan: WindowPlan }),
    output: WindowJudgement,
  },
  'window.plan': {
    effect: 'read',
    input: z.strictObject({ id: z.string(), choices: PlanChoices }),
    output: CheckedPlan,
  },
  /** The window starts its shown plan automatically at its beginning. The new plan must match the confirmed one, and nothing may block. */
  'window.agree-start': {
    effect: 'journaled',
    input: z.strictObject({
      id: z.string(),
      planId: z.string(),
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
  /** For a waiting terminal: starts the window if its time has come, as an open console does. */
  'window.attend-start': {
    effect: 'journaled',
    input: ById,
    output: AttendedStart,
  },
  'batches.plan': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), nodes: z.array(z.string()).min(1), wish: BatchOptions, scope: Scope }),
    output: JudgedBatches,
  },
  'batches.judge': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), batches: z.array(Batch), wish: BatchOptions, scope: Scope }),
    output: JudgedBatches,
  },
  'estimate.make': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), plan: WindowPlan }),
    output: Estimate,
  },
  'window.forecast': { effect: 'read', input: ById, output: WindowForecast },
  /** As they would be sent now, with their addresses. Only reads. */
  'window.messages': { effect: 'read', input: ById, output: OwnerMessages },
  /** Sends the shown messages (`digest`). Skips projects with an earlier message unless `again`. Each is journaled before and after. */
  'window.notify': {
    effect: 'journaled',
    input: z.strictObject({ id: z.string(), digest: z.string(), again: z.boolean() }),
    output: z.strictObject({ sent: z.array(SentMessage) }),
  },
  'owners.list': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      plan: WindowPlan,
      announced: z.strictObject({ startsAt: z.string(), endsAt: z.string(), timeZone: z.string() }).optional(),
    }),
    output: OwnersList,
  },
} as const

export const windowEvents = {
  'window.changed': z.strictObject({ id: z.string(), cluster: z.string() }),
  /** A window did not start automatically: an operator must act. */
  'window.start-missed': z.strictObject({ id: z.string(), cluster: z.string(), title: z.string(), why: z.string() }),
} as const
