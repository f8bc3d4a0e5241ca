import { AnchorButton, Button, HTMLSelect, InputGroup, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { useConnection, whyCutOff } from '../../../stores/connection.ts'
import { goTo, hashOf } from '../../../stores/route.ts'
import { FailureCallout } from '../../../ui/failure-callout.tsx'
import { createCampaign, followCampaigns } from '../bridge/campaigns.ts'
import { placeKeyOf, useCampaigns } from '../stores/campaigns.ts'
import { BatchesDraft } from './batches-draft.tsx'
import { type CampaignDraft, newCampaign, readCampaignDraft, wantedCampaigns } from './campaign-draft.ts'
import { RunnerNote } from './runner-note.tsx'
import { placesOf, placeWords, type RunnerPlace } from './runner-places.ts'
import '../../../ui/runs/runs.css'
import './campaigns.css'

interface Props {
  /** The runner of the new campaign; null if it is chosen here. */
  readonly by: string | null
  readonly namespace: string | null
  /** The name for which runs already wait. */
  readonly name: string | null
}

/** Makes a campaign of a runner: the order in which runs start. */
export function NewCampaignScreen({ by, namespace, name }: Props): ReactNode {
  useEffect(followCampaigns, [])
  const runners = useCampaigns(store => store.runners)
  const places = useMemo(
    () => (runners === null || runners.kind === 'failed' ? [] : placesOf(runners.value)),
    [runners],
  )
  const [chosen, setChosen] = useState<string | null>(
    by === null || namespace === null ? null : placeKeyOf({ by, namespace }),
  )
  const place = places.find(each => placeKeyOf(each) === chosen) ?? (chosen === null ? places[0] : undefined)
  if (runners === null) return <NonIdealState icon={<Spinner size={24} />} title="Reading the runners" />
  if (runners.kind === 'failed') {
    return (
      <div className="camp">
        <FailureCallout title="The runners cannot be listed" failure={runners.failure} />
      </div>
    )
  }
  if (place === undefined) {
    return (
      <NonIdealState
        title="This console has no runner there"
        description="A campaign belongs to a runner, which starts its runs."
        action={<AnchorButton text="All campaigns" href={hashOf({ kind: 'campaigns' })} />}
      />
    )
  }
  return (
    <Form key={placeKeyOf(place)} place={place} places={places} name={name ?? ''} onPlace={key => setChosen(key)} />
  )
}

interface FormProps {
  readonly place: RunnerPlace
  readonly places: readonly RunnerPlace[]
  readonly name: string
  readonly onPlace: (key: string) => void
}

function Form({ place, places, name, onPlace }: FormProps): ReactNode {
  const key = placeKeyOf(place)
  const list = useCampaigns(store => store.lists.get(key) ?? null)
  const waiting = useCampaigns(store => store.waiting.get(key) ?? null)
  const cut = useConnection(whyCutOff)
  const [draft, setDraft] = useState(() => newCampaign(name))
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const taken = useMemo(
    () => (list === null || list.kind === 'failed' ? [] : list.value.map(campaign => campaign.name)),
    [list],
  )
  const waitingRuns = useMemo(
    () => (waiting === null || waiting.kind === 'failed' ? [] : waiting.value.runs),
    [waiting],
  )
  const wanted = useMemo(
    () => wantedCampaigns(waitingRuns).filter(each => !taken.includes(each.name)),
    [waitingRuns, taken],
  )
  const reading = readCampaignDraft(draft, taken)
  const make = async () => {
    if (reading.kind !== 'ready') return
    setAsking(true)
    setFailure(null)
    const answer = await createCampaign(place, reading.input)
    setAsking(false)
    if (answer.ok) goTo({ kind: 'campaign', by: place.by, namespace: place.namespace, name: reading.input.name })
    else setFailure(answer.failure)
  }
  return (
    <div className="camp">
      <header className="camp-head row">
        <h1>New campaign</h1>
      </header>
      <RunnerNote place={place} reading={null} />
      <Fields place={place} places={places} draft={draft} wanted={wanted} onPlace={onPlace} onDraft={setDraft} />
      <BatchesDraft draft={draft} waiting={waiting} onEdit={setDraft} />
      {failure === null ? null : <FailureCallout title="The campaign was not made" failure={failure} />}
      <footer className="camp-foot row wrap">
        <ul className="camp-todo space quiet flush" aria-label="Still missing" aria-live="polite">
          {reading.kind === 'unfinished' ? reading.problems.map(problem => <li key={problem}>{problem}</li>) : null}
        </ul>
        <AnchorButton text="Cancel" href={hashOf({ kind: 'campaigns' })} />
        <Button
          intent="primary"
          text="Make the campaign"
          disabled={reading.kind !== 'ready' || cut !== null}
          loading={asking}
          onClick={() => void make()}
        />
      </footer>
    </div>
  )
}

interface FieldsProps extends Pick<FormProps, 'place' | 'places' | 'onPlace'> {
  readonly draft: CampaignDraft
  /** Names for which runs wait and no campaign is there. */
  readonly wanted: ReturnType<typeof wantedCampaigns>
  readonly onDraft: (draft: CampaignDraft) => void
}

/** Where the campaign runs, its name and its failure budget. */
function Fields({ place, places, draft, wanted, onPlace, onDraft }: FieldsProps): ReactNode {
  const id = useId()
  return (
    <section className="panel camp-form" aria-label="The campaign">
      <label className="run-field" htmlFor={`${id}-place`}>
        <span>Runner</span>
        <HTMLSelect
          id={`${id}-place`}
          value={placeKeyOf(place)}
          options={places.map(each => ({ value: placeKeyOf(each), label: placeWords(each) }))}
          onChange={({ currentTarget: { value } }) => onPlace(value)}
        />
      </label>
      <label className="run-field" htmlFor={`${id}-name`}>
        <span>Name</span>
        <InputGroup
          id={`${id}-name`}
          className="mono"
          placeholder="night"
          value={draft.name}
          spellCheck={false}
          autoComplete="off"
          onValueChange={next => onDraft({ ...draft, name: next })}
        />
      </label>
      <label className="run-field" htmlFor={`${id}-budget`}>
        <span>Failure budget</span>
        <InputGroup
          id={`${id}-budget`}
          inputMode="numeric"
          value={draft.failureBudget}
          aria-describedby={`${id}-budget-words`}
          onValueChange={next => onDraft({ ...draft, failureBudget: next })}
        />
      </label>
      <p className="quiet small camp-form-words">
        Each run names its campaign, so use the name under which the runs were submitted (“Run in the cloud”, campaign).
        {wanted.length === 0 ? null : ' Runs wait for: '}
        {wanted.map(each => (
          <Button
            key={each.name}
            size="small"
            text={`${each.name} (${counted(each.runs.length, 'run')})`}
            onClick={() => onDraft({ ...draft, name: each.name })}
          />
        ))}
      </p>
      <p className="quiet small camp-form-budget" id={`${id}-budget-words`}>
        How many runs may fail before no more start; 0: the first failure stops it.
      </p>
    </section>
  )
}
