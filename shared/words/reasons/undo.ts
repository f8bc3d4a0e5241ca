import { shellWord } from '../../grammar/shell-word.ts'
import { whereDriven } from '../runners.ts'
import { type Names, type OfCluster, type OfNode, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

type OfPlace = OfRun & OfCluster & OfNode
/** `by`: another run. */
type ByRun = OfRun & { readonly by: string }
/** `node`: null, where the run is about one node and none has to be named. */
type OfPart = OfRun & { readonly node: string | null }
type ByOperator = { readonly operator: string; readonly machine: string }
/** More of a list than anybody reads. */
const MOST_NAMED = 50

/** Texts of why a run is not undone, and why one that was is not resumed. */
export const UNDO_REASONS = {
  RunBringsBack: ({ run, ...place }: OfPlace) =>
    `Run ${run} brings back, and is not undone. \`lockkeeper enter ${placeText(place)}\` takes it out of service again.`,
  RunRescued: ({ run, ...place }: OfPlace) =>
    `Run ${run} rescued the instances of a machine that was off. Once it runs again, \`lockkeeper leave ${placeText(place)}\` takes back the force-down and the taint.`,
  RunDrivenByConsole: ({ run, operator, machine }: OfRun & ByOperator) =>
    `Run ${run} is driven by ${operator} on ${machine}. Abort it or detach from it first.`,
  RunDrivenByRunner: ({ run, runner }: OfRun & { readonly runner: string }) =>
    `Run ${run} is driven ${whereDriven({ name: runner })}. Abort it first: \`lockkeeper run abort ${shellWord(run)}\`.`,
  RunWithRunner: ({ run, to }: OfRun & { readonly to: { readonly object: string; readonly by: string } | null }) =>
    `Run ${run} was handed over${to === null ? '' : ` as MaintenanceRun ${to.object} of ${to.by}`}, and a runner may go on with it. It is undone once that runner tells how it ended, or it is taken back (\`lockkeeper run resume ${shellWord(run)}\`).`,
  RunMaintained: ({ run, ...place }: OfPlace) =>
    `Run ${run} is done, and ${place.node} is back. \`lockkeeper home ${placeText(place)}\` brings its instances back.`,
  RunTookOut: ({ run, ...place }: OfPlace) =>
    `Run ${run} is done, and is not undone. \`lockkeeper leave ${placeText(place)} --home\` brings ${place.node} and its instances back.`,
  RunLeftNothing: ({ run, node }: OfPart) => `Run ${run} changed nothing${onNode(node)} that is still to be undone.`,
  RunNotListed: ({ run }: OfRun) => `Run ${run} is not in the list of runs, so what came after it is not known.`,
  RunUndone: ({ run, by, node }: ByRun & OfPart) => `Run ${run} was undone already${onNode(node)}, by run ${by}.`,
  RunBeingUndone: ({ by, driver }: ByRun & { readonly driver: ByOperator | null }) =>
    `Run ${by} undoes it and is not over. ${driver === null ? `Nobody drives it: \`lockkeeper run resume ${by}\` goes on.` : `${driver.operator} drives it on ${driver.machine}.`}`,
  NodeWorkedOnSince: ({ by, cluster, node }: ByRun & OfCluster & OfNode) =>
    `Run ${by} worked on ${node} since: what is there now is not this run's alone to take back. \`lockkeeper leave ${placeText({ cluster, node })} --home\` brings it and its instances back, if it is still out of service.`,
  NodeMayBeWorkedOnSince: ({ by, node }: ByRun & OfNode) =>
    `Run ${by} may have worked on ${node} since: its history cannot be read.`,
  RunOfOtherNode: ({ run, node, asked }: OfRun & OfNode & { readonly asked: string }) =>
    `Run ${run} worked on ${node}, not on ${asked}.`,
  /** `node`: the one that was named; null: none was. */
  NoNodeToUndo: (which: OfPart) =>
    `${whichText(which)} Nothing of it is left to undo node by node: it changed nothing that stays, or a later run worked on what it changed. \`lockkeeper leave\` with \`--home\` brings a node back that is still out of service.`,
  NameNodeToUndo: ({ nodes, ...which }: OfPart & { readonly nodes: Names }) =>
    `${whichText(which)} NODE is one of ${someNames(nodes, MOST_NAMED)}.`,
  /** Why a run that waited is ended. */
  ToBeUndone: () => 'to be undone',
  RunEndedForUndo: ({ run, by }: ByRun) =>
    `Run ${run} was ended by ${by} since this plan was made, to be undone: another undo of it begins, or came no further. Look at the runs of its node, then make the plan again.`,
  RunWentOnSincePlan: ({ run }: OfRun) =>
    `Run ${run} went on since this plan was made, which does not know what it did then. Make the plan again.`,
  UndoneNotResumed: ({ run, by }: ByRun) => `Run ${by} undoes run ${run}, which is not gone on with. Start a new run.`,
  MayBeUndoneNotResumed: ({ run, by }: ByRun) =>
    `Run ${by} may undo run ${run}: its history cannot be read. Start a new run.`,
} satisfies TextsOf<string>

function placeText({ cluster, node }: OfCluster & OfNode): string {
  return `${shellWord(cluster)} ${shellWord(node)}`
}

function onNode(node: string | null): string {
  return node === null ? '' : ` on ${node}`
}

function whichText({ run, node }: OfPart): string {
  return node === null
    ? `Run ${run} works on many nodes, and is undone node by node (\`lockkeeper undo ${run} NODE\`).`
    : `Run ${run} does not work on ${node}.`
}
