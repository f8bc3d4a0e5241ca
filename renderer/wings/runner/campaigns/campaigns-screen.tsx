import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { CampaignSummary } from '../../../../shared/contract/index.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'
import { failedOf } from '../../../../shared/wings/runner/words/campaigns.ts'
import { hashOf } from '../../../stores/route.ts'
import { FailureCallout } from '../../../ui/failure-callout.tsx'
import { When } from '../../../ui/when.tsx'
import { followCampaigns } from '../bridge/campaigns.ts'
import { placeKeyOf, useCampaigns } from '../stores/campaigns.ts'
import { campaignTone } from './batch-status.ts'
import { wantedCampaigns } from './campaign-draft.ts'
import { batchWords, CampaignBar, endedWords } from './campaign-progress.tsx'
import { HeldBy, PhaseTag } from './phase-tag.tsx'
import { RunnerNote, useIsOld } from './runner-note.tsx'
import { placesOf, placeWords, type RunnerPlace } from './runner-places.ts'
import '../../../ui/runs/runs.css'
import './campaigns.css'

export function CampaignsScreen(): ReactNode {
  useEffect(followCampaigns, [])
  const runners = useCampaigns(store => store.runners)
  const places = useMemo(
    () => (runners === null || runners.kind === 'failed' ? [] : placesOf(runners.value)),
    [runners],
  )
  return (
    <div className="camp">
      <header className="camp-head row">
        <h1>Campaigns</h1>
        {places.length === 0 ? null : (
          <AnchorButton
            intent="primary"
            text="New campaign"
            href={hashOf({ kind: 'new-campaign', by: null, namespace: null, name: null })}
          />
        )}
      </header>
      {runners === null ? (
        <NonIdealState icon={<Spinner size={24} />} title="Reading the runners" />
      ) : runners.kind === 'failed' ? (
        <FailureCallout title="The runners cannot be listed" failure={runners.failure} />
      ) : places.length === 0 ? (
        <NonIdealState
          title="No runner yet"
          description="A runner carries on runs inside a cloud, also while this computer is off. Install it, then let this console look for it:"
        >
          <code className="block">lockkeeper runner manifests | kubectl apply -f -</code>
          <code className="block">lockkeeper runner list CLOUD</code>
        </NonIdealState>
      ) : (
        <>
          <p className="quiet">
            A campaign orders the runs of many clouds: how many at a time, and after how many failures it stops.
          </p>
          {places.map(place => (
            <PlaceCampaigns key={placeKeyOf(place)} place={place} />
          ))}
        </>
      )}
    </div>
  )
}

function PlaceCampaigns({ place }: { readonly place: RunnerPlace }): ReactNode {
  const key = placeKeyOf(place)
  const reading = useCampaigns(store => store.lists.get(key) ?? null)
  const isOld = useIsOld(place, reading)
  const campaigns = reading === null || reading.kind === 'failed' ? null : reading.value
  return (
    <section className="camp-place" aria-label={placeWords(place)}>
      <header className="camp-place-head row wrap">
        <h2>{placeWords(place)}</h2>
        <span className="quiet">
          {place.clouds.length === 0 ? 'It reports no cloud.' : `Knows ${listed(place.clouds)}.`}
        </span>
      </header>
      <RunnerNote place={place} reading={reading} />
      {reading === null ? <p className="quiet">Reading…</p> : null}
      {reading?.kind === 'failed' ? (
        <FailureCallout title="Its campaigns cannot be read" failure={reading.failure} />
      ) : null}
      {campaigns === null ? null : campaigns.length === 0 ? (
        <p className="quiet">There are no campaigns.</p>
      ) : (
        <CampaignTable campaigns={campaigns} isOld={isOld} />
      )}
      {campaigns === null ? null : <Wanted place={place} taken={campaigns} />}
    </section>
  )
}

