import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { InstanceAttempt } from '../../../shared/domain/instance-attempts.ts'
import type { StuckRule } from '../../../shared/domain/instance-choice.ts'
import { expectedSpan, ramMibOf } from '../../../shared/domain/move-durations.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { instanceIdOf } from '../../../shared/domain/run-facts.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { memoryWords } from '../../../shared/grammar/bytes.ts'
import { counted, someOf } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { troubleHelp, unansweredWords } from '../../../shared/words/troubles.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { Said } from '../said.tsx'
import { useEarlierMoves } from '../use-earlier-moves.ts'
import { WhenMinute } from '../when.tsx'
import { ChoiceButton } from './choice-button.tsx'
import { choicesOf, stuckInstances } from './choices.ts'
import { OwnerModes } from './owner-modes.tsx'
import { subjectOf } from './trouble-subject.ts'
import './troubles.css'

const MemoryChart = lazy(async () => ({ default: (await import('./memory-chart.tsx')).MemoryChart }))

interface Props {
  readonly view: RunView
  readonly wait: RunWait
  /** More things that wait in the same way, such as pods that one webhook holds. */
  readonly others: readonly string[]
  /** Why no button works now; null if they work. */
  readonly locked: string | null
}

/** One thing that a run waits for: why, the usual time against now, the ways out in order of harm, and what happens otherwise. */
export function TroubleCard({ view, wait, others, locked }: Props): ReactNode {
  const subject = useMemo(() => subjectOf(view, wait), [view, wait])
  const { title, isName, sentence, why, isWhyOpen, attempt } = subject
  const choices = locked === null ? choicesOf(view, wait).filter(({ key }) => key !== 'abort') : []
  const help = troubleHelp(wait)
  const needsYou = wait.for === 'answer' || wait.for === 'owner' || wait.for === 'operator'
  return (
    <section
      className={`trouble${needsYou ? '' : ' trouble-calm'}`}
      aria-label={title}
      role={needsYou ? 'alert' : undefined}
    >
      <header className="trouble-head">
        <h2>
          {wait.instances.length === 0 ? (
            <span className={isName ? 'trouble-name mono' : 'trouble-name'}>{title}</span>
          ) : (
            <a
              className="trouble-name mono"
              href={hashOf(clusterRoute(view.plan.cluster, 'instances', { node: wait.node }))}
              title="Its details and its mode"
            >
              {title}
            </a>
          )}{' '}
          <Facts view={view} wait={wait} />
        </h2>
        <p className="trouble-sentence">
          <Said text={sentence} />
        </p>
        {others.length === 0 ? null : <p>{someOf(others, 4)}</p>}
        {help === null ? null : (
          <p className="quiet">
            <Said text={help} />
          </p>
        )}
        {locked === null ? null : <p className="caution">{locked}</p>}
        {why.length === 0 ? null : (
          <details className="trouble-why" open={isWhyOpen}>
            <summary>Why?</summary>
            {why.map(line => (
              <p key={line} className="small breaks">
                <Said text={line} />
              </p>
            ))}
          </details>
        )}
      </header>
      {attempt === null ? null : <Compared cluster={view.plan.cluster} attempt={attempt} />}
      {choices.length === 0 ? null : (
        <ul className="trouble-choices plain-list" aria-label="You can">
          <li className="trouble-columns small quiet" aria-hidden="true">
            <span>Harm</span>
            <span>You can</span>
            <span>What it does</span>
          </li>
          {choices.map((choice, at) => (
            <li key={choice.key}>
              <Harm of={choice.harm} />
              <span>
                <b>{choice.label}</b>
                <span className="small quiet">{choice.cost}</span>
              </span>
              <span className="quiet">{choice.effect}</span>
              <ChoiceButton choice={choice} isFirst={at === 0} />
            </li>
          ))}
        </ul>
      )}
      {wait.for !== 'owner' || wait.instances.length < 2 || locked !== null ? null : (
        <details className="trouble-each">
          <summary>One by one</summary>
          <OwnerModes cluster={view.plan.cluster} node={wait.node} instances={wait.instances} />
        </details>
      )}
      {locked === null ? <Foot view={view} wait={wait} attempt={attempt} /> : null}
    </section>
  )
}

