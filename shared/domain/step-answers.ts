import { z } from 'zod'
import { CODED } from './coded.ts'
import { alsoUnder } from './earlier-names.ts'
import { Json } from './json.ts'

/** One object that was read for an answer: when, and the values that mattered (style G20). */
export const Evidence = z.strictObject({
  /** The object, such as `node/cmp-1`, `server/6f1c… (vm-01)`, `nova-compute on cmp-1`. */
  subject: z.string(),
  readAt: z.string(),
  values: z.record(z.string(), Json),
})
export type Evidence = z.infer<typeof Evidence>

/** The overrides an operator may give; each needs a reason, which is journaled. */
export const OverrideFlag = z.enum(['force', 'allow-downtime', 'allow-data-loss'])
export type OverrideFlag = z.infer<typeof OverrideFlag>

/** Whether a blocker may be overridden, and how; `never` says why not. */
export const OverrideRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('flag'), flag: OverrideFlag }),
  z.strictObject({ kind: z.literal('never'), why: z.string() }),
])
export type OverrideRule = z.infer<typeof OverrideRule>

/** A temporary condition, and how long the server asked to wait; 0: not given. */
export const Passing = z.strictObject({ retryAfterMs: z.number().nonnegative() })
export type Passing = z.infer<typeof Passing>

/** One reason why a step cannot continue, with what an operator can do about it. */
export const Blocker = z.strictObject({
  /** Stable name of the condition, such as `InstanceInError` (docs/terminal.md). */
  code: z.string(),
  /** Values of its message; absent in journals of earlier versions. */
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  remedy: z.string(),
  override: OverrideRule,
  /** The world could not be read just now, which may be temporary. */
  passing: Passing.optional(),
  /** In the middle of a run, an operator may continue in spite of it, with a reason. */
  mayGoOn: z.literal(true).optional(),
  /** It already existed when the plan was confirmed: an override given then was not for it. */
  sinceConfirmed: z.literal(true).optional(),
})
export type Blocker = z.infer<typeof Blocker>

export const drainedPod = {
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  fate: z.enum(['evict', 'delete', 'keep', 'block']),
  reason: z.string(),
  /** Code of the reason; absent: no reason, or a plan of an earlier version. */
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
  /** A change to the node or a service: cordon, disable, enable. */
  z.strictObject({ kind: z.literal('change'), target: z.string(), from: z.string(), to: z.string() }),
  z.strictObject({
    kind: z.literal('instance'),
    id: z.string(),
    name: z.string(),
    status: z.string(),
    /** Its project and Nova's number of its power state, if the step knows them: the report shows them as the state before. */
    projectId: z.string().nullable().optional(),
    powerState: z.number().nullable().optional(),
    /** `cold_migrate`: moves while stopped; `evacuate`: is rebuilt on another host because its machine is off; `stop`: stops on its host. */
    action: z.enum(['live_migrate', 'cold_migrate', 'evacuate', 'stop', 'poweroff', 'notify', 'ignore', 'blocked']),
    /** What decided the action: the instance's tag, the host's mode, its state, Watcher's plan, or the operator. */
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

/** One counted object by its unique id. When it is missing from every list, a verify must prove that it is gone (docs/decisions/0025). */
export const Counted = z.strictObject({
  /** `pod-leaving`, `pod-staying`, `lock`, `instance`, `osd` and others; each step chooses what it counts. */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  values: z.record(z.string(), Json).default({}),
})
export type Counted = z.infer<typeof Counted>

/** A warning of a check; an earlier version wrote only its text. */
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

/** A step's answer to "may this continue?". It only reads. */
export const CheckAnswer = z.discriminatedUnion('kind', [
  /** Nothing to do: the world is already as the step would make it. */
  z.strictObject({
    kind: z.literal('done'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  /** Passes; `effects` is what apply will do. */
  z.strictObject({
    kind: z.literal('ready'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  /** Fails. */
  z.strictObject({
    kind: z.literal('blocked'),
    blockers: z.array(Blocker),
    ...found,
  }),
])
export type CheckAnswer = z.infer<typeof CheckAnswer>

/** A step's answer to "is it done, in the world, now?". */
export const VerifyAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), ...CODED, reason: z.string(), evidence: z.array(Evidence) }),
  z.strictObject({
    kind: z.literal('fails'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False when polling longer cannot help. */
    mayStillHold: z.boolean(),
  }),
  /** Unknown: no answer, or an answer that proves nothing. It never counts as verified, nor as failed. */
  z.strictObject({
    kind: z.literal('cannot-tell'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False when polling longer cannot help. */
    mayStillHold: z.boolean(),
    /** Unknown because the world could not be read just now. */
    passing: Passing.optional(),
  }),
])
export type VerifyAnswer = z.infer<typeof VerifyAnswer>
