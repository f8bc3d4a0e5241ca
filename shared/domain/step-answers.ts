import { z } from 'zod'
import { CODED } from './coded.ts'
import { alsoUnder } from './earlier-names.ts'
import { Json } from './json.ts'

/** One object that was read for an answer (style G20). */
export const Evidence = z.strictObject({
  /** For example, `node/cmp-1`, `server/6f1c… (vm-01)`, `nova-compute on cmp-1`. */
  subject: z.string(),
  readAt: z.string(),
  values: z.record(z.string(), Json),
})
export type Evidence = z.infer<typeof Evidence>

/** An override needs a reason, which is journaled. */
export const OverrideFlag = z.enum(['force', 'allow-downtime', 'allow-data-loss'])
export type OverrideFlag = z.infer<typeof OverrideFlag>

/** The flag that lifts a blocker; `never` says why there is none. */
export const OverrideRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('flag'), flag: OverrideFlag }),
  z.strictObject({ kind: z.literal('never'), why: z.string() }),
])
export type OverrideRule = z.infer<typeof OverrideRule>

/** A temporary condition. 0: the server asked for no wait. */
export const Passing = z.strictObject({ retryAfterMs: z.number().nonnegative() })
export type Passing = z.infer<typeof Passing>

/** Why a step cannot continue, with what an operator can do about it. */
export const Blocker = z.strictObject({
  /** Stable, such as `InstanceInError` (docs/terminal.md). */
  code: z.string(),
  /** Absent in journals of earlier versions. */
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  remedy: z.string(),
  override: OverrideRule,
  passing: Passing.optional(),
  /** In a run, an operator may continue in spite of it, with a reason. */
  mayGoOn: z.literal(true).optional(),
  /** It appeared after the plan was confirmed: an override given before was not for it. */
  sinceConfirmed: z.literal(true).optional(),
})
export type Blocker = z.infer<typeof Blocker>

export const drainedPod = {
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  fate: z.enum(['evict', 'delete', 'keep', 'block']),
  reason: z.string(),
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  warnings: z.array(z.string()),
  budgets: z.array(
    alsoUnder(
      { standing: 'status' },
      z.strictObject({
        name: z.string(),
        disruptionsAllowed: z.number(),
        currentHealthy: z.number(),
        desiredHealthy: z.number(),
        /** What it means for this pod; absent in plans of earlier versions. */
        status: z.enum(['allows', 'refuses', 'behind', 'passed']).optional(),
      }),
    ),
  ),
}

/** What a step will do to one object, shown before anything changes. */
export const Effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('change'), target: z.string(), from: z.string(), to: z.string() }),
  z.strictObject({
    kind: z.literal('instance'),
    id: z.string(),
    name: z.string(),
    status: z.string(),
    /** If the step knows them: the report shows them as the state before. */
    projectId: z.string().nullable().optional(),
    powerState: z.number().nullable().optional(),
    /** `cold_migrate`: moves while stopped; `evacuate`: is rebuilt on another host; `stop`: stops on its host. */
    action: z.enum(['live_migrate', 'cold_migrate', 'evacuate', 'stop', 'poweroff', 'notify', 'ignore', 'blocked']),
    /** The instance's tag, the host's mode, its state, Watcher's plan, or the operator. */
    source: z.enum(['tag', 'host-mode', 'state', 'watcher', 'operator']),
    reason: z.string(),
    warnings: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('pod'),
    ...drainedPod,
  }),
])
export type Effect = z.infer<typeof Effect>

/** One object by its unique id. A verify must prove that a missing one is gone (docs/decisions/0025). */
export const Counted = z.strictObject({
  /** Each step chooses what it counts: `pod-leaving`, `lock`, `instance`, `osd` and others. */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  values: z.record(z.string(), Json).default({}),
})
export type Counted = z.infer<typeof Counted>

/** An earlier version wrote only its text. */
export const Warning = z.preprocess(
  written => (typeof written === 'string' ? { code: 'Untold', values: {}, message: written } : written),
  z.strictObject({ code: z.string(), values: z.record(z.string(), Json), message: z.string() }),
)
export type Warning = z.infer<typeof Warning>

const found = {
  evidence: z.array(Evidence),
  warnings: z.array(Warning),
  effects: z.array(Effect),
  counted: z.array(Counted).optional(),
}

/** "May this continue?" A check only reads. */
export const CheckAnswer = z.discriminatedUnion('kind', [
  /** The step has nothing to do: the world is already as the step would make it. */
  z.strictObject({
    kind: z.literal('done'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  z.strictObject({
    kind: z.literal('ready'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  z.strictObject({
    kind: z.literal('blocked'),
    blockers: z.array(Blocker),
    ...found,
  }),
])
export type CheckAnswer = z.infer<typeof CheckAnswer>

/** "Is it done, in the world, now?" */
export const VerifyAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), ...CODED, reason: z.string(), evidence: z.array(Evidence) }),
  z.strictObject({
    kind: z.literal('fails'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False if polling longer cannot help. */
    mayStillHold: z.boolean(),
  }),
  /** No answer, or one that proves nothing: neither verified nor failed. */
  z.strictObject({
    kind: z.literal('cannot-tell'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False if polling longer cannot help. */
    mayStillHold: z.boolean(),
    passing: Passing.optional(),
  }),
])
export type VerifyAnswer = z.infer<typeof VerifyAnswer>
