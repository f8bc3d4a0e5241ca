import type { MaintenanceWindow, WindowStatus } from '../../domain/window.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { zonedText } from '../../grammar/times.ts'
import {
  type Cause,
  type Finding,
  messagesOf,
  type Names,
  type OfCluster,
  type OfNode,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'
import { whyNotOpen, windowLabel } from '../windows.ts'

/** One window, which its title does not tell from others. */
type OfWindow = { readonly window: string; readonly title: string }

/** A window that was ended: closed, or with `why` cancelled; and what may not be done with it any more. */
type Ended = OfWindow & {
  readonly by: string
  readonly at: string
  readonly why: string | null
  readonly doing: 'announce' | 'cancel' | 'change' | 'close' | 'start'
}

/** A run of a window that is not over. */
type OpenRun = { readonly run: string; readonly subject: string; readonly condition: string }

/** A window in which nothing may be started now; `next`: what can be done. */
type NotOpen = OfWindow &
  Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'timeZone' | 'closed' | 'cancelled'> & {
    readonly status: WindowStatus
    readonly next: 'change-times' | 'make-another' | 'make-another-or-outside' | 'change-or-outside' | 'wait-or-change'
  }

/** What a plan made now has that was not confirmed; `whole`: how all of the work is done. */
type NotAgreed = {
  readonly whole: boolean
  readonly nodes: Names
  readonly down: Names
  readonly lifted: readonly string[]
}

/** How many windows a text lists that begin alike. */
const MOST_LISTED = 50

/** Texts of windows and starts agreed in advance. */
export const WINDOWS_REASONS = {
  AgreedStartBlocked: ({ blockers, total }: { readonly blockers: readonly Finding[]; readonly total: number }) =>
    `Its checks do not hold: ${messagesOf(blockers)}${total > blockers.length ? ` And ${total - blockers.length} more.` : ''}`,
  AgreedPlanLost: () => 'The plan was not kept.',
  AgreedPlanNotShown: () =>
    'The plan that is to be confirmed is not the one in hand: the window was changed since it was shown, or that was more than five minutes ago. Check again first. Nothing was kept.',
  AgreedPlanNotStartable: () => 'Its checks do not hold, so there is nothing to agree to. Nothing was kept.',
  ClusterBecameProduction: ({ cluster }: OfCluster) =>
    `${cluster} is a production cluster now, and its name was not typed.`,
  ClusterNameNotTyped: ({ cluster }: OfCluster) =>
    `${cluster} is a production cluster and this plan is disruptive: type the cluster's name, ${cluster}, exactly. Nothing was kept.`,
  EstimateTooSlow: () => 'The cluster did not answer in time for an estimate.',
  ForecastMeasured: ({ instances, atOnce, migrations }: Moving & { readonly migrations: number }) =>
    `${counted(instances, 'instance')}, ${atOnce} at once, by ${counted(migrations, 'migration')} measured on this cluster, by memory: usual time, and what nine in ten stay below.`,
  ForecastNothingMoves: () => 'This plan moves no instance.',
  ForecastNotMade: () => 'How long its moves take is not forecast.',
  ForecastNotMeasured: ({ instances, atOnce }: Moving) =>
    `${counted(instances, 'instance')}, ${atOnce} at once. No move was measured on this cluster yet: the first run here will tell.`,
  OutsideWindowForMachineOff: ({ reported }: { readonly reported: string }) => `a machine that is off: ${reported}`,
  MailNotJournaled: ({ outcome, cause }: { readonly outcome: string } & Cause) =>
    `${outcome} This could not be written down: ${cause}`,
  MailNotSent: ({ cause }: Cause) => `Not sent: ${cause}`,
  OwnersMayBeMissing: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Instances on ${nodes.join(', ')} could not be read: owners may be missing.`,
  OwnersNodesMissing: ({ cluster, nodes }: OfCluster & { readonly nodes: readonly string[] }) =>
    `${cluster} has no node ${nodes.join(', ')} now.`,
  PlanGone: () => 'The plan is no longer at hand. Make it again, read it, then start it.',
  PlanNotAsAgreed: ({ whole, nodes, down, lifted }: NotAgreed) =>
    [
      ...(whole
        ? ['How the work is done changed since it was confirmed (settings of the cluster, or the release).']
        : nodes.total === 0
          ? []
          : [`What would be done to ${someNames(nodes)} is not what was confirmed.`]),
      ...(down.total === 0
        ? []
        : [`${someNames(down)} would go down or wait for an owner, and was not shown when it was confirmed.`]),
      ...lifted.map(
        blocker =>
          `A check blocks that did not when it was confirmed, and the override was not given for it: ${blocker}`,
      ),
    ].join(' '),
  ProjectsNamedByIds: ({ cause }: Cause) => `Projects are named by their ids: ${cause}`,
  /** `given`: the beginning of an id. */
  SeveralWindowsBegin: ({ given, windows }: { readonly given: string; readonly windows: Names }) =>
    `"${given}" begins several windows: ${someNames(windows, MOST_LISTED)}. Give more of it.`,
  StartedByHand: ({ run }: { readonly run: string }) => `run ${run} was started by hand.`,
  StartingConsoleEnded: ({ machine }: { readonly machine: string }) =>
    `The console on ${machine} ended in the moment in which it was to start it. No run began.`,
  StartNotAgreed: (window: OfWindow) =>
    `Window ${labelOf(window)} does not wait to start by itself: there is nothing to take back.`,
  StartTooLate: ({ until, timeZone }: Late) =>
    `No console was open and awake to start it by ${zonedText(until, timeZone)}. Nothing was touched.`,
  StartTooLateAfterTrouble: ({ until, timeZone, trouble }: Late & { readonly trouble: Trouble }) =>
    `It was tried until ${zonedText(until, timeZone)}. ${trouble.message} Nothing was touched.`,
  WindowEndsBeforeItStarts: ({ startsAt, endsAt, timeZone }: Times) =>
    `A window ends after it starts: this one would start at ${zonedText(startsAt, timeZone)} and end at ${zonedText(endsAt, timeZone)} (${timeZone}).`,
  WindowPlansNodeTwice: ({ node }: OfNode) => `${node} is planned more than once. Leave it in one place.`,
  WindowTimeZoneUnknown: ({ timeZone }: Pick<Times, 'timeZone'>) =>
    `There is no time zone "${timeZone}": give one such as Europe/Berlin, or UTC.`,
  WindowEnded: ({ by, at, why, doing, ...window }: Ended) =>
    `Window ${labelOf(window)} was ${why === null ? `closed by ${by} at ${at}` : `cancelled by ${by} at ${at}: ${why}`}, so it cannot be ${DONE[doing]} any more. A note can still be added; for more work make another window.`,
  WindowEndIsPast: () => 'Its end is past already: nothing can be started in it.',
  WindowHasRuns: ({
    runs,
    doing,
    ...window
  }: OfWindow & { readonly runs: readonly OpenRun[]; readonly doing: string }) =>
    `Window ${labelOf(window)} has runs that are not over: ${someOf(runs.map(openRunWords))}. Let them end, resume or abort them, then ${doing} it.`,
  WindowKeepsCluster: ({ cluster, wanted, ...window }: OfWindow & OfCluster & { readonly wanted: string }) =>
    `Window ${labelOf(window)} is one of cluster ${cluster} and stays so. Make another window for ${wanted}.`,
  WindowNodesMissing: ({ cluster, nodes }: OfCluster & { readonly nodes: Names }) =>
    `${cluster} has no node ${someNames(nodes)} now: the plan cannot be started until it has, or they are taken out.`,
  WindowNodesNotRead: ({ cluster, cause }: OfCluster & Cause) =>
    `Whether ${cluster} has the planned nodes was not looked at: ${cause}`,
  WindowNodesTooSlow: ({ cluster }: OfCluster) =>
    `Whether ${cluster} has the planned nodes was not looked at: the cluster did not answer in time.`,
  WindowNotAhead: (window: OfWindow) =>
    `Window ${labelOf(window)} is not ahead any more, so it cannot start by itself. Start it by hand while it is open.`,
  WindowNotOpen: ({ window, status, next, ...times }: NotOpen) =>
    `${whyNotOpen({ id: window, ...times }, status) ?? ''} Nothing was started. ${nextWords(window, next)}`,
  WindowOfOtherCluster: ({ cluster, planned, ...window }: OfWindow & OfCluster & { readonly planned: string }) =>
    `Window ${labelOf(window)} is one of cluster ${cluster}, and this run works on ${planned}. Nothing was started.`,
  WindowsAtOnce: ({ cluster, ...window }: OfWindow & OfCluster) =>
    `Window ${labelOf(window)} is on ${cluster} at the same time: while both are open, a run has to say to which one it belongs.`,
  WindowStartLost: () =>
    'It does not start by itself any more, for it was changed: check the plan and agree to it again.',
  WindowsOpen: ({ cluster, windows }: OfCluster & { readonly windows: readonly OfWindow[] }) =>
    `${windows.length} windows are open on ${cluster}: ${windows.map(labelOf).join(', ')}. Nothing was started. Say to which one the run belongs (--window ID).`,
  NoWindowOpen: ({ cluster, next }: OfCluster & { readonly next: NextWindow | null }) =>
    `No maintenance window is open on ${cluster}.${next === null ? '' : ` The next, ${labelOf(next)}, begins at ${zonedText(next.startsAt, next.timeZone)} (${next.timeZone}).`} Nothing was started. Wait for a window, make one, or start outside any and say why (--outside-window REASON).`,
  WindowUnknown: ({ given }: { readonly given: string }) =>
    `There is no window "${given}". \`lockkeeper window list\` lists them.`,
  WindowUnreadable: ({ window, events }: { readonly window: string; readonly events: number }) =>
    `Window ${window} cannot be read: the first of its events in the journal (${events}) is not its creation. Its runs are not affected; \`lockkeeper journal check\` says more.`,
  WindowWithoutPlan: (window: OfWindow) =>
    `Window ${labelOf(window)} has no plan: its runs are started one by one. Give it batches or an update first, or enter a node within it.`,
} satisfies TextsOf<string>

type Times = { readonly startsAt: string; readonly endsAt: string; readonly timeZone: string }

type Moving = { readonly instances: number; readonly atOnce: number }

/** Until when a window might have started by itself. */
type Late = { readonly until: string; readonly timeZone: string }

/** What kept it from starting: by a code, or in the words of another program. */
type Trouble = Pick<Finding, 'message'> & Partial<Finding>

type NextWindow = OfWindow & { readonly startsAt: string; readonly timeZone: string }

/** What cannot be done with a window that was ended. */
const DONE: Readonly<Record<Ended['doing'], string>> = {
  announce: 'announced to owners',
  cancel: 'cancelled',
  change: 'changed',
  close: 'closed',
  start: 'started by itself',
}

function nextWords(id: string, next: NotOpen['next']): string {
  const change = `\`lockkeeper window change ${id}\` changes its times.`
  switch (next) {
    case 'make-another':
      return 'Make another window for what is left.'
    case 'change-times':
      return change
    case 'wait-or-change':
      return `Wait for it, or have it start by itself then (\`lockkeeper window start ${id} --when-it-begins\`). ${change}`
    case 'make-another-or-outside':
      return 'Make another window, or start outside any with a reason.'
    case 'change-or-outside':
      return 'Change its times, choose another window, or start outside any with a reason.'
  }
}

function labelOf({ window, title }: OfWindow): string {
  return windowLabel({ id: window, title })
}

function openRunWords({ run, subject, condition }: OpenRun): string {
  return `${run} (${subject}, ${condition})`
}