function CampaignTable({
  campaigns,
  isOld,
}: {
  readonly campaigns: readonly CampaignSummary[]
  readonly isOld: boolean
}): ReactNode {
  const shown = useMemo(() => inOrder(campaigns), [campaigns])
  return (
    <table className="table card camp-table">
      <thead>
        <tr>
          <th scope="col">Campaign</th>
          <th scope="col">Phase</th>
          <th scope="col">Runs</th>
          <th scope="col">Failed</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      {shown.map(campaign => (
        <Lines key={campaign.name} campaign={campaign} isOld={isOld && campaign.endedAt === null} />
      ))}
    </table>
  )
}

/** One campaign: its figures, and its message below them. */
function Lines({ campaign, isOld }: { readonly campaign: CampaignSummary; readonly isOld: boolean }): ReactNode {
  const { name, by, namespace, phase, message, confirmedBy, runsFailed, startedAt, endedAt } = campaign
  const tone = campaignTone(campaign, isOld)
  return (
    <tbody data-old={isOld}>
      <tr>
        <th scope="rowgroup" rowSpan={2}>
          <a className="mono" href={hashOf({ kind: 'campaign', by, namespace, name })}>
            {name}
          </a>
          <div className="quiet small breaks">
            {confirmedBy === '' ? 'the requester cannot be read' : `requested by ${confirmedBy}`}
          </div>
        </th>
        <td className={`camp-figure run-tone-${tone}`}>
          <PhaseTag phase={phase} tone={tone} />{' '}
          <span className="small">
            <HeldBy hold={campaign.hold} endedAt={endedAt} />
          </span>
        </td>
        <td className="camp-figure camp-runs">
          <CampaignBar campaign={campaign} />
          {endedWords(campaign)}
          <span className="quiet small block">{batchWords(campaign)}</span>
        </td>
        <td className={`camp-figure${runsFailed > 0 ? ' bad' : ''}`}>{failedOf(campaign)}</td>
        <td className="camp-figure small">
          {startedAt === null ? <span className="quiet">not started</span> : <Instant word="began" at={startedAt} />}
          {endedAt === null ? null : <Instant word="ended" at={endedAt} />}
        </td>
      </tr>
      <tr>
        <td colSpan={4} className="camp-message breaks">
          {message}
        </td>
      </tr>
    </tbody>
  )
}

function Instant({ word, at }: { readonly word: string; readonly at: string }): ReactNode {
  return (
    <div>
      <span className="quiet">{word}</span> <When at={at} />
    </div>
  )
}

/** Open campaigns first, by their start; then the ended ones, latest first. */
function inOrder(campaigns: readonly CampaignSummary[]): readonly CampaignSummary[] {
  const open = campaigns.filter(({ endedAt }) => endedAt === null)
  const over = campaigns.filter(({ endedAt }) => endedAt !== null)
  return [
    ...open.toSorted((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '') || a.name.localeCompare(b.name)),
    ...over.toSorted((a, b) => (b.endedAt ?? '').localeCompare(a.endedAt ?? '')),
  ]
}

/** Runs that wait for a campaign which does not exist yet. */
function Wanted({
  place,
  taken,
}: {
  readonly place: RunnerPlace
  readonly taken: readonly CampaignSummary[]
}): ReactNode {
  const waiting = useCampaigns(store => store.waiting.get(placeKeyOf(place)) ?? null)
  if (waiting === null) return null
  if (waiting.kind === 'failed') {
    return <p className="quiet small">Waiting runs cannot be read: {waiting.failure.message}</p>
  }
  const missing = wantedCampaigns(waiting.value.runs).filter(({ name }) => !taken.some(each => each.name === name))
  if (missing.length === 0) return null
  return (
    <ul className="camp-wanted plain-list">
      {missing.map(({ name, runs }) => (
        <li key={name} className="row wrap run-tone-waits">
          <span>
            {counted(runs.length, 'run')} {runs.length === 1 ? 'waits' : 'wait'} for campaign{' '}
            <b className="mono">{name}</b>, which does not exist.
          </span>
          <AnchorButton
            size="small"
            text={`Make ${name}`}
            href={hashOf({ kind: 'new-campaign', by: place.by, namespace: place.namespace, name })}
          />
        </li>
      ))}
    </ul>
  )
}
