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

/** A window; titles are not unique. */
type OfWindow = { readonly window: string; readonly title: string }

/** A window that was closed, or cancelled (`why`), and what you can no longer do with it. */
type Ended = OfWindow & {
  readonly by: string
  readonly at: string
  readonly why: string | null
  readonly doing: 'announce' | 'cancel' | 'change' | 'close' | 'start'
}

/** A run of a window that has not ended. */
type OpenRun = { readonly run: string; readonly subject: string; readonly condition: string }

/** A window in which no run can start now; `next`: what you can do. */
type NotOpen = OfWindow &
  Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'timeZone' | 'closed' | 'cancelled'> & {
    readonly status: WindowStatus
    readonly next: 'change-times' | 'make-another' | 'make-another-or-outside' | 'change-or-outside' | 'wait-or-change'
  }

/** Differences of a new plan from the confirmed one; `whole`: in the way all of the work is done. */
type NotAgreed = {
  readonly whole: boolean
  readonly nodes: Names
  readonly down: Names
  readonly lifted: readonly string[]
}

/** Longest list of windows in a text. */
const MOST_LISTED = 50

/** Refusals and results of windows and of starts agreed in advance. */
export const WINDOWS_REASONS = {
  AgreedStartBlocked: ({ blockers, total }: { readonly blockers: readonly Finding[]; readonly total: number }) =>
    `Its checks fail: ${messagesOf(blockers)}${total > blockers.length ? ` And ${total - blockers.length} more.` : ''}`,
  AgreedByEarlierVersion: () =>
    'An earlier version of Lockkeeper kept the plan with its texts, which changed. The plans cannot be compared: confirm the automatic start again.',
  AgreedPlanLost: () => 'Lockkeeper no longer has the plan.',
  AgreedPlanNotShown: () =>
    'The window changed since you saw the plan, or that was more than five minutes ago. Check it again first. Nothing was saved.',
  AgreedPlanNotStartable: () => 'Its checks fail, so you cannot agree to it. Nothing was saved.',
  ClusterBecameProduction: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud now, and nobody typed its name.`,
  ClusterNameNotTyped: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud and this plan is disruptive: type its name, ${cluster}, exactly. Nothing was saved.`,
  EstimateTooSlow: () => 'The cloud did not answer in time for an estimate.',
  ForecastMeasured: ({ instances, atOnce, migrations }: Moving & { readonly migrations: number }) =>
    `${counted(instances, 'instance')}, ${atOnce} at a time, by the memory of ${counted(migrations, 'migration')} on this cloud. Range: median to 90th percentile.`,
  ForecastNothingMoves: () => 'This plan moves no instance.',
  ForecastNotMade: () => 'Lockkeeper does not forecast how long its moves take.',
  ForecastNotMeasured: ({ instances, atOnce }: Moving) =>
    `${counted(instances, 'instance')}, ${atOnce} at a time. No move was measured on this cloud yet: the first run here will show how long moves take.`,
  OutsideWindowForMachineOff: ({ reported }: { readonly reported: string }) => `a machine that is off: ${reported}`,
  MailNotJournaled: ({ outcome, cause }: { readonly outcome: string } & Cause) =>
    `${outcome} Lockkeeper could not record this: ${cause}`,
  MailNotSent: ({ cause }: Cause) => `Not sent: ${cause}`,
  OwnersMayBeMissing: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Lockkeeper could not read the instances on ${nodes.join(', ')}: owners may be missing.`,
  OwnersNodesMissing: ({ cluster, nodes }: OfCluster & { readonly nodes: readonly string[] }) =>
    `${cluster} has no node ${nodes.join(', ')} now.`,
  PlanGone: () => 'Lockkeeper no longer has the plan. Make it again, read it, then start it.',
  PlanNotAsAgreed: ({ whole, nodes, down, lifted }: NotAgreed) =>
    [
      ...(whole
        ? ['The way the work is done changed since it was confirmed (settings of the cloud, or the release).']
        : nodes.total === 0
          ? []
          : [`The steps for ${someNames(nodes)} differ from the confirmed ones.`]),
      ...(down.total === 0
        ? []
        : [`${someNames(down)} would go down or wait for an owner, which was not shown when it was confirmed.`]),
      ...lifted.map(
        blocker =>
          `A check fails now that passed when it was confirmed, and the override does not cover it: ${blocker}`,
      ),
    ].join(' '),
  ProjectsNamedByIds: ({ cause }: Cause) => `Projects are named by their ids: ${cause}`,
  SeveralWindowsBegin: ({ given, windows }: { readonly given: string; readonly windows: Names }) =>
    `Several windows begin with "${given}": ${someNames(windows, MOST_LISTED)}. Give more characters.`,
  StartedByHand: ({ run }: { readonly run: string }) => `run ${run} was started manually.`,
  StartingConsoleEnded: ({ machine }: { readonly machine: string }) =>
    `The console on ${machine} ended just when it should have started it. No run started.`,
  StartNotAgreed: (window: OfWindow) =>
    `Window ${labelOf(window)} does not start automatically, so you need not cancel that.`,
  StartTooLate: ({ until, timeZone }: Late) =>
    `No console was open and awake to start it by ${zonedText(until, timeZone)}. Nothing was changed.`,
  StartTooLateAfterTrouble: ({ until, timeZone, trouble }: Late & { readonly trouble: Trouble }) =>
    `Lockkeeper tried until ${zonedText(until, timeZone)}. ${trouble.message} Nothing was changed.`,
  WindowEndsBeforeItStarts: ({ startsAt, endsAt, timeZone }: Times) =>
    `A window must end after it starts: this one would start at ${zonedText(startsAt, timeZone)} and end at ${zonedText(endsAt, timeZone)} (${timeZone}).`,
  WindowPlansNodeTwice: ({ node }: OfNode) => `${node} is planned more than once. List it only once.`,
  WindowTimeZoneUnknown: ({ timeZone }: Pick<Times, 'timeZone'>) =>
    `Time zone "${timeZone}" is unknown: give one such as Europe/Berlin, or UTC.`,
  WindowEnded: ({ by, at, why, doing, ...window }: Ended) =>
    `Window ${labelOf(window)} was ${why === null ? `closed by ${by} at ${at}` : `cancelled by ${by} at ${at}: ${why}`}, so it can no longer be ${DONE[doing]}. You can still add a note. For more work make another window.`,
  WindowEndIsPast: () => 'Its end has already passed, so nothing can start in it.',
  WindowHasRuns: ({
    runs,
    doing,
    ...window
  }: OfWindow & { readonly runs: readonly OpenRun[]; readonly doing: string }) =>
    `Window ${labelOf(window)} has runs that have not ended: ${someOf(runs.map(openRunWords))}. Let them end, resume or stop them, then ${doing} it.`,
  WindowKeepsCluster: ({ cluster, wanted, ...window }: OfWindow & OfCluster & { readonly wanted: string }) =>
    `Window ${labelOf(window)} belongs to cloud ${cluster}, which cannot change. Make another window for ${wanted}.`,
  WindowNodesMissing: ({ cluster, nodes }: OfCluster & { readonly nodes: Names }) =>
    `${cluster} has no node ${someNames(nodes)} now. The plan can start only when the node exists or is removed from the plan.`,
  WindowNodesNotRead: ({ cluster, cause }: OfCluster & Cause) =>
    `Lockkeeper did not check whether ${cluster} has the planned nodes: ${cause}`,
  WindowNodesTooSlow: ({ cluster }: OfCluster) =>
    `Lockkeeper did not check whether ${cluster} has the planned nodes: the cloud did not answer in time.`,
  WindowNotAhead: (window: OfWindow) =>
    `Window ${labelOf(window)} has already begun, so it cannot start automatically. Start it manually while it is open.`,
  WindowNotOpen: ({ window, status, next, ...times }: NotOpen) =>
    `${whyNotOpen({ id: window, ...times }, status) ?? ''} Nothing was started. ${nextWords(window, next)}`,
  WindowOfOtherCluster: ({ cluster, planned, ...window }: OfWindow & OfCluster & { readonly planned: string }) =>
    `Window ${labelOf(window)} belongs to cloud ${cluster}, but this run works on ${planned}. Nothing was started.`,
  WindowsAtOnce: ({ cluster, ...window }: OfWindow & OfCluster) =>
    `Window ${labelOf(window)} is on ${cluster} at the same time: while both are open, each run has to name its window.`,
  WindowStartLost: () =>
    'It no longer starts automatically because it was changed: check the plan and agree to it again.',
  WindowsOpen: ({ cluster, windows }: OfCluster & { readonly windows: readonly OfWindow[] }) =>
    `${windows.length} windows are open on ${cluster}: ${windows.map(labelOf).join(', ')}. Nothing was started. Name the window of the run (--window ID).`,
  NoWindowOpen: ({ cluster, next }: OfCluster & { readonly next: NextWindow | null }) =>
    `No maintenance window is open on the production cloud ${cluster}.${next === null ? '' : ` The next, ${labelOf(next)}, begins at ${zonedText(next.startsAt, next.timeZone)} (${next.timeZone}).`} Nothing was started. Say why it starts now (--reason TEXT), or wait for a window.`,
  WindowUnknown: ({ given }: { readonly given: string }) =>
    `Window "${given}" does not exist. \`lockkeeper window list\` lists the windows.`,
  WindowUnreadable: ({ window, events }: { readonly window: string; readonly events: number }) =>
    `Window ${window} cannot be read: the first of its events in the journal (${events}) is not its creation. Its runs are not affected; \`lockkeeper journal check\` shows more.`,
  WindowWithoutPlan: (window: OfWindow) =>
    `Window ${labelOf(window)} has no plan: you start its runs one by one. Give it batches or an update first, or enter a node within it.`,
} satisfies TextsOf<string>

