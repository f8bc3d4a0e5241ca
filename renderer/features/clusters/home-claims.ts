import type { NodeView, SourceName } from '../../../shared/domain/cluster-view.ts'
import { isAsAgreed, onlyStopsWithNode } from '../../../shared/domain/node-verdict.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { verdictBadge } from '../../../shared/words/node-verdict.ts'
import type { LiveState } from '../../stores/views.ts'
import { isOld } from '../../ui/old-source.ts'

/** What all clouds together show, as far as they answer. */
export interface AllClouds {
  readonly clouds: number
  readonly nodes: number
  readonly inService: number
  readonly out: number
  /** Clouds that are still being asked. */
  readonly waiting: number
  /** Clouds whose nodes are unread or out of date. */
  readonly silent: number
  /** Clouds whose nodes are read, and not what runs on them. */
  readonly partly: number
}

/** What is known beside the clouds. */
interface KnownNeeds {
  readonly needs: number
  readonly isSettled: boolean
  /** Whether runs, windows and campaigns were read. */
  readonly isRead: boolean
  /** How many runners did not answer. */
  readonly unread: number
  /** A journal that is only partly readable may miss what needs you. */
  readonly isJournalWhole: boolean
  readonly isGuided: boolean
}

/** Home's first line. "Nothing needs you" only if everything was read from which a need could come. */
export function homeTitle(seen: AllClouds, known: KnownNeeds): string {
  const { clouds, waiting, silent, partly } = seen
  const { needs, isSettled, isRead, unread, isJournalWhole, isGuided } = known
  const of = (amount: number, one: string, several: string) =>
    `${amount} of ${counted(clouds, 'cloud')} ${amount === 1 ? one : several}`
  if (!isSettled) return `Connecting to ${counted(clouds, 'cloud')}…`
  if (needs > 0) return `${counted(needs, 'thing needs', 'things need')} you`
  if (silent > 0) return of(silent, 'does not answer', 'do not answer')
  if (isGuided) return 'Welcome to the demo'
  if (waiting > 0) return of(waiting, 'is still connecting', 'are still connecting')
  if (!isRead) return 'Reading what needs you…'
  if (partly > 0) return of(partly, 'answers only in part', 'answer only in part')
  if (unread > 0) return 'Not all campaigns could be read'
  return isJournalWhole ? 'Nothing needs you' : 'The journal is only partly readable'
}

/** `39 of 43 nodes in service, 2 runs, 2 nodes out`. */
export function homeFacts(seen: AllClouds, runs: number, unread: number): string {
  const { clouds, nodes, inService, out, waiting, silent, partly } = seen
  const all = waiting + silent + partly === 0 && nodes > 0 && inService === nodes
  return [
    ...(all
      ? [counted(clouds, 'cloud'), counted(nodes, 'node'), 'all in service']
      : [`${inService} of ${counted(nodes, 'node')} in service`]),
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(out === 0 ? [] : [`${counted(out, 'node')} out`]),
    ...(unread === 0 ? [] : ['not all campaigns read']),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'cloud')} still connecting`]),
  ].join(', ')
}

/** By them a node is judged empty. */
const JUDGED_BY: readonly SourceName[] = ['instances', 'compute-services', 'pods']

/** Whether what runs on the nodes of a cloud may be out of date, although its nodes are not. */
export function isPartlyOld(state: LiveState | undefined): boolean {
  return state?.kind === 'open' && JUDGED_BY.some(name => isOld(state.live.sources.get(name)?.state))
}

/** Whether a node may be powered off, in a few words. Only a proof that is not out of date makes it safe. */
export function outBadge(node: NodeView, isLastSeen: boolean): { readonly tone: string; readonly words: string } {
  const { verdict, state } = node
  switch (verdict?.kind) {
    case 'Empty':
      return isLastSeen
        ? { tone: 'waits', words: 'Empty when last seen' }
        : { tone: 'maintenance', words: 'Empty, safe to power off' }
    case 'NotEmpty':
      if (onlyStopsWithNode(verdict) && !isLastSeen) {
        return { tone: 'maintenance', words: `${verdictBadge(verdict)}, safe to power off` }
      }
      return {
        tone: isAsAgreed(verdict) ? 'waits' : 'failed',
        words: isLastSeen ? `${verdictBadge(verdict)}, when last seen` : verdictBadge(verdict),
      }
    default:
      return { tone: 'waits', words: state === 'maintenance' ? 'Cannot tell whether it is empty' : nodeBadge(node) }
  }
}
