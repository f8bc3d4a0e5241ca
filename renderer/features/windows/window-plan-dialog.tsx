import { Button, HTMLSelect, ProgressBar } from '@blueprintjs/core'
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { LATE_BY_MINUTES } from '../../../shared/domain/agreed-start.ts'
import { effectsOf } from '../../../shared/domain/plan-effects.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { zonedText } from '../../../shared/grammar/times.ts'
import { CONSOLE_HAS_TO_BE_OPEN } from '../../../shared/words/agreed-starts.ts'
import { agreeToStart, planOfWindow } from '../../bridge/windows.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { PlanSheet } from '../../ui/plan/plan-sheet.tsx'
import { PlanVerdict } from '../../ui/plan/plan-verdict.tsx'
import { PlanWarnings } from '../../ui/plan/plan-warnings.tsx'
import { lastMade, type MadePlan, type PlanState } from '../../ui/plan/use-plan.ts'
import { Said } from '../../ui/said.tsx'
import '../../ui/plan/plan.css'

interface Props {
  readonly window: MaintenanceWindow
  /** `at-its-beginning`: the confirmed plan starts automatically then. */
  readonly start: 'now' | 'at-its-beginning'
  readonly onClose: () => void
}

/** The checked plan of a window over its page, with the one confirmation. Opening it starts nothing. */
export function WindowPlanDialog({ window, start, onClose }: Props): ReactNode {
  const { id, cluster, title } = window
  const { state, choices, make } = useWindowPlan(id)
  const cancel = useRef<HTMLButtonElement>(null)
  const made = lastMade(state)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = state.kind === 'making'
  const again = () => void make(choices)
  const inHand = made === null || effects === null ? null : { made, effects }
  return (
    <PlanSheet
      title={title}
      cluster={cluster}
      checked={{ atMs: made?.madeAtMs ?? null, isMaking: making, onCheckAgain: again }}
      notice={
        state.kind === 'failed' ? (
          <FailureCallout title="No plan could be made" failure={state.failure} onRetry={again} />
        ) : made === null ? (
          <div className="plan-making" role="status">
            <p>
              <b>Checking every node of the plan.</b> <span className="quiet">Reads only; nothing changes.</span>
            </p>
            <ProgressBar intent="primary" aria-label={`Checking ${cluster}`} />
          </div>
        ) : null
      }
      left={
        inHand === null ? null : (
          <>
            <PlanVerdict checked={inHand.made.checked} status={state.kind} />
            <PlanBlockers
              cluster={cluster}
              checked={inHand.made.checked}
              instances={inHand.effects.instances}
              onMarked={again}
              onChoose={change => void make({ ...choices, ...change })}
            />
            <div className="plan-folds">
              <PlanWarnings checked={inHand.made.checked} instances={inHand.effects.instances} search="" />
              <PlanChecks checked={inHand.made.checked} search="" />
              <PlanPods pods={inHand.effects.pods} search="" />
            </div>
          </>
        )
      }
      right={
        inHand === null ? null : (
          <PlanInstances
            cluster={cluster}
            instances={inHand.effects.instances}
            checked={inHand.made.checked}
            forecast={{ kind: 'not-asked' }}
            places={null}
            onMarked={again}
            exclusion={null}
          />
        )
      }
      foot={
        <Confirmation
          window={window}
          start={start}
          made={made}
          status={state.kind}
          cancel={cancel}
          onClose={onClose}
          onCheckAgain={again}
        />
      }
      first={cancel}
      onClose={onClose}
    />
  )
}

