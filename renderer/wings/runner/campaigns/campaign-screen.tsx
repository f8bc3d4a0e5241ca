import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { CampaignDetail } from '../../../../shared/contract/index.ts'
import { failedOf } from '../../../../shared/words/campaigns.ts'
import { hashOf } from '../../../stores/route.ts'
import { FailureCallout } from '../../../ui/failure-callout.tsx'
import { Said } from '../../../ui/said.tsx'
import { When } from '../../../ui/when.tsx'
import { followCampaign, readCampaign } from '../bridge/campaigns.ts'
import { campaignKeyOf, type Reading, useCampaigns } from '../stores/campaigns.ts'
import { campaignTone } from './batch-status.ts'
import { CampaignActs } from './campaign-acts.tsx'
import { CampaignBatches } from './campaign-batches.tsx'
import { batchWords, CampaignBar, endedWords } from './campaign-progress.tsx'
import { HeldBy, PhaseTag } from './phase-tag.tsx'
import { RunnerNote, useIsOld } from './runner-note.tsx'
import { placesOf, placeWords, type RunnerPlace } from './runner-places.ts'
import '../../../ui/runs/runs.css'
import './campaigns.css'

interface Props {
  readonly by: string
  readonly namespace: string
  readonly name: string
}

/** One campaign: its state, its actions, its batches with every run. */
export function CampaignScreen({ by, namespace, name }: Props): ReactNode {
  useEffect(() => followCampaign({ by, namespace }, name), [by, namespace, name])
  const reading = useCampaigns(store => store.details.get(campaignKeyOf({ by, namespace }, name)) ?? null)
  const runners = useCampaigns(store => store.runners)
  const place = useMemo(() => {
    if (runners === null || runners.kind === 'failed') return null
    const found = placesOf(runners.value).find(each => each.by === by && each.namespace === namespace)
    const silent = [`This console has no runner of ${by} (namespace ${namespace}).`]
    return found ?? { by, namespace, clouds: [], isAnswering: false, silent }
  }, [runners, by, namespace])
  if (reading === null) return <NonIdealState icon={<Spinner size={24} />} title="Reading the campaign" />
  if (reading.kind !== 'failed') return <Page campaign={reading.value} reading={reading} place={place} />
  return reading.failure.code === 'not-found' ? (
    <NonIdealState
      title="This campaign does not exist"
      description={reading.failure.message}
      action={<AnchorButton text="All campaigns" href={hashOf({ kind: 'campaigns' })} />}
    />
  ) : (
    <div className="camp">
      <FailureCallout
        title="The campaign cannot be read"
        failure={reading.failure}
        onRetry={() => void readCampaign({ by, namespace }, name)}
      />
    </div>
  )
}

interface PageProps {
  readonly campaign: CampaignDetail
  readonly reading: Reading<CampaignDetail>
  readonly place: RunnerPlace | null
}

function Page({ campaign, reading, place }: PageProps): ReactNode {
  const isOld = useIsOld(place, reading)
  const { name, by, namespace, phase, message, hold, endedAt, startedAt, confirmedBy } = campaign
  const tone = campaignTone(campaign, isOld)
  return (
    <div className="camp">
      <a className="camp-back" href={hashOf({ kind: 'campaigns' })}>
        All campaigns
      </a>
      <RunnerNote place={place} reading={reading} />
      <section
        className={`panel camp-page-head run-tone-${tone}`}
        aria-label={`Campaign ${name}`}
        data-old={isOld && endedAt === null}
      >
        <div className="row wrap">
          <h1>
            <span className="mono">{name}</span>
          </h1>
          <PhaseTag phase={phase} tone={tone} />
          <HeldBy hold={hold} endedAt={endedAt} />
        </div>
        <p className="breaks">
          <Said text={message} />
        </p>
        <CampaignBar campaign={campaign} />
        <dl className="camp-facts">
          <Fact name="Runs" value={endedWords(campaign)} />
          <Fact name="Batch" value={batchWords(campaign)} />
          <Fact name="Failed" value={failedOf(campaign)} />
          <Fact name="Requested by" value={confirmedBy === '' ? 'unreadable' : confirmedBy} />
          <Fact name="Started" value={startedAt === null ? 'not started' : <When at={startedAt} />} />
          {endedAt === null ? null : <Fact name="Ended" value={<When at={endedAt} />} />}
          <Fact name="Runs on" value={placeWords({ by, namespace })} />
        </dl>
      </section>
      <CampaignActs campaign={campaign} />
      <CampaignBatches campaign={campaign} isOld={isOld} />
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