/** `8 vCPU · 32 GiB · on cmp-01`, or since when it waits. */
function Facts({ view, wait }: Pick<Props, 'view' | 'wait'>): ReactNode {
  const stuck = stuckInstances(view, wait)
  const id = wait.instances[0]?.id ?? (stuck[0] === undefined ? null : instanceIdOf(stuck[0].subject))
  const isOne = wait.instances.length + stuck.length === 1
  const flavor = useViews(({ byCluster }) =>
    id === null || !isOne ? null : (lastOf(byCluster.get(view.plan.cluster))?.instances.get(id)?.flavor ?? null),
  )
  const waited = useTicks(({ nowMs }) => (wait.since === null ? null : durationWords(nowMs - Date.parse(wait.since))))
  const facts = [
    ...(flavor === null ? [] : [`${flavor.vcpus} vCPU`, memoryWords(flavor.ramMib)]),
    ...(wait.node === null || (wait.code === 'Question' && id === null) ? [] : [`on ${wait.node}`]),
    ...(waited === null ? [] : [isMoving(wait) ? `moving for ${waited}` : `waits for ${waited}`]),
  ]
  return <span className="trouble-facts">{facts.join(' · ')}</span>
}

/** Such a wait begins with the move itself. */
function isMoving({ code }: RunWait): boolean {
  return code === 'MigrationStalled' || code === 'MigrationNotConverging'
}

/** Usual against now, and how the memory left to copy went. */
function Compared({ cluster, attempt }: { readonly cluster: string; readonly attempt: InstanceAttempt }): ReactNode {
  const moves = useEarlierMoves(cluster)
  const { startedAt, copies } = attempt
  const expected = expectedSpan(ramMibOf(attempt), moves)
  const nowMs = useTicks(store => Math.max(0, store.nowMs - Date.parse(startedAt)))
  const most = Math.max(nowMs, expected?.high ?? 0)
  const bars = [
    ...(expected === null
      ? []
      : [
          { name: 'Usual', ms: expected.low, of: 'usual' },
          ...(expected.high > expected.low ? [{ name: 'Slowest', ms: expected.high, of: 'slow' }] : []),
        ]),
    { name: 'Now', ms: nowMs, of: 'now' },
  ]
  return (
    <div className="trouble-compared">
      <div>
        <h3>Time to move</h3>
        <dl className="trouble-times">
          {bars.map(({ name, ms, of }) => (
            <div key={name} className={`trouble-time-${of}`}>
              <dt>{name}</dt>
              <dd>
                <i style={{ width: `${most === 0 ? 0 : (ms / most) * 100}%` }} />
                <span className="number">{durationWords(ms)}</span>
              </dd>
            </div>
          ))}
        </dl>
        {expected === null ? null : (
          <p className="small quiet">From {counted(moves.length, 'earlier move')} on this cloud</p>
        )}
      </div>
      {copies.length < 2 ? null : (
        <div>
          <h3>
            Memory left to copy <span className="small quiet">GiB{expected === null ? '' : ', dashed: usual'}</span>
          </h3>
          <div className="trouble-chart">
            <Suspense fallback={null}>
              <MemoryChart
                copies={copies}
                startedAt={startedAt}
                nowMs={Math.ceil(nowMs / 1000) * 1000}
                usualMs={expected?.low ?? null}
              />
            </Suspense>
          </div>
        </div>
      )}
    </div>
  )
}

/** Three marks: how much a choice harms. */
function Harm({ of }: { readonly of: number }): ReactNode {
  return (
    <span className={`trouble-harm trouble-harm-${of}`} role="img" aria-label={`Harm ${of} of 3`}>
      <i />
      <i />
      <i />
    </span>
  )
}

interface FootProps extends Pick<Props, 'view' | 'wait'> {
  readonly attempt: InstanceAttempt | null
}

/** What happens if nobody does anything. */
function Foot({ view, wait, attempt }: FootProps): ReactNode {
  const { asksAt, failsAt } = wait
  const left = useTicks(({ nowMs }) => {
    const at = failsAt ?? asksAt
    return at === null ? '' : durationWords(Math.max(0, Date.parse(at) - nowMs))
  })
  const at = failsAt ?? asksAt
  return (
    <p className="trouble-foot">
      {at === null ? (
        unansweredWords(wait, ruleFor(view, attempt))
      ) : (
        <>
          If nothing changes by{' '}
          <b>
            <WhenMinute at={at} />
          </b>
          , in {left}: {failsAt === null ? 'Lockkeeper asks you.' : 'the step fails, and the run stops there.'}
        </>
      )}
    </p>
  )
}

/** The plan's rule is for the moves that the run requested itself; about others the run asks. */
function ruleFor({ plan: { options } }: RunView, attempt: InstanceAttempt | null): StuckRule {
  return attempt === null || attempt.by === 'run' ? options.stuck : { ...options.stuck, do: 'ask' }
}
