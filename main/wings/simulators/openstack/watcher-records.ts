import type { StrategySpec } from './watcher-goals.ts'

/** States of an audit (WA watcher/objects/audit.py), as far as a ONESHOT audit has them. */
type AuditState = 'PENDING' | 'ONGOING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'

/** States of an action plan. */
export type PlanState =
  | 'RECOMMENDED'
  | 'PENDING'
  | 'ONGOING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'SUPERSEDED'

/** States of an action. */
export type ActionState = 'PENDING' | 'ONGOING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'SKIPPED'

/** What an audit is made from. */
export interface AuditTemplate {
  readonly uuid: string
  readonly name: string
  readonly description: string | null
  readonly strategy: StrategySpec
  readonly createdAt: number
}

/** A question to the decision engine. */
export interface Audit {
  readonly uuid: string
  readonly name: string
  readonly strategy: StrategySpec
  readonly parameters: Readonly<Record<string, unknown>>
  readonly force: boolean
  readonly createdAt: number
  state: AuditState
  updatedAt: number | null
  statusMessage: string | null
}

/** One thing the applier is to do. */
export interface Action {
  readonly uuid: string
  readonly type: 'change_nova_service_state' | 'migrate' | 'stop'
  readonly input: Readonly<Record<string, string>> & { readonly resource_id: string }
  readonly parents: readonly string[]
  readonly createdAt: number
  state: ActionState
  updatedAt: number | null
  statusMessage: string | null
}

/** The answer to an audit, and what became of it. */
export interface ActionPlan {
  readonly uuid: string
  readonly audit: Audit
  readonly actions: readonly Action[]
  readonly createdAt: number
  state: PlanState
  updatedAt: number | null
  statusMessage: string | null
}

/** What the embedded Watcher keeps; oldest first. Tests may read and change it. */
export interface WatcherRecords {
  readonly templates: AuditTemplate[]
  readonly audits: Audit[]
  readonly plans: ActionPlan[]
}
