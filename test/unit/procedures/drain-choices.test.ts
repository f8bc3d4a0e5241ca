import { describe, expect, it } from 'vitest'
import { type DaemonSetAnswer, decideDrain } from '../../../main/adapters/kubernetes/drain-filters.ts'
import { podBlockers } from '../../../main/procedures/steps/general/drain-choices.ts'
import type { DrainOptions, Pod } from '../../../shared/domain/kubernetes.ts'
import { fakePod } from '../../fixtures/procedures/fake-world.ts'

const OPTIONS: DrainOptions = {
  force: false,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}
const SCRATCH = { emptyDirs: ['scratch'] }
const BARE = fakePod('bare', { controller: null })
const BARE_SCRATCH = fakePod('bare-scratch', { ...SCRATCH, controller: null })
const ORPHAN = daemonPod('orphan', 'gone')
const ORPHAN_SCRATCH = { ...daemonPod('orphan-scratch', 'gone'), ...SCRATCH }
const UNREAD = daemonPod('unread', 'secret')

type Flag = 'force' | 'deleteEmptyDirData'

function daemonPod(name: string, daemonSet: string): Pod {
  return fakePod(name, { controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet, uid: daemonSet } })
}

/** What blocks the drain of this pod when these flags are given: code, and whether --force is offered for it. */
function blockersOf(pod: Pod, flags: readonly Flag[]): readonly string[] {
  const options = { ...OPTIONS, ...Object.fromEntries(flags.map(flag => [flag, true])) }
  const key = (name: string) => `${pod.namespace}/${name}`
  const daemonSets = new Map<string, DaemonSetAnswer>([
    [key('gone'), { kind: 'missing', message: 'daemonsets.apps "gone" not found' }],
    [key('secret'), { kind: 'unknown', message: 'the API server did not answer' }],
  ])
  return decideDrain([pod], { options, now: 0, daemonSets, leaveBy: 'evict', budgets: [] })
    .flatMap(podBlockers)
    .map(({ code, override }) => `${code}: ${override.kind === 'flag' ? override.flag : 'never by force'}`)
}

const NAKED = 'pod-without-controller: force'
const VANISHED = 'pod-of-vanished-daemonset: force'
const LOCAL = 'pod-with-emptydir: never by force'
const UNKNOWN = 'daemonset-unknown: never by force'

describe('a flag is offered only for what it lifts (kubectl filters.go:163-250; docs/drain.md 5.2 filters 2, 4 and 5, V12)', () => {
  it.each<{ pod: Pod; none: string[]; force: string[]; emptyDir: string[]; both: string[] }>([
    { pod: BARE, none: [NAKED], force: [], emptyDir: [NAKED], both: [] },
    { pod: BARE_SCRATCH, none: [LOCAL, NAKED], force: [LOCAL], emptyDir: [NAKED], both: [] },
    { pod: ORPHAN, none: [VANISHED], force: [], emptyDir: [VANISHED], both: [] },
    { pod: ORPHAN_SCRATCH, none: [VANISHED, LOCAL], force: [LOCAL], emptyDir: [VANISHED], both: [] },
    { pod: UNREAD, none: [UNKNOWN], force: [UNKNOWN], emptyDir: [UNKNOWN], both: [UNKNOWN] },
  ])('$pod.name', ({ pod, none, force, emptyDir, both }) => {
    expect(blockersOf(pod, [])).toEqual(none)
    expect(blockersOf(pod, ['force'])).toEqual(force)
    expect(blockersOf(pod, ['deleteEmptyDirData'])).toEqual(emptyDir)
    expect(blockersOf(pod, ['force', 'deleteEmptyDirData'])).toEqual(both)
  })
})
