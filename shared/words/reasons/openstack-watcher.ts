import { type Names, someNames, type TextsOf } from '../steps/coded.ts'

type OfPlan = { readonly plan: string }

/** An action plan, and its state in Watcher's words. */
type PlanInState = OfPlan & { readonly state: string }

type OfAudit = { readonly audit: string }

type AuditById = OfAudit & { readonly id: string }

type OfStrategy = { readonly strategy: string }

/** Failures of Watcher. */
export const OPENSTACK_WATCHER_REASONS = {
  AuditStopped: ({ audit }: OfAudit) => `Stopped while Watcher made the audit ${audit}.`,
  AuditEnded: ({
    audit,
    id,
    strategy,
    state,
    output,
    host,
  }: AuditById &
    OfStrategy & { readonly state: string; readonly output: string | null; readonly host: string | null }) =>
    `The audit ${audit} (${id}) of strategy ${strategy} ended ${state}. ${whyEnded(output, host)} The log of watcher-decision-engine has more.`,
  AuditCancelled: ({ audit, id, plans }: AuditById & { readonly plans: Names }) =>
    `The audit ${audit} (${id}) was cancelled: Watcher makes no recommendation while an action plan is running${
      plans.total === 0 ? '' : `, now ${someNames(plans)}`
    }. Try again when it has ended.`,
  AuditLate: ({ audit, id, state, seconds }: AuditById & { readonly state: string | null; readonly seconds: number }) =>
    `The audit ${audit} (${id}) has ${state === null ? 'had no answer' : `been ${state}`} for more than ${seconds} s. Is watcher-decision-engine running?`,
  AuditWithoutPlan: ({ audit, id }: AuditById) =>
    `The audit ${audit} (${id}) succeeded, but Watcher has no action plan of it.`,
  PlanWithoutActions: ({ plan, state }: PlanInState) =>
    `Could not read the action plan ${plan}: Watcher lists no actions of it, although it is ${state}. Lockkeeper ignored that answer.`,
  ActionsOfPlanMissing: ({ plan, missing, total }: OfPlan & { readonly missing: number; readonly total: number }) =>
    `Could not read the action plan ${plan}: ${missing} of its ${total} actions are missing in Watcher's answer. Lockkeeper ignored that answer.`,
  PlanNotToBeStarted: ({ plan, state }: PlanInState) =>
    `Watcher's action plan ${plan} is ${state}: only a RECOMMENDED plan can start.`,
  PlanNotToBeCancelled: ({ plan, state }: PlanInState) =>
    `Watcher's action plan ${plan} is ${state}, so it cannot be cancelled any more.`,
  PlanNoRecommendation: ({ plan, state }: PlanInState) =>
    `Watcher's action plan ${plan} is ${state}: it is no longer a recommendation.`,
  WatcherCannotSkip: ({ needed, version }: { readonly needed: string; readonly version: string | null }) =>
    `This Watcher cannot skip one action of a plan: it needs API ${needed}, this one has ${version ?? 'none'}.`,

  // Why an answer is invalid.
  ActionNotSkipped: () => 'another action, or one not skipped',
} satisfies TextsOf<string>

/** Before microversion 1.5 Watcher does not show why an audit failed, so the text names the likeliest cause. */
function whyEnded(output: string | null, host: string | null): string {
  if (output !== null) return `Watcher says: ${output}`
  return host === null
    ? 'Watcher does not say why.'
    : `Watcher does not say why. Does it know the host ${host}? Its model of the cloud may be old.`
}

/** Requests to Watcher. */
export const OPENSTACK_WATCHER_CALLS = {
  AskFigures: ({ strategy }: OfStrategy) => `ask Watcher for the data of its strategy ${strategy}`,
  ReadStrategy: ({ strategy }: OfStrategy) => `read Watcher's strategy ${strategy}`,
  MakeAudit: ({ audit }: OfAudit) => `make the audit ${audit}`,
  ReadAudit: ({ audit }: OfAudit) => `read the audit ${audit}`,
  ListAudits: () => 'list the audits',
  ListActionPlans: () => 'list the action plans',
  FindPlanOfAudit: ({ id }: { readonly id: string }) => `find the action plan of the audit ${id}`,
  ReadActionPlan: ({ plan }: OfPlan) => `read the action plan ${plan}`,
  ListActionsOfPlan: ({ plan }: OfPlan) => `list the actions of the action plan ${plan}`,
  StartActionPlan: ({ plan }: OfPlan) => `start the action plan ${plan}`,
  CancelActionPlan: ({ plan }: OfPlan) => `cancel the action plan ${plan}`,
  SkipAction: ({ action }: { readonly action: string }) => `skip the action ${action}`,
  NameHostsOfPlan: () => "name the hosts of Watcher's plan",
  NameInstancesOfPlan: () => "name the instances of Watcher's plan",
} satisfies TextsOf<string>