type Times = { readonly startsAt: string; readonly endsAt: string; readonly timeZone: string }

type Moving = { readonly instances: number; readonly atOnce: number }

/** The latest time at which a window could start automatically. */
type Late = { readonly until: string; readonly timeZone: string }

/** Why it did not start: a code, or the words of another program. */
type Trouble = Pick<Finding, 'message'> & Partial<Finding>

type NextWindow = OfWindow & { readonly startsAt: string; readonly timeZone: string }

/** Actions that are impossible for an ended window. */
const DONE: Readonly<Record<Ended['doing'], string>> = {
  announce: 'announced to owners',
  cancel: 'cancelled',
  change: 'changed',
  close: 'closed',
  start: 'started automatically',
}

function nextWords(id: string, next: NotOpen['next']): string {
  const change = `\`lockkeeper window change ${id}\` changes its times.`
  switch (next) {
    case 'make-another':
      return 'Make another window for what is left.'
    case 'change-times':
      return change
    case 'wait-or-change':
      return `Wait for it, or let it start automatically then (\`lockkeeper window start ${id} --when-it-begins\`). ${change}`
    case 'make-another-or-outside':
      return 'Make another window, or start outside any window.'
    case 'change-or-outside':
      return 'Change its times, choose another window, or start outside any window.'
  }
}

function labelOf({ window, title }: OfWindow): string {
  return windowLabel({ id: window, title })
}

function openRunWords({ run, subject, condition }: OpenRun): string {
  return `${run} (${subject}, ${condition})`
}
