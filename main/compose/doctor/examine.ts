import { join } from 'node:path'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Clusters } from '../../clusters/clusters.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { LivenessFacts } from '../../runs/engine/liveness.ts'
import { type ClustersOptions, examineCluster, examineKubeconfig } from './clusters.ts'
import { examineDataDirectory } from './data-directory.ts'
import { type Examination, type Finding, findingsAbout, verdictOf } from './finding.ts'
import { type ExaminedJournal, examineJournal } from './journal.ts'
import { type ExaminedMachine, examineMachine } from './machine.ts'

interface ExamineOptions {
  readonly machine: ExaminedMachine
  readonly dataDirectory: string
  /** The user id of this process; null on systems without user ids. */
  readonly ownUser: number | null
  readonly clock: Clock
  readonly liveness: LivenessFacts
  /** Opened from the registry as it is; a failure becomes a finding. */
  readonly clusters: Result<Pick<Clusters, 'list' | 'test' | 'inspectKubeconfig'>>
  readonly withLeases: ClustersOptions['withLeases']
  readonly cluster: string | null
  /** Gets findings part by part, because clusters may take a while. */
  readonly onFindings: (findings: readonly Finding[]) => void
}

/** Checks everything that Lockkeeper needs, one part after the other; continues when one part fails. Writes nothing. */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { machine, dataDirectory, clock, clusters, onFindings } = options
  const findings: Finding[] = []
  const found = (more: readonly Finding[]) => {
    findings.push(...more)
    onFindings(more)
  }
  found(examineMachine(machine))
  const directory = examineDataDirectory(dataDirectory, options.ownUser)
  found(directory.findings)
  const journal = directory.isReadable ? journalOf(options) : UNREADABLE
  found(journal.findings)
  if (clusters.ok) {
    found(await examineKubeconfig({ clusters: clusters.value }))
    await examineClusters(clusters.value, journal, options, found)
  } else {
    found([findingsAbout('clusters').failed('registry', clusters.failure)])
  }
  return { examinedAt: isoNow(clock), dataDirectory, verdict: verdictOf(findings), findings }
}

const UNREADABLE: ExaminedJournal = {
  findings: [findingsAbout('journal').cannotTell('file', because('JournalNotLookedAt'))],
  openRuns: null,
  hasEnded: () => false,
}

function journalOf({ dataDirectory, clock, liveness, cluster }: ExamineOptions): ExaminedJournal {
  return examineJournal({ dataDirectory, path: join(dataDirectory, 'journal.db'), clock, liveness, cluster })
}

async function examineClusters(
  clusters: Pick<Clusters, 'list' | 'test' | 'inspectKubeconfig'>,
  journal: ExaminedJournal,
  { cluster: wanted, withLeases }: ExamineOptions,
  found: (more: readonly Finding[]) => void,
): Promise<void> {
  const say = findingsAbout('clusters')
  const listed = clusters.list()
  if (!listed.ok) return found([say.failed('registry', listed.failure)])
  const chosen: readonly Cluster[] = listed.value.filter(({ name }) => wanted === null || name === wanted)
  if (wanted !== null && chosen.length === 0) {
    return found([
      say.broken('registry', because('ClusterNotListed', { cluster: wanted }), because('ListClustersNext')),
    ])
  }
  if (chosen.length === 0) {
    return found([say.attention('registry', because('NoClusterRegistered'), because('AddClusterNext'))])
  }
  // In parallel, because each waits mostly for its servers. The results come in order.
  const asked = chosen.map(cluster => examineCluster(cluster, { clusters, withLeases, journal }))
  for (const one of asked) found(await one)
}
