import type { ReactNode } from 'react'
import type { CampaignDetail } from '../../../../shared/contract/index.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { clusterRoute, hashOf } from '../../../stores/route.ts'
import { ClusterName } from '../../../ui/clusters/cluster-name.tsx'
import { type BatchStatus, batchStatus, type CampaignRun, runTone } from './batch-status.ts'
import { PhaseTag } from './phase-tag.tsx'

/** The batches of a campaign in order, each with its runs and their states. */
export function CampaignBatches({
  campaign,
  isOld,
}: {
  readonly campaign: CampaignDetail
  readonly isOld: boolean
}): ReactNode {
  if (campaign.batches.length === 0) {
    return <p className="quiet">This version cannot read its batches.</p>
  }
  return (
    <ol className="camp-batches plain-list" aria-label="Batches" data-old={isOld}>
      {campaign.batches.map((batch, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a batch is its place, which never changes.
        <li key={at}>
          <Batch
            batch={batch}
            at={at}
            status={batchStatus(campaign, at, isOld)}
            isNow={at + 1 === campaign.batch && campaign.endedAt === null}
            isOld={isOld}
          />
        </li>
      ))}
    </ol>
  )
}

interface BatchProps {
  readonly batch: CampaignDetail['batches'][number]
  readonly at: number
  readonly status: BatchStatus
  readonly isNow: boolean
  readonly isOld: boolean
}

function Batch({ batch, at, status, isNow, isOld }: BatchProps): ReactNode {
  const { name, atOnce, runs } = batch
  return (
    <section
      className={`camp-batch run-tone-${status.tone}`}
      aria-label={`Batch ${at + 1}${name === null ? '' : `: ${name}`}`}
      aria-current={isNow ? 'step' : undefined}
    >
      <span className="camp-batch-number" aria-hidden="true">
        {at + 1}
      </span>
      <header className="camp-batch-head row wrap">
        <h3>
          Batch {at + 1}
          {name === null ? '' : `: ${name}`}
        </h3>
        <span className="camp-batch-status">{status.words}</span>
        <span className="space" />
        <span className="quiet">
          {counted(runs.length, 'run')}, {atOnce === null ? 'all at a time' : `${atOnce} at a time`}
        </span>
      </header>
      <table className="table camp-batch-runs">
        <colgroup>
          <col className="camp-col-run" />
          <col className="camp-col-cluster" />
          <col className="camp-col-phase" />
          <col />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Cluster</th>
            <th scope="col">Phase</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(run => (
            <Run key={run.name} run={run} isOld={isOld} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Run({ run, isOld }: { readonly run: CampaignRun; readonly isOld: boolean }): ReactNode {
  const { name, cluster, phase, message, runId, mirrored } = run
  return (
    <tr>
      <th scope="row" className="mono breaks">
        {cluster !== null && runId !== null && mirrored ? (
          <a href={hashOf(clusterRoute(cluster, 'history', { runId }))}>{name}</a>
        ) : (
          name
        )}
      </th>
      <td>{cluster === null ? <span className="quiet">unknown</span> : <ClusterName name={cluster} />}</td>
      <td>
        <PhaseTag phase={phase} tone={runTone(phase, isOld)} />
      </td>
      <td className="breaks">
        {message}
        {runId !== null && !mirrored ? (
          <span className="quiet block small">Started; this console does not mirror its journal.</span>
        ) : null}
      </td>
    </tr>
  )
}