/** The plan of a window, made when the dialog opens and again on request; a late answer is dropped. */
function useWindowPlan(id: string) {
  const [state, setState] = useState<PlanState>({ kind: 'making', sinceMs: Date.now(), last: null })
  const [choices, setChoices] = useState<PlanChoices>({})
  const asked = useRef(0)
  const make = useCallback(
    async (wanted: PlanChoices) => {
      asked.current += 1
      const own = asked.current
      setChoices(wanted)
      setState(before => ({ kind: 'making', sinceMs: Date.now(), last: lastMade(before) }))
      const answer = await planOfWindow(id, wanted)
      if (own !== asked.current) return
      setState(before =>
        answer.ok
          ? { kind: 'made', made: { checked: answer.value, madeAtMs: Date.now(), world: null } }
          : { kind: 'failed', failure: answer.failure, last: lastMade(before) },
      )
    },
    [id],
  )
  useEffect(() => {
    void make({})
    return () => {
      asked.current += 1
    }
  }, [make])
  return { state, choices, make }
}

interface ConfirmationProps extends Props {
  readonly made: MadePlan | null
  readonly status: PlanState['kind']
  readonly cancel: RefObject<HTMLButtonElement | null>
  readonly onCheckAgain: () => void
}

/** The confirmation: now, or for the beginning of the window. */
function Confirmation(props: ConfirmationProps): ReactNode {
  const { window, start, made, status, cancel, onClose, onCheckAgain } = props
  const { id, cluster, title, plan } = window
  const [lateByMinutes, setLateBy] = useState<number>(LATE_BY_MINUTES.usual)
  if (made === null) {
    return (
      <footer className="sheet-foot row">
        <span className="space" />
        <Button ref={cancel} variant="minimal" text="Cancel" onClick={onClose} />
      </footer>
    )
  }
  const confirmation: Pick<ComponentProps<typeof PlanConfirm>, 'confirm' | 'later'> = start === 'at-its-beginning'
    ? {
        confirm: 'Start automatically at its beginning',
        later: {
          words: <AtItsBeginning window={window} lateByMinutes={lateByMinutes} onLateBy={setLateBy} />,
          keep: (planId, typedCluster) =>
            agreeToStart({
              id,
              planId,
              lateByMinutes,
              ...(typedCluster === undefined ? {} : { typedCluster }),
            }),
          onKept: () => {
            onClose()
            showToast({ text: `${title} starts automatically at its beginning.`, tone: 'good' })
          },
        },
      }
    : plan.kind === 'batches'
      ? { confirm: `Start ${counted(plan.batches.length, 'batch', 'batches')} on ${cluster}` }
      : {}
  return (
    <PlanConfirm
      cluster={cluster}
      made={made}
      status={status}
      cancel={cancel}
      windowId={id}
      {...confirmation}
      onCancel={onClose}
      onCheckAgain={onCheckAgain}
      onStarted={run => {
        onClose()
        showToast({
          text: `${title} on ${cluster} has started.`,
          tone: 'good',
          action: {
            text: 'Timeline',
            run: () => goTo(clusterRoute(cluster, 'update', { runId: run.id })),
          },
        })
      }}
    />
  )
}

interface AtItsBeginningProps {
  readonly window: MaintenanceWindow
  readonly lateByMinutes: number
  readonly onLateBy: (minutes: number) => void
}

/** The conditions of an automatic start, and how late it may be. */
function AtItsBeginning({ window: { startsAt, timeZone }, lateByMinutes, onLateBy }: AtItsBeginningProps): ReactNode {
  const id = useId()
  return (
    <>
      <p>
        It starts automatically at {zonedText(startsAt, timeZone)} ({timeZone}). <Said text={CONSOLE_HAS_TO_BE_OPEN} />
      </p>
      <p className="quiet">
        Lockkeeper makes and checks the plan again then. If anything blocks or differs, it does not start, and the bell
        and the webhooks say so.
      </p>
      <div className="row wrap">
        <label htmlFor={id}>Not later than</label>
        <HTMLSelect
          id={id}
          value={lateByMinutes}
          options={LATE_BY.map(value => ({ value, label: `${value} min after its beginning` }))}
          onChange={({ currentTarget }) => onLateBy(Number(currentTarget.value))}
        />
      </div>
    </>
  )
}

const LATE_BY = [5, LATE_BY_MINUTES.usual, 30, 60, LATE_BY_MINUTES.most]
