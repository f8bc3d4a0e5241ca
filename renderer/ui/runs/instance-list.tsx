import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useMemo, useState } from 'react'
import { migrationPaces } from '../../../shared/domain/migration-pace.ts'
import { nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import type { TimedMove } from '../../../shared/domain/slow-moves.ts'
import { heedsDecisions, mayStillHeed, stepOfInstance } from '../../../shared/domain/step-of-instance.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { slowWords } from '../../../shared/words/instances.ts'
import { useTicks } from '../../stores/ticks.ts'
import { showToast } from '../../stores/toasts.ts'
import { InstanceMark } from '../instance-mark.tsx'
import { ChoiceDialog } from './choice-button.tsx'
import { type Choice, decisionsNow } from './choices.ts'
import { markOf, turnWords } from './instance-words.ts'
import type { RunInstance } from './run-instances.ts'
import { useSlowMoves } from './use-slow-moves.ts'
import './runs.css'

interface Props {
  readonly view: RunView
  readonly instances: readonly RunInstance[]
  /** Whether the run works now, so that decisions about moving instances reach it. */
  readonly isDriven: boolean
  /** Those for which an answer from here is needed. */
  readonly asked: ReadonlySet<string>
}

/** Each instance of a run: its mark, and its turn or its result; a moving one with its progress and what can be decided. */
export function InstanceList({ view, instances, isDriven, asked }: Props): ReactNode {
  const places = useMemo(
    () => new Map(instances.filter(({ state }) => state === 'to-move').map(({ id }, place) => [id, place])),
    [instances],
  )
  const slow = useSlowMoves(view.plan.cluster, view)
  const paces = useMemo(() => new Map(view.steps.flatMap(step => [...migrationPaces(step)])), [view])
  return (
    <ul className="run-instances plain-list" aria-label="Instances">
      {instances.map(instance => (
        <Row
          key={instance.id}
          view={view}
          instance={instance}
          place={places.get(instance.id) ?? 0}
          pace={paces.get(`server/${instance.id}`) ?? null}
          slow={slow.find(({ id }) => id === instance.id) ?? null}
          isAsked={asked.has(instance.id)}
          isDriven={isDriven}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly view: RunView
  readonly instance: RunInstance
  readonly place: number
  readonly pace: { readonly bytesPerSecond: number | null; readonly endAt: string | null } | null
  /** Its move, if that takes longer than usual; null if not. */
  readonly slow: TimedMove | null
  readonly isAsked: boolean
  readonly isDriven: boolean
}

function Row({ view, instance, place, pace, slow, isAsked, isDriven }: RowProps): ReactNode {
  const { id, name, state, percent } = instance
  const words = useTicks(({ nowMs }) =>
    isAsked ? 'needs you' : withEnd(turnWords(instance, place, nowMs), instance, pace, nowMs),
  )
  const mark = markOf(instance)
  const found = isDriven && state === 'moving' ? stepOfInstance(view, id) : null
  return (
    <li className={`run-instance run-instance-${state}${isAsked ? ' run-instance-asked' : ''}`}>
      {mark === null ? <span /> : <InstanceMark kind={mark} />}
      <span className="mono strong cut" title={name}>
        {name}
      </span>
      {state === 'moving' && percent !== null ? (
        <span
          className="meter"
          role="progressbar"
          aria-label={`${name}: memory copied`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          title={pace === null || pace.bytesPerSecond === null ? undefined : `${bytes(pace.bytesPerSecond)}/s`}
        >
          <i style={{ width: `${percent}%` }} />
        </span>
      ) : (
        <span />
      )}
      <span className="run-instance-turn number quiet cut" title={words}>
        {words}
      </span>
      {found !== null && heedsDecisions(found.step) && mayStillHeed(found.step) ? (
        <Decide view={view} instance={{ id, name }} />
      ) : (
        <span />
      )}
      {slow === null || state !== 'moving' || isAsked ? null : (
        <span className="run-instance-slow">{slowWords(slow)}</span>
      )}
    </li>
  )
}

/** `71 %, about 20 s left` once the pace gives an end. */
function withEnd(words: string, { state, percent }: RunInstance, pace: RowProps['pace'], nowMs: number): string {
  if (state !== 'moving' || percent === null || pace === null || pace.endAt === null) return words
  const ms = Date.parse(pace.endAt) - nowMs
  return ms < 1000 ? `${percent} %` : `${percent} %, about ${durationWords(ms)} left`
}

/** What can be decided about an instance that moves, without a question. */
function Decide({
  view,
  instance,
}: {
  readonly view: RunView
  readonly instance: { readonly id: string; readonly name: string }
}): ReactNode {
  const [asking, setAsking] = useState<Choice | null>(null)
  const choices = decisionsNow(view, instance, nodeOfPlan(view.plan) ?? '')
  const send = async (choice: Choice) => {
    const answer = await choice.send('')
    if (answer === null) return
    showToast(
      answer.ok
        ? { text: `Requested: ${choice.label}, ${instance.name}.` }
        : { text: answer.failure.message, tone: 'caution' },
    )
  }
  return (
    <>
      <PopoverNext
        placement="bottom-end"
        content={
          <Menu>
            {choices.map(choice => (
              <MenuItem
                key={choice.key}
                text={choice.asks === 'no' ? choice.label : `${choice.label}…`}
                title={`${choice.cost}. ${choice.effect}`}
                onClick={() => (choice.asks === 'no' ? void send(choice) : setAsking(choice))}
              />
            ))}
          </Menu>
        }
      >
        <Button size="small" variant="minimal" text="…" aria-label={`Decide about ${instance.name}`} />
      </PopoverNext>
      {asking === null ? null : (
        <ChoiceDialog choice={asking} isOpen onClose={() => setAsking(null)} send={asking.send} />
      )}
    </>
  )
}
