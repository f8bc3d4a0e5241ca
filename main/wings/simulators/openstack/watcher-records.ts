import type { StrategySpec } from './watcher-goals.ts'

/** States of a ONESHOT audit (watcher/objects/audit.py). */
type AuditState = 'PENDING' | 'ONGOING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'

export type PlanState =
  | 'RECOMMENDED'
  | 'PENDING'
  | 'ONGOING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'SUPERSEDED'

export type ActionState = 'PENDING' | 'ONGOING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'SKIPPED'

export interface AuditTemplate {
  readonly uuid: string
  readonly name: string
  readonly description: string | null
  readonly strategy: StrategySpec
  readonly createdAt: number
}

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

/** The answer to an audit, and the state of its actions. */
export interface ActionPlan {
  readonly uuid: string
  readonly audit: Audit
  readonly actions: readonly Action[]
  readonly createdAt: number
  state: PlanState
  updatedAt: number | null
  statusMessage: string | null
}

/** Watcher's records, oldest first. Tests may read and change them. */
export interface WatcherRecords {
  readonly templates: AuditTemplate[]
  readonly audits: Audit[]
  readonly plans: ActionPlan[]
}
