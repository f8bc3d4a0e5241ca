import { shellWord } from '../../grammar/shell-word.ts'
import { whereDriven } from '../runners.ts'
import { type Names, type OfCluster, type OfNode, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

type OfPlace = OfRun & OfCluster & OfNode
/** `by`: another run. */
type ByRun = OfRun & { readonly by: string }
/** `node` null: the run is about one node, so none has to be named. */
type OfPart = OfRun & { readonly node: string | null }
type ByOperator = { readonly operator: string; readonly machine: string }
/** Longest list of nodes in a text. */
const MOST_NAMED = 50

/** Why a run cannot be undone, and why an undone one cannot resume. */
export const UNDO_REASONS = {
  RunBringsBack: ({ run, ...place }: OfPlace) =>
    `Run ${run} brings a node back and cannot be undone. \`lockkeeper enter ${placeText(place)}\` takes it out of service again.`,
  RunRescued: ({ run, ...place }: OfPlace) =>
    `Run ${run} rescued the instances of a machine that was off. Once it runs again, \`lockkeeper leave ${placeText(place)}\` clears forced-down and the taint.`,
  RunDrivenByConsole: ({ run, operator, machine }: OfRun & ByOperator) =>
    `Run ${run} runs on ${machine}, by ${operator}. Stop it or detach from it first.`,
  RunDrivenByRunner: ({ run, runner }: OfRun & { readonly runner: string }) =>
    `Run ${run} runs ${whereDriven({ name: runner })}. Stop it first: \`lockkeeper run abort ${shellWord(run)}\`.`,
  RunWithRunner: ({ run, to }: OfRun & { readonly to: { readonly object: string; readonly by: string } | null }) =>
    `Run ${run} was handed over${to === null ? '' : ` as MaintenanceRun ${to.object} of ${to.by}`}, and a runner may continue it. You can undo it once that runner reports its end, or after you take it back (\`lockkeeper run resume ${shellWord(run)}\`).`,
  RunMaintained: ({ run, ...place }: OfPlace) =>
    `Run ${run} is done, and ${place.node} is back. \`lockkeeper home ${placeText(place)}\` brings its instances back.`,
  RunTookOut: ({ run, ...place }: OfPlace) =>
    `Run ${run} is done and cannot be undone. \`lockkeeper leave ${placeText(place)} --home\` brings ${place.node} and its instances back.`,
  RunLeftNothing: ({ run, node }: OfPart) => `Run ${run} left no change${onNode(node)} to undo.`,
  RunNotListed: ({ run }: OfRun) =>
    `Run ${run} is not in the list of runs, so Lockkeeper does not know what came after it.`,
  RunUndone: ({ run, by, node }: ByRun & OfPart) => `Run ${by} already undid run ${run}${onNode(node)}.`,
  RunBeingUndone: ({ by, driver }: ByRun & { readonly driver: ByOperator | null }) =>
    `Run ${by} undoes it and has not finished. ${driver === null ? `It is paused: \`lockkeeper run resume ${by}\` continues it.` : `It runs on ${driver.machine}, by ${driver.operator}.`}`,
  NodeWorkedOnSince: ({ by, cluster, node }: ByRun & OfCluster & OfNode) =>
    `Run ${by} worked on ${node} since, so its current state is not only this run's to undo. \`lockkeeper leave ${placeText({ cluster, node })} --home\` brings it and its instances back, if it is still out of service.`,
  NodeMayBeWorkedOnSince: ({ by, node }: ByRun & OfNode) =>
    `Run ${by} may have worked on ${node} since: its history cannot be read.`,
  RunOfOtherNode: ({ run, node, asked }: OfRun & OfNode & { readonly asked: string }) =>
    `Run ${run} worked on ${node}, not on ${asked}.`,
  /** `node`: the named one; null if there is none. */
  NoNodeToUndo: (which: OfPart) =>
    `${whichText(which)} It has nothing left to undo: it changed nothing permanent, or a later run worked on the same nodes. \`lockkeeper leave\` with \`--home\` brings a node back that is still out of service.`,
  NameNodeToUndo: ({ nodes, ...which }: OfPart & { readonly nodes: Names }) =>
    `${whichText(which)} NODE is one of ${someNames(nodes, MOST_NAMED)}.`,
  /** Why a run that waited is ended. */
  ToBeUndone: () => 'to be undone',
  RunEndedForUndo: ({ run, by }: ByRun) =>
    `Run ${by} ended run ${run} after this plan was made, to undo it: another undo is starting, or stopped early. Check the runs of its node, then make the plan again.`,
  RunWentOnSincePlan: ({ run }: OfRun) =>
    `Run ${run} continued after this plan was made, so the plan lacks its later changes. Make the plan again.`,
  UndoneNotResumed: ({ run, by }: ByRun) => `Run ${by} undoes run ${run}, so it cannot resume. Start a new run.`,
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
    ? `Run ${run} works on several nodes: undo it node by node (\`lockkeeper undo ${run} NODE\`).`
    : `Run ${run} does not include ${node}.`
}
